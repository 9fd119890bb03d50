/** Takes events from the service's queue, one question at a time, and marks them handled (`interface.md` 4.9). */
import type { ApiClient } from '../../lib/api/client'
import { sleep } from '../../lib/api/retry'
import { isPlainObject } from '../../lib/runtime/body'
import { at } from '../../lib/runtime/words'

export interface QueueOptions {
  /** The client, found anew for every question. Throws or rejects with an EidError. */
  connect(): Promise<Pick<ApiClient, 'send'>>
  /** Milliseconds between two questions. */
  readonly interval: number
  readonly query: { readonly eventType: readonly string[] | undefined; readonly tags: readonly string[] | undefined }
  /** Marks events handled as soon as they were handed over. */
  readonly onDelivery: boolean
  /** Hands one event over. */
  deliver(event: unknown, id: string | undefined): void
  /** A question, or a mark, did not work. */
  failed(error: unknown): void
  /** A question was answered: so many events had come since the start. */
  pulled(count: number): void
}

/** The service gives at the most this many at once: then there may be more. */
const batch = 100
const longestPause = 300_000

/** How many marks that could not be set are remembered. */
const remembered = 10_000

/** Milliseconds before the first question: the nodes behind this one, and those that catch errors, have to be there. */
const settle = 100

/** Asks until `signal` is aborted; resolves then. Never rejects. */
export async function follow(options: QueueOptions, signal: AbortSignal): Promise<void> {
  /** Handed over, and not yet marked: when the queue gives them again they are only marked. */
  const unmarked = new Set<string>()
  let [failures, count] = [0, 0]
  await sleep(settle, signal).catch(() => undefined)
  while (!signal.aborted) {
    let full = false
    try {
      const events = await pull(options, signal)
      if (signal.aborted) return
      count += deliverAll(events, options, unmarked)
      // The messages are delivered in the next turn; only then is the service told.
      await new Promise((resolve) => setImmediate(resolve))
      await mark(options, events.map(idOf), unmarked, signal)
      options.pulled(count)
      failures = 0
      full = events.length >= batch
    } catch (error) {
      if (signal.aborted) return
      options.failed(error)
      failures++
    }
    const wait = Math.min(options.interval * 2 ** failures, Math.max(options.interval, longestPause))
    await sleep(full ? 0 : wait, signal).catch(() => undefined)
  }
}

async function pull({ connect, query }: QueueOptions, signal: AbortSignal): Promise<unknown[]> {
  const client = await connect()
  const { data } = await client.send('pullEvents', { query, signal })
  const list = Array.isArray(data) ? data : at(data, 'data')
  if (Array.isArray(list)) return list as unknown[]
  if (data === undefined || data === null || data === '') return []
  throw new TypeError('the answer is not a list of events')
}

/** Hands over what is new; gives how many that were. */
function deliverAll(events: readonly unknown[], { deliver, onDelivery }: QueueOptions, unmarked: Set<string>): number {
  const fresh = events.filter((event) => !unmarked.has(idOf(event) ?? ''))
  for (const event of fresh) {
    const id = idOf(event)
    if (onDelivery && id !== undefined) unmarked.add(id)
    deliver(event, id)
  }
  for (const id of [...unmarked].slice(0, Math.max(0, unmarked.size - remembered))) unmarked.delete(id)
  return fresh.length
}

async function mark(
  { connect, onDelivery }: QueueOptions,
  pulled: readonly (string | undefined)[],
  unmarked: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const ids = pulled.filter((id) => id !== undefined && unmarked.has(id))
  if (!onDelivery || ids.length === 0) return
  const client = await connect()
  await client.send('handleEvents', { body: ids, signal })
  for (const id of ids) if (id !== undefined) unmarked.delete(id)
}

/** An event's id, when it has one. */
function idOf(event: unknown): string | undefined {
  return isPlainObject(event) && typeof event.id === 'string' ? event.id : undefined
}
