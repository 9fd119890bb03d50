/** Registers a share with its content and recipients (`interface.md` 2.3, 4.5). */
import { createShare } from '../../lib/api/shares'
import { apiNode } from '../../lib/runtime/api-node'
import { getPath } from '../../lib/runtime/read-text'
import { isLong, problemsOf, rowProblems } from './checks'
import { toRequest } from './request'
import { fields } from './share-create.fields'

export = apiNode('eid-share-create', fields, async (call) => {
  const { values, client, config } = call
  const now = Date.now()
  const rows = {
    content: (config.contentType ?? fields.content.type) === 'form',
    recipients: (config.recipientsType ?? fields.recipients.type) === 'form',
  }
  const body = call.body(toRequest(values, rows, client, now))
  const contradictions = rows.recipients ? rowProblems(values.recipients ?? []) : []
  call.check([...contradictions, ...problemsOf(body, values.seeEverything, now)])
  if (isLong(body, now)) call.warn('longExpiry')

  const answer = await createShare(call.api, client, body)
  const shareId = getPath(answer.data, 'id')
  call.setStatus('created')
  return { payload: answer.data, shareId, content: body.content }
})
