/** Reads the events of a pull and makes the messages of them (`interface.md` 4.9). */
import type { Answer } from '../../lib/api/client'
import { isPlainObject, type PlainObject } from '../../lib/runtime/body'
import type { FlowMessage } from '../../lib/runtime/node-red'

export type ServiceEvent = PlainObject & { readonly id: string }

/** The events of an answer; what has no id can neither be remembered nor acknowledged and stays where it is. Throws when it is no list. */
export function eventsOf(answer: Answer): ServiceEvent[] {
  if (!Array.isArray(answer.data)) throw new TypeError('The queue did not answer with a list.')
  return (answer.data as unknown[]).filter(
    (one): one is ServiceEvent => isPlainObject(one) && typeof one.id === 'string' && one.id !== '',
  )
}

/** One message per event, with the id that the next node looks for. */
export function messageOf(event: ServiceEvent, { status, requestId }: Answer): FlowMessage {
  return {
    payload: event,
    topic: event.type,
    eventId: event.id,
    statusCode: status,
    requestId,
    ...resourceOf(event),
  }
}

const idNames: Readonly<Record<string, string>> = {
  documentid: 'documentId',
  sessionid: 'sessionId',
  shareid: 'shareId',
  depositid: 'depositId',
}

/** The families spell the names of their ids in different cases, and shares call theirs `Id`. */
function resourceOf({ type, payload }: ServiceEvent): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(isPlainObject(payload) ? payload : {})) {
    const small = name.toLowerCase()
    const property = small === 'id' && /^share_/.test(String(type)) ? 'shareId' : idNames[small]
    if (property !== undefined && typeof value === 'string') found[property] = value
  }
  return found
}
