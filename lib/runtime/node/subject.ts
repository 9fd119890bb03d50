/** What a change that may have been done was about, so that people know where to look. */
import { EidError, withCause } from '../../api/errors/errors'
import { personalIn } from '../../api/call/personal'
import { redact } from '../../api/errors/redact'
import { isPlainObject } from '../../common/plain-object'
import { getPath } from '../values/read-text'
import type { FlowMessage } from '../node-red/node-red'

/** Longer titles tell nothing more. */
const maxLength = 80

/** The same error with title and key in its cause, when its outcome is unknown and it has none yet. */
export function withSubject(error: unknown, body: unknown, msg: FlowMessage): unknown {
  const isKnown = !(error instanceof EidError) || error.cause.outcome !== 'unknown' || error.cause.method === 'GET'
  if (isKnown) return error
  const [request, payload] = [body, msg.payload].map((one) => (isPlainObject(one) ? one : {}))
  const titles = [getPath(request, 'title'), getPath(request, 'information.title'), getPath(payload, 'title')]
  // Names and addresses of people stay out, wherever the title has them from.
  const title = redact(firstText(titles), personalIn(body, payload)).replace(/^@+/, '').slice(0, maxLength)
  const key = firstText([getPath(request, 'externalId'), msg.externalId])
  const externalId = isPersonal(key) ? '' : key
  return withCause(error, { ...(title && { title }), ...(externalId && { externalId }) })
}

function firstText(found: readonly unknown[]): string {
  return (found.find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined) ?? ''
}

/** Some people take an e-mail address or a national id for a key; a leading @ would be taken for the key of a text. */
const isPersonal = (key: string) => /@|%40/.test(key) || /^\d{11}$/.test(key)
