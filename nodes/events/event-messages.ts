/** Reads the events of a pull and turns them into messages (`interface.md` 4.9). */
import type { Answer } from '../../lib/api/call/call'
import { answerError } from '../../lib/api/call/answer-error'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import { resourceIds } from '../../lib/runtime/monitor/resource-ids'

export type ServiceEvent = PlainObject & { readonly id: string }

/**
 * Returns the events of a response and, in `unfit`, the number of invalid entries. An entry without an id can't be
 * remembered or acknowledged, so it stays in the queue. Throws if the response is not a list.
 */
export function eventsOf(answer: Answer): { readonly events: ServiceEvent[]; readonly unfit: number } {
  if (!Array.isArray(answer.data)) throw unreadable(answer)
  const events = (answer.data as unknown[]).filter(
    (one): one is ServiceEvent => isPlainObject(one) && typeof one.id === 'string' && one.id !== '',
  )
  return { events, unfit: answer.data.length - events.length }
}

/**
 * The error for a response that can't be read. It is unknown what the queue has done, so its events may be locked for a
 * while.
 */
function unreadable({ status, requestId }: Answer) {
  return answerError('pullEvents', { status, requestId }, '@answers.malformed')
}

/**
 * Returns the message for an event. It contains the ids in the event, such as `documentId`, under the names that other
 * nodes expect.
 */
export function eventMessage(event: ServiceEvent, { status, requestId }: Answer): FlowMessage {
  return {
    payload: event,
    topic: event.type,
    eventId: event.id,
    statusCode: status,
    requestId,
    ...resourceIds(event.type, event.payload),
  }
}
