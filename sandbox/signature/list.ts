/** Lists documents as summaries, filtered and in pages. */
import type { Answer, Call } from '../server/call'
import { invalid } from '../server/answers'
import type { World } from '../world'
import { summaryRecord } from './record'
import { externalKey, type SignatureDocument } from './state'

const LARGEST_PAGE = 100

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

/** `GET /signature/documents/summary`: oldest first; `limit` is 100 unless given, and at most. */
export function listDocuments(call: Call, world: World): Answer {
  checkDates(call)
  const offset = numberOf(call, 'offset', 0, Infinity, 0)
  const limit = numberOf(call, 'limit', 1, LARGEST_PAGE, LARGEST_PAGE)
  const found = findDocuments(call, world)
  const data = found.slice(offset, offset + limit).map(summaryRecord)
  const link = (start: number) => linkTo(call, world, start, limit)
  const links = {
    first: link(0),
    previous: offset > 0 ? link(Math.max(0, offset - limit)) : '',
    next: offset + limit < found.length ? link(offset + limit) : '',
    last: link(Math.max(0, Math.ceil(found.length / limit) - 1) * limit),
  }
  return { json: { offset, limit, size: found.length, links, data } }
}

function findDocuments(call: Call, world: World): SignatureDocument[] {
  const wanted = Object.entries(filters).flatMap(([name, filter]) =>
    call.query.getAll(name).map((value) => (document: SignatureDocument) => value === '' || filter(document, value)),
  )
  return candidates(call, world).filter((document) => wanted.every((fits) => fits(document)))
}

/** All documents, or without a search those with the external id asked for. */
function candidates({ query }: Call, { signature, clients }: World): SignatureDocument[] {
  const externalId = query.get('externalId')
  if (!externalId) return [...signature.documents.values()]
  const found = [...clients.keys()].map((client) => signature.byExternalId.get(externalKey(client, externalId)))
  return found.filter((document) => document !== undefined)
}

function numberOf({ query }: Call, name: string, least: number, most: number, initial: number): number {
  const requested = query.get(name)
  if (!requested) return initial
  const value = Number(requested)
  if (!Number.isInteger(value) || value < least) throw invalid([{ field: name, message: `${name} is not valid.` }])
  return Math.min(value, most)
}

function checkDates({ query }: Call): void {
  const dates = ['fromDate', 'toDate', 'lastUpdated', 'signedDate']
  const wrong = dates.filter((name) => query.get(name) && Number.isNaN(Date.parse(query.get(name) ?? '')))
  if (wrong.length > 0) throw invalid(wrong.map((field) => ({ field, message: `${field} is not a date.` })))
}

function linkTo(call: Call, world: World, offset: number, limit: number): string {
  const query = new URLSearchParams(call.query)
  query.set('offset', String(offset))
  query.set('limit', String(limit))
  return `${world.url}${call.path}?${query.toString()}`
}
