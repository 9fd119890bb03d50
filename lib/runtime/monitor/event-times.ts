/**
 * When the service's events say that something happened. Kept in memory only: the same event wakes the waits for the
 * object, and these look here at once.
 */
import { hosted, type HostOwner } from '../node-red/host'

/** The maximum number of events kept; the oldest are dropped first. */
const maxEvents = 20_000
const createTimes = () => new Map<string, number>()

const eventKey = (type: string, id: string) => `${type} ${id}`

/** Notes an event about the object with this id. `timestamp` is the event's own time. */
export function noteEvent(RED: HostOwner, type: string, id: string, timestamp: unknown): void {
  const times = hosted(RED, createTimes)
  const at = Date.parse(String(timestamp))
  times.set(eventKey(type, id), Number.isNaN(at) ? Date.now() : at)
  const [oldest] = times.keys()
  if (times.size > maxEvents && oldest !== undefined) times.delete(oldest)
}

/** In milliseconds since 1970; undefined without such an event. */
export function eventTime(RED: HostOwner, type: string, id: string): number | undefined {
  return hosted(RED, createTimes).get(eventKey(type, id))
}
