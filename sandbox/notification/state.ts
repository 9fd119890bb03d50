/** What the sandbox remembers of events: the queue that clients pull from. */
import { BoundedMap } from '../state/bounded'

/** The envelope of an event, the same in the queue and in a webhook's body. */
export interface ServiceEvent {
  readonly id: string
  readonly timestamp: string
  readonly accountId: string
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly tags: readonly string[] | null
}

export interface NotificationState {
  readonly events: BoundedMap<ServiceEvent>
}

export function createNotificationState(): NotificationState {
  return { events: new BoundedMap(10_000) }
}
