/** Creates a page from a message: what to show, for how long, and whose messages to accept. */
import { inputError, type ProblemKey } from '../../lib/api/errors/errors'
import type { Values } from '../../lib/settings/fields'
import type { ClientSettings } from '../../lib/runtime/node-red/client-node'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import { deserializeMessage, serializeMessage } from '../../lib/runtime/node-red/serialize-message'
import type { ConfirmedSubject } from './confirmation'
import type { fields } from './embed.fields'
import { allOrigins, originOf, originsFor, type PageKind } from './origins'
import type { Page } from './pages'

type EmbedValues = Values<typeof fields>

/**
 * Default lifetimes in minutes: a session's address is useless after ten minutes, and a signer may come back the same
 * day.
 */
const lifetimes: Record<PageKind, number> = { session: 10, document: 24 * 60 }

/** Maximum size of the message stored with a page; `pages.ts` limits all pages together. */
const maxMessageBytes = 8 * 1024 * 1024

interface PageRequest {
  readonly msg: FlowMessage
  readonly values: EmbedValues
  /** Problems already found in the settings. */
  readonly problems: readonly ProblemKey[]
  readonly client: ClientSettings
  readonly baseUrl: string
}

interface NewPage {
  readonly page: Page
  readonly lifetimeMs: number
}

/**
 * Creates the page requested by a message. Throws EID_INVALID_INPUT with every problem, or EID_CONFIG if the client has
 * no origins.
 */
export function pageFor({ msg, values, problems, client, baseUrl }: PageRequest): NewPage {
  const { url, problem } = addressIn(msg, values)
  const kind = kindOf(msg, values, url, client)
  const lifetime = values.lifetime ?? lifetimes[kind]
  const message = serializeMessage(msg)
  const ids = idsOf(values)
  const continueAt = filledIn(values.continueAt, ids)
  const { subject, missing } = subjectOf(kind, values)
  const found = [...problems, ...(problem ? [problem] : []), ...missing, ...problemsOf(message), ...continueAt.problems]
  if (found.length > 0) throw inputError(found)
  const origins = originsFor(client, baseUrl, kind)
  const wrong = originProblem(url, origins, allOrigins(client, baseUrl))
  if (wrong) throw inputError([wrong])
  const language = values.language ?? languageIn(msg, url)
  const further = continueAt.address === '' ? {} : { continueAt: continueAt.address }
  const page = { ...subject, ...further, kind, url, origins, language, message, done: false }
  return { page, lifetimeMs: lifetime * 60_000 }
}

/** Returns the document or session that a page of this kind is about, or the problem that its id is missing. */
export function subjectOf(kind: PageKind, values: EmbedValues): { subject: ConfirmedSubject; missing: ProblemKey[] } {
  const path = `${kind}Id` as const
  const missing = values[path] === undefined ? [{ path, key: 'missing' }] : []
  return { subject: { [path]: values[path] }, missing }
}

type Ids = Readonly<Record<string, string | undefined>>

const idsOf = ({ sessionId, documentId }: EmbedValues): Ids => ({ sessionId, documentId })

/** Returns the address to which the visitor continues, with the ids filled in. */
function filledIn(address = '', ids: Ids): { address: string; problems: ProblemKey[] } {
  const problems: ProblemKey[] = []
  const filled = address.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const id = Object.hasOwn(ids, name) ? ids[name] : undefined
    if (id === undefined) problems.push({ path: 'continueAt', key: 'unknownField', params: { field: name } })
    return id === undefined ? whole : encodeURIComponent(id)
  })
  // An address that is not a web address could run as a script in the page, so it is refused.
  if (filled !== '' && originOf(filled) === undefined) problems.push({ path: 'continueAt', key: 'url' })
  return { address: filled, problems }
}

/** Returns the message that requested the page. Every message of the page is based on it. */
export function openingMessage({ message }: Page): FlowMessage {
  return deserializeMessage(message)
}

/** Returns the link of the signer chosen in the settings, otherwise the link on the message. */
function addressIn(msg: FlowMessage, { signer, url }: EmbedValues): { url: string; problem?: ProblemKey } {
  if (signer === undefined) return url ? { url } : { url: '', problem: { path: 'url', key: 'missing' } }
  const signers = Array.isArray(msg.signers) ? (msg.signers as unknown[]) : []
  const found = getPath(
    signers.find((one) => String(getPath(one, 'externalSignerId')) === signer),
    'url',
  )
  if (typeof found === 'string' && found !== '') return { url: found }
  return { url: '', problem: { path: 'signer', key: 'unknownSigner', params: { signer } } }
}

/**
 * Returns the language that the signer or session was created with, if the response of "create document" or "identify"
 * is still on the message; otherwise an empty text.
 */
function languageIn({ payload }: FlowMessage, url: string): string {
  const own = listAt(payload, 'signers').find((one) => getPath(one, 'url') === url)
  const isWhole = own === undefined && getPath(payload, 'url') === url
  return isWhole ? textAt(payload, 'language') : textAt(own, 'ui.language')
}

function problemsOf(message: object): ProblemKey[] {
  const problems: ProblemKey[] = []
  if (Buffer.byteLength(JSON.stringify(message)) > maxMessageBytes) {
    problems.push({ path: 'msg', key: 'tooLargeForPage', params: { mebibytes: maxMessageBytes / 1024 / 1024 } })
  }
  return problems
}

function originProblem(url: string, origins: readonly string[], all: readonly string[]): ProblemKey | undefined {
  const origin = originOf(url)
  if (origin === undefined) return { path: 'url', key: 'url' }
  if (origins.includes(origin)) return undefined
  return { path: 'url', key: all.includes(origin) ? 'otherOrigin' : 'unknownOrigin', params: { origin } }
}

/**
 * Determines the kind of page from the setting `what`. If the setting leaves the kind open, the origin of the address
 * decides, if this origin belongs to only one kind of page; otherwise, the ids on the message decide.
 */
function kindOf(
  msg: FlowMessage,
  { what, documentId, sessionId }: EmbedValues,
  url: string,
  client: ClientSettings,
): PageKind {
  if (what !== 'auto') return what
  const origin = originOf(url)
  const among = (addresses: readonly string[]) => addresses.some((one) => originOf(one) === origin)
  const signing = among(client.signatureOrigins)
  const identifying = among(client.identificationOrigins)
  if (signing !== identifying) return identifying ? 'session' : 'document'
  if (sessionId === undefined || documentId === undefined) return sessionId === undefined ? 'document' : 'session'
  // If both ids are on the message, the payload is the response of the later call.
  const latest = getPath(msg.payload, 'id') ?? getPath(msg.payload, 'RequestId')
  return latest === sessionId ? 'session' : 'document'
}
