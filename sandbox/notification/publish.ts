/** Turns what happened in the service into events. */
import { randomUUID } from 'node:crypto'
import { ACCOUNT_ID } from '../state/account'
import type { World } from '../world'

/** Puts an event into the queue. */
export function publish(
  world: World,
  type: string,
  payload: Readonly<Record<string, unknown>>,
  tags: readonly string[] = [],
): void {
  const id = randomUUID()
  const envelope = { id, timestamp: world.clock.iso(), accountId: ACCOUNT_ID, type, payload }
  world.notification.events.set(id, { ...envelope, tags: tags.length > 0 ? tags : null })
}
