/** One node's share of the service's event queue: fetches, delivers and acknowledges events (`interface.md` 4.9). */
import { delivered } from '../../lib/runtime/node-red/next-turn'
import type { Answer, CallOptions } from '../../lib/api/call/call'
import { EidError, isNotFound } from '../../lib/api/errors/errors'
import type { OperationName } from '../../lib/api/operations/operations'
import { isPathId } from '../../lib/settings/rules'
import { systemClock, type Clock } from '../../lib/store/clock'
import { tooOften } from '../../lib/runtime/node-red/errors'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import { isDeliveredTooOften } from '../../lib/store/store'
import { eventsOf, eventMessage, type ServiceEvent } from './event-messages'
import type { Handouts, PulledEvent } from './leases'
import type { Seen } from './seen'

interface QueueOptions {
  /** The types and tags of the wanted events; an empty list means all. */
  readonly eventTypes: readonly string[]
  readonly tags: readonly string[]
  /** Whether an event counts as handled once it is sent. */
  readonly onDelivery: boolean
  readonly handouts: Handouts
  /** The record of events, which several Node-REDs may share; if absent, deliveries are not counted. */
  readonly seen?: Seen | undefined
  readonly clock?: Clock
  readonly signal: AbortSignal
  ask(operation: OperationName, options?: CallOptions): Promise<Answer>
  emit(msg: FlowMessage): void
  /** Called for every new event, before it is sent. */
  heard?(event: ServiceEvent): void
  /** Called with the number of unusable entries in the queue, the first time there are any. */
  unfit(count: number): void
  /** Called for an event that was delivered too often without completing. */
  failed(error: EidError, msg: FlowMessage): void
}

export interface Queue {
  /** Runs one pull. Returns how many events were sent, and whether more may be waiting. Rejects as the call does. */
  pull(): Promise<{ count: number; more: boolean }>
  /** Marks a returned event as handled. */
  handle(id: string): Promise<void>
}

/** How many events the service delivers at once, and for how many milliseconds it locks them. */
const batchSize = 100
const lockMs = 600_000

export function createQueue(options: QueueOptions): Queue {
  const { eventTypes, tags, onDelivery, seen, signal, ask, emit, heard, failed, clock = systemClock } = options
  const { leases, pulled, unacknowledged, doubtful, unmarkable } = options.handouts

  let isUnfitTold = false
  const isNew = (id: string) => !unacknowledged.has(id) && !unmarkable.has(id)
  const acknowledge = async () => {
    if (unacknowledged.size === 0) return
    const ids = [...unacknowledged].slice(0, batchSize)
    await ask('handleEvents', { body: ids }).catch((error) => oneByOne(error, ids))
    for (const id of ids) unacknowledged.delete(id)
    return acknowledge()
  }
  /**
   * Acknowledges ids one by one, because the service refuses a whole list if it does not know one of its ids. An id
   * that can't be part of an address is sent in a list of its own.
   */
  const oneByOne = async (error: unknown, ids: readonly string[]) => {
    if (!isRefused(error)) throw error
    const refusals: unknown[] = []
    for (const id of ids) {
      await (isPathId(id) ? ask('handleEvent', { id }) : ask('handleEvents', { body: [id] }))
        .catch(unlessGone)
        .catch((refusal: unknown) => {
          if (!isRefused(refusal)) throw refusal
          refusals.push(refusal)
          unmarkable.take(id, Infinity)
        })
      unacknowledged.delete(id)
    }
    if (refusals.length > 0) throw refusals[0]
  }

  /** Pulls events. The call is not aborted when the node is stopped, because the service would keep the events locked. */
  const fetchEvents = async (): Promise<boolean> => {
    const until = clock.now() + lockMs
    const answer = await ask('pullEvents', { query: { eventType: eventTypes, tags } })
    const { events, unfit } = eventsOf(answer)
    if (unfit > 0 && !isUnfitTold) options.unfit(unfit)
    isUnfitTold ||= unfit > 0
    const newEvents = events.filter(({ id }) => isNew(id) && leases.take(id, until))
    for (const event of newEvents) pulled.set(event.id, { event, answer, until })
    return events.length >= batchSize && newEvents.length > 0
  }

  /** Sends an event, unless another Node-RED has completed it. Returns whether the event was sent. */
  const handOut = async ({ event, answer }: PulledEvent): Promise<boolean> => {
    const times = (await seen?.begin(event.id)) ?? 1
    if (signal.aborted) return false
    pulled.delete(event.id)
    heard?.(event)
    const msg = eventMessage(event, answer)
    const over = times !== 'handled' && isDeliveredTooOften(times - 1)
    if (over) failed(tooOften(), msg)
    else if (times !== 'handled') emit(times > 1 ? { ...msg, redelivered: true } : msg)
    if (onDelivery || over || times === 'handled') unacknowledged.add(event.id)
    return !over && times !== 'handled'
  }

  return {
    async pull() {
      await seen?.check()
      await acknowledge()
      const more = await fetchEvents()
      // If the node was stopped, the node that takes its place sends these events.
      if (signal.aborted) return { count: 0, more: false }
      const all = [...pulled.values()]
      // The service delivers an event again after the lock.
      for (const { event, until } of all) if (until <= clock.now()) pulled.delete(event.id)
      const left = await Promise.all(all.map(async (one) => pulled.has(one.event.id) && handOut(one)))
      const handedOut = all.filter((_one, at) => left[at])
      // Events are acknowledged only after they have reached the next node.
      await delivered()
      // If the next node was already stopped, the node that takes the place of this one sends the events again.
      if (signal.aborted) {
        for (const one of handedOut) doubtful.set(one.event.id, one)
        return { count: 0, more: false }
      }
      if (onDelivery && seen) await Promise.all(handedOut.map(({ event }) => seen.end(event.id)))
      await acknowledge()
      return { count: handedOut.length, more }
    },
    async handle(id) {
      // If the event is already marked as handled, by this or another instance, there is nothing to do.
      await ask('handleEvent', { id }).catch(unlessGone)
      await seen?.end(id)
      leases.release(id)
    },
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof EidError && ['EID_NOT_FOUND', 'EID_REFUSED'].includes(error.code)
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error
}
