/** The calls for the event queue: pull with locks, handle, peek, clear. */
import { invalid, notFound } from '../server/answers'
import type { Answer, Call } from '../server/call'
import type { World } from '../world'
import type { ServiceEvent } from './state'

const MAX_BATCH = 100

/** How long a pulled event is reserved for the caller, in milliseconds. */
const LOCK_MS = 10 * 60 * 1000

/** `GET /notification/events?eventType=&tags=`: up to 100 events, locked for 10 minutes. */
export function pullEvents(call: Call, world: World): Answer {
  const { locks } = world.notification
  const now = world.clock.now()
  const pulled = select(call, world, ({ id }) => (locks.get(id) ?? 0) <= now)
  for (const { id } of pulled) locks.set(id, now + LOCK_MS)
  return { json: pulled }
}

/** `GET /notification/events/peek`: up to 100 events, locked or not, without locking them. */
export function peekEvents(call: Call, world: World): Answer {
  return { json: select(call, world, () => true) }
}

/** `POST /notification/events/{id}/handle`: removes the event from the queue. */
export function handleEvent(call: Call, world: World): Answer {
  if (!remove(call.param('id'), world)) throw notFound('event')
  return {}
}

/** `POST /notification/events/handle` with an array of ids; ids that are already gone don't matter. */
export function handleEvents(call: Call, world: World): Answer {
  for (const id of readIds(call.body)) remove(id, world)
  return {}
}

/** `POST /notification/events/clear`: empties the queue. */
export function clearEvents(_call: Call, world: World): Answer {
  world.notification.events.clear()
  world.notification.locks.clear()
  return {}
}

function select({ query }: Call, world: World, free: (event: ServiceEvent) => boolean): ServiceEvent[] {
  const types = readList(query, 'eventType')
  const tags = readList(query, 'tags')
  const selected: ServiceEvent[] = []
  for (const event of world.notification.events.values()) {
    if (types.length > 0 && !types.includes(event.type)) continue
    if (tags.length > 0 && !tags.some((tag) => event.tags?.includes(tag))) continue
    if (!free(event)) continue
    selected.push(event)
    if (selected.length === MAX_BATCH) break
  }
  return selected
}

/** The values of a query parameter, which may be given several times or contain several values separated by commas. */
function readList(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter(Boolean)
}

function remove(id: string, { notification }: World): boolean {
  notification.locks.delete(id)
  return notification.events.delete(id)
}

function readIds(body: Buffer): string[] {
  const wrong = invalid([{ field: '', message: 'The request body must be a JSON array of event ids.' }])
  try {
    const ids: unknown = JSON.parse(body.toString('utf8'))
    if (Array.isArray(ids) && ids.every((id) => typeof id === 'string')) return ids
  } catch {
    throw wrong
  }
  throw wrong
}
