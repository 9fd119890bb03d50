/** Registers a share with its content and recipients (`interface.md` 2.3, 4.5). */
import { createShare } from '../../lib/api/shares'
import { apiNode } from '../../lib/runtime/node/api-node'
import { getPath } from '../../lib/runtime/values/read-text'
import { hasLongAccess, problemsOf, rowProblems } from './checks'
import { toRequest } from './request'
import { fields } from './share-create.fields'

export = apiNode('eid-share-create', fields, async (call) => {
  const { values, client } = call
  const now = Date.now()
  const body = toRequest(values, client, now, call.body({}))
  const contradictions = values.recipients?.from === 'form' ? rowProblems(values.recipients.rows) : []
  call.check([...contradictions, ...problemsOf(body, values.seeEverything, now)])
  if (hasLongAccess(body, now)) call.warn('longExpiry')

  const answer = await createShare(call.api, client, body)
  const shareId = getPath(answer.data, 'id')
  call.setStatus('created')
  return { payload: answer.data, shareId, content: body.content }
})
