/** Reads the events of a pull and turns them into messages (`interface.md` 4.9). */
import type { Answer } from '../../lib/api/call/call'
import { answerError } from '../../lib/api/call/answer-error'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import { resourceIds } from '../../lib/runtime/monitor/resource-ids'

export type ServiceEvent = PlainObject & { readonly id: string }

/**
 * The events of a response, and the number of invalid entries: an entry without an id can't be remembered or
 * acknowledged, and stays in the queue. Throws if it is not a list.
 */
export function eventsOf(answer: Answer): { readonly events: ServiceEvent[]; readonly unfit: number } {
  if (!Array.isArray(answer.data)) throw unreadable(answer)
  const events = (answer.data as unknown[]).filter(
    (one): one is ServiceEvent => isPlainObject(one) && typeof one.id === 'string' && one.id !== '',
  )
  return { events, unfit: answer.data.length - events.length }
}

/** The events may now be locked for a while, because it is unknown what the queue has done. */
function unreadable({ status, requestId }: Answer) {
  return answerError('pullEvents', { status, requestId }, '@answers.malformed')
}

/** One message per event, with the id that the next node looks for. */
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
