/** Makes a page of a message: what to frame, for how long, whose messages to believe. */
import { inputError, type ProblemKey } from '../../lib/api/errors'
import type { Values } from '../../lib/fields'
import type { ClientSettings } from '../../lib/runtime/client-node'
import type { FlowMessage, Runtime } from '../../lib/runtime/node-red'
import { getPath } from '../../lib/runtime/read-text'
import type { fields } from './embed.fields'
import { originOf, originsFor, type Kind } from './origins'
import type { Page } from './pages'

type EmbedValues = Values<typeof fields>

/** Minutes: a session's address is of no use after ten; a signer may come back the same day. */
const lifetimes: Record<Kind, number> = { session: 10, document: 24 * 60 }

export interface PageRequest {
  readonly RED: Runtime
  readonly msg: FlowMessage
  readonly values: EmbedValues
  /** What was found wrong with the settings already. */
  readonly problems: readonly ProblemKey[]
  readonly client: ClientSettings
  readonly baseUrl: string
}

/** Throws EID_INVALID_INPUT with every problem. */
export function pageFor({ RED, msg, values, problems, client, baseUrl }: PageRequest): Page {
  const { url = '', language = '' } = values
  const kind = kindOf(msg, values, client)
  const lifetime = values.lifetime ?? lifetimes[kind]
  const origins = originsFor(client, baseUrl, kind, url)
  const found = [...problems, ...problemsOf(url, origins, lifetime)]
  if (found.length > 0) throw inputError(found)
  const id = kind === 'session' ? values.sessionId : values.documentId
  const subject = id === undefined ? {} : kind === 'session' ? { sessionId: id } : { documentId: id }
  const expires = Date.now() + lifetime * 60_000
  return { ...subject, kind, url, origins, language, msg: baseOf(RED, msg), expires, messages: 0, done: false }
}

function problemsOf(url: string, origins: readonly string[], lifetime: number): ProblemKey[] {
  const problems: ProblemKey[] = []
  const origin = originOf(url)
  if (url !== '' && origin === undefined) problems.push({ path: 'url', key: 'url' })
  else if (origin !== undefined && !origins.includes(origin)) {
    problems.push({ path: 'url', key: 'unknownOrigin', params: { origin } })
  }
  if (!(lifetime > 0)) problems.push({ path: 'lifetime', key: 'positive' })
  return problems
}

/** By the setting; else by the origin, when only one of the two is of it; else by what the message is about. */
function kindOf(
  msg: FlowMessage,
  { what, url = '', documentId, sessionId }: EmbedValues,
  client: ClientSettings,
): Kind {
  if (what !== 'auto') return what
  const origin = originOf(url)
  const among = (addresses: readonly string[]) => addresses.some((one) => originOf(one) === origin)
  const [signing, identifying] = [among(client.signatureOrigins), among(client.identificationOrigins)]
  if (signing !== identifying) return identifying ? 'session' : 'document'
  if (sessionId === undefined || documentId === undefined) return sessionId === undefined ? 'document' : 'session'
  // Both are on the message: the later call left its answer in the payload.
  return getPath(msg.payload, 'id') === sessionId ? 'session' : 'document'
}

/** A copy for the messages that the page will bring; the response is for the one that made the page. */
function baseOf(RED: Runtime, msg: FlowMessage): FlowMessage {
  const { req: _req, res: _res, ...rest } = msg
  return RED.util.cloneMessage(rest)
}
