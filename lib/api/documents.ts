/** Creates a document exactly once, however often the call is retried (`interface.md` 4.2). */
import type { Answer, CallOptions } from './call/call'
import type { ApiClient } from './client'
import { expectations, isFulfilled } from './operations/expectations'

type Sender = Pick<ApiClient, 'send'>

/**
 * Sends `body` (which must have an `externalId`) to the service. After an attempt with an unknown outcome, first looks
 * for a document with this `externalId`: if the document exists, returns it; if it certainly does not exist, sends the
 * request again. Rejects with an EidError, whose `outcome` is `unknown` if the look-up was not possible.
 */
export function createDocument(
  client: Sender,
  body: { externalId: string },
  options: CallOptions = {},
): Promise<Answer> {
  return client.send('createDocument', {
    ...options,
    body,
    findExisting: () => findDocument(client, body.externalId, options),
  })
}

/**
 * Returns the document with this `externalId`, or undefined if the service certainly has no such document. Rejects if
 * neither is certain.
 */
export async function findDocument(
  client: Sender,
  externalId: string,
  { signal, timeout }: CallOptions = {},
): Promise<Answer | undefined> {
  const list = await client.send('listDocuments', { query: { externalId }, signal, timeout })
  const summaries = summariesOf(list.data)
  const match = summaries.find((one) => one.externalId === externalId)
  if (match) {
    const found = await client.send('getDocument', { id: idOf(match), signal, timeout })
    if (!isFulfilled(expectations.createDocument, found.data, {}))
      throw new Error('the document has no id or no signers')
    return found
  }
  // A list of other documents shows that the service ignored the filter, so this document may be further down in the
  // list.
  if (summaries.length > 0) throw new Error('the list was not filtered by externalId')
  return undefined
}

function idOf({ documentId }: Record<string, unknown>): string {
  if (typeof documentId !== 'string') throw new Error('the summary has no id')
  return documentId
}

function summariesOf(data: unknown): Record<string, unknown>[] {
  const list = (data as { data?: unknown } | undefined)?.data
  if (!Array.isArray(list)) throw new Error('the answer is not a list of documents')
  return list as Record<string, unknown>[]
}
