/** Turns what happened in the service into events for the queue and the webhooks that want them. */
import { randomUUID } from 'node:crypto'
import { ACCOUNT_ID } from '../state/account'
import type { World } from '../world'
import { deliver } from './deliver'
import type { ServiceEvent, Webhook } from './state'

/** Puts an event into the queue and sends it to the webhooks. */
export function publish(
  world: World,
  type: string,
  payload: Readonly<Record<string, unknown>>,
  tags: readonly string[] = [],
): ServiceEvent {
  const event = createEvent(world, type, payload, tags)
  const { events, history, webhooks } = world.notification
  events.set(event.id, event)
  history.push(event)
  for (const webhook of webhooks.values()) if (wants(webhook, event)) deliver(world, webhook, event)
  return event
}

/** Sends a ping to a webhook: an event that is not put into the queue. */
export function ping(world: World, webhook: Webhook): void {
  deliver(world, webhook, createEvent(world, 'ping', { webhookId: webhook.id }, []))
}

function createEvent(world: World, type: string, payload: ServiceEvent['payload'], tags: readonly string[]) {
  const id = randomUUID()
  const envelope = { id, timestamp: world.clock.iso(), accountId: ACCOUNT_ID, type, payload }
  return { ...envelope, tags: tags.length > 0 ? tags : null }
}

function wants({ active, events, tags }: Webhook, event: ServiceEvent): boolean {
  if (!active || !(events.includes('*') || events.includes(event.type))) return false
  return tags.length === 0 || tags.some((tag) => event.tags?.includes(tag))
}
