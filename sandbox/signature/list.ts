/** Lists documents as summaries, filtered and in pages. */
import type { Answer, Call } from '../server/call'
import { checkDates, pageOf } from '../server/pages'
import type { World } from '../world'
import { summaryRecord } from './record'
import { externalKey, type SignatureDocument } from './state'

const MAX_PAGE_SIZE = 100

type Filter = (document: SignatureDocument, value: string) => boolean

const since = (time: string | undefined, value: string) => time !== undefined && Date.parse(time) >= Date.parse(value)
const contains = (text: string, value: string) => text.toLowerCase().includes(value.toLowerCase())

const filters: Readonly<Record<string, Filter>> = {
  externalId: (document, value) => document.externalId === value,
  signerId: (document, value) => document.signers.some((signer) => signer.id === value),
  externalSignerId: (document, value) => document.signers.some((signer) => signer.externalSignerId === value),
  fromDate: (document, value) => since(document.created, value),
  toDate: (document, value) => Date.parse(document.created) <= Date.parse(value),
  lastUpdated: (document, value) => since(document.lastUpdated, value),
  signedDate: (document, value) => since(document.signedDate, value),
  nameOfSigner: (document, value) =>
    document.signers.some((signer) => contains(signer.signature?.fullName ?? '', value)),
  title: (document, value) => contains(document.title, value),
  status: (document, value) => document.status === value.toLowerCase(),
  tags: (document, value) => value.split(',').some((tag) => document.tags.includes(tag.trim())),
}

/** `GET /signature/documents/summary`: oldest first; `limit` is 100 unless given, and at most 100. */
export function listDocuments(call: Call, world: World): Answer {
  checkDates(call, ['fromDate', 'toDate', 'lastUpdated', 'signedDate'])
  const page = pageOf(call, world, findDocuments(call, world), { usual: MAX_PAGE_SIZE, max: MAX_PAGE_SIZE })
  return { json: { ...page, data: page.data.map(summaryRecord) } }
}

function findDocuments(call: Call, world: World): SignatureDocument[] {
  const wanted = Object.entries(filters).flatMap(([name, filter]) =>
    call.query.getAll(name).map((value) => (document: SignatureDocument) => value === '' || filter(document, value)),
  )
  return candidates(call, world).filter((document) => wanted.every((fits) => fits(document)))
}

/** All documents. If an external id is requested, only the documents with this id, which are found without a search. */
function candidates({ query }: Call, { signature, clients }: World): SignatureDocument[] {
  const externalId = query.get('externalId')
  if (!externalId) return [...signature.documents.values()]
  const found = [...clients.keys()].map((client) => signature.byExternalId.get(externalKey(client, externalId)))
  return found.filter((document) => document !== undefined)
}
