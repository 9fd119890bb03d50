/** Creates a document for one or more signers (`interface.md` 2.1, 4.2). */
import { randomUUID } from 'node:crypto'
import { createDocument } from '../../lib/api/documents'
import { apiNode, type Call } from '../../lib/runtime/api-node'
import type { PlainObject } from '../../lib/runtime/body'
import { getPath } from '../../lib/runtime/read-text'
import { warningsFor, problemsOf } from './checks'
import { fields } from './create-document.fields'
import { readDocumentFile } from './file'
import { largeBody } from './large-body'
import { commonOf, requestOf, withCommon } from './request'

type CreateCall = Call<typeof fields>

export = apiNode('eid-create-document', fields, async (call) => {
  const { values, msg, config } = call
  const fromForm = values.signers !== undefined && (config.signersType ?? fields.signers.type) === 'form'
  const file = await readDocumentFile(call)
  const form = requestOf(values, fromForm, file.dataToSign)
  const body = withCommon(call.body(form), commonOf(values), fromForm)
  call.check([...file.problems, ...problemsOf(body, Date.now())])
  for (const { key, params } of warningsFor(body, Date.now())) call.warn(key, params)

  const externalId = chooseExternalId(call, body)
  // Before the call: a Catch branch that loops back then repeats the same one, and the service makes no second document.
  msg.externalId = externalId
  const request = { ...body, externalId }
  const answer = await createDocument(call.api, request, largeBody(request))

  const documentId = getPath(answer.data, 'documentId') ?? getPath(answer.data, 'id')
  call.setStatus('created')
  return { payload: answer.data, documentId, externalId, signers: signersOf(answer.data) }
})

/**
 * The key under which the service makes one document only: what the request says, else what the message brings, else a new one that
 * carries this node's id. One that another node of this kind made up belongs to that node's document.
 */
function chooseExternalId({ values, nodeId, config }: CreateCall, body: PlainObject): string {
  const chosen = config.externalIdType !== undefined && config.externalIdType !== fields.externalId.type
  if (chosen && values.externalId) return values.externalId
  if (typeof body.externalId === 'string' && body.externalId !== '') return body.externalId
  const brought = values.externalId
  const maker = /^eid-(.+)-[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/.exec(brought ?? '')?.[1]
  return brought && (maker === undefined || maker === nodeId) ? brought : `eid-${nodeId}-${randomUUID()}`
}

function signersOf(data: unknown) {
  const signers = getPath(data, 'signers')
  if (!Array.isArray(signers)) return []
  return signers.map((one: unknown) => ({
    id: getPath(one, 'id'),
    externalSignerId: getPath(one, 'externalSignerId'),
    url: getPath(one, 'url'),
  }))
}
