/** Names the object of a change whose outcome is unknown, so that people know where to look. */
import { EidError, mayHaveActed, withCause } from '../../api/errors/errors'
import { isPersonalKey } from '../../api/errors/mask-key'
import { isPlainObject } from '../../common/plain-object'
import { getPath } from '../values/read-text'
import type { FlowMessage } from '../node-red/node-red'
import { shownTitle } from './failed-item'

/**
 * Adds the title and the key of the affected object to the cause of an error whose outcome is unknown. Returns any
 * other error unchanged.
 */
export function withSubject(error: unknown, body: unknown, msg: FlowMessage): unknown {
  if (!(error instanceof EidError) || !mayHaveActed(error.cause)) return error
  const [request, payload] = [body, msg.payload].map((one) => (isPlainObject(one) ? one : {}))
  const titles = [getPath(request, 'title'), getPath(request, 'information.title'), getPath(payload, 'title')]
  const title = shownTitle(firstText(titles), body, payload)
  const key = firstText([getPath(request, 'externalId'), msg.externalId])
  const externalId = isPersonalKey(key) ? '' : key
  return withCause(error, { ...(title && { title }), ...(externalId && { externalId }) })
}

function firstText(found: readonly unknown[]): string {
  return (found.find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined) ?? ''
}
