/**
 * Sends each alert once, either immediately or in a digest at a time of day. The store has an item for each alert, with
 * an id derived from the alert's key. Without a digest, the item is due immediately, and its id remains stored after
 * the alert was sent. With a digest, only the digest's own item has a due time; the items of its alerts have none.
 */
import { isPlainObject } from '../../lib/common/plain-object'
import { tooOften } from '../../lib/runtime/node-red/errors'
import { delivered } from '../../lib/runtime/node-red/next-turn'
import type { Clock } from '../../lib/store/clock'
import { createDeliverOnce } from '../../lib/store/deliver-once'
import { listAll } from '../../lib/store/list-all'
import { isDeliveredTooOften, type Claim, type Store } from '../../lib/store/store'
import { startWorker } from '../../lib/store/worker'
import { keepMs, type AlertPayload } from './alert'

export interface OutboxOptions {
  readonly store: Store
  readonly clock: Pick<Clock, 'epochNow'>
  /** When the next digest is due, in milliseconds since 1970; absent: each alert is sent at once. */
  readonly nextDigest?: ((now: number) => number) | undefined
  /** Sends an alert; `redelivered` means that it may have been in the flow before. */
  send(alert: AlertPayload, redelivered: boolean): void
  sendDigest(alerts: readonly AlertPayload[], redelivered: boolean): void
  /** Called with the number of alerts that have been sent and recorded. */
  sent(count: number): void
  failed(error: unknown): void
}

export interface Outbox {
  /** Returns false if the alert was reported before. Rejects if it can't be stored. */
  add(id: string, payload: AlertPayload, onceMs: number): Promise<boolean>
  /**
   * Called every few seconds: moves a stored digest to the time of the current settings, once, and wakes a digest whose
   * time has come. Rejects if the store does.
   */
  look(): Promise<void>
  start(): void
  stop(): Promise<void>
}

/** The subject that all pending digests share, so that they can be woken together. */
const digestSubject = 'alerts-digest'
/** A digest may be sent up to this many milliseconds before it is due. */
const earlyEnoughMs = 1000
const digestName = (due: number) => `d-${due}`
/** The time of the digest with this id; undefined for any other id. */
const dueOf = (id: string) => (id.startsWith('d-') ? Number(id.slice(2)) : undefined)

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, clock, nextDigest, send, sendDigest, failed } = options
  const once = createDeliverOnce(store, delivered)
  let isMoved = false
  /** When the next digest is due, in milliseconds since 1970. */
  let dueAt = Infinity
  let stop = () => Promise.resolve()

  const deliverOne = async (claim: Claim, signal: AbortSignal) => {
    const { payload, onceMs } = bodyOf(claim.body)
    const remain = { body: {}, keepMs: onceMs }
    const isOver = isDeliveredTooOften(claim.deliveryCount)
    if (isOver) failed(tooOften())
    if (isOver || !payload) return void (await store.complete(claim, remain))
    const sendOne = () => send(payload, claim.deliveryCount > 0)
    await once.deliver(claim, signal, sendOne, async (sent) => {
      await store.complete(sent, remain)
      options.sent(1)
    })
  }

  const storeDigest = (due: number, now: number) => {
    dueAt = Math.min(dueAt, due)
    return store.add(digestName(due), { dueMs: due - now, subject: digestSubject })
  }

  const moveDigest = async (now: number) => {
    // If alerts are now sent at once, those already collected are sent at once too.
    const due = nextDigest?.(now) ?? now
    const others = (await listAll(store)).filter(({ id }) => isDigestOfOtherTime(id, now, due))
    for (const { id } of others) {
      await storeDigest(due, now)
      await store.remove(id)
    }
    dueAt = due
  }

  const deliverDigest = async (claim: Claim, due: number, signal: AbortSignal) => {
    const earlyMs = due - clock.epochNow()
    if (earlyMs > earlyEnoughMs) return void (await store.reschedule(claim, earlyMs))
    const open = await openOf(store, due)
    const isOver = isDeliveredTooOften(claim.deliveryCount)
    if (open.length > 0 && isOver) failed(tooOften())
    const complete = async (sent: Claim) => {
      for (const { id, onceMs, ageMs } of open) {
        // `onceMs` counts from when the alert was added, which may be hours before the digest.
        await store.put(id, { body: {}, keepMs: Math.max(1000, onceMs - ageMs) })
      }
      await store.complete(sent)
      if (open.length > 0 && !isOver) options.sent(open.length)
    }
    if (open.length === 0 || isOver) return complete(claim)
    const payloads = open.map(({ payload }) => payload)
    await once.deliver(claim, signal, () => sendDigest(payloads, claim.deliveryCount > 0), complete)
  }

  return {
    async add(id, payload, onceMs) {
      const body = { payload, onceMs }
      if (!nextDigest) return store.add(id, { body, dueMs: 0 })
      const now = clock.epochNow()
      const due = nextDigest(now)
      // The digest is stored before the alert, because an alert without a digest would never be sent.
      await storeDigest(due, now)
      return store.add(id, { body, summary: { digest: due } })
    },
    async look() {
      const now = clock.epochNow()
      if (isMoved && now < dueAt) return
      if (!isMoved) await moveDigest(now)
      // A digest is due at a local time, but the store measures elapsed time, which stops while the machine sleeps and
      // does not change when the clock is set. A digest that is woken too early is rescheduled.
      await store.makeDue([digestSubject])
      if (isMoved) dueAt = Infinity
      isMoved = true
    },
    start() {
      const work = async (claim: Claim, signal: AbortSignal) => {
        if (await once.completeDelivered(claim)) return
        const due = dueOf(claim.id)
        return due === undefined ? deliverOne(claim, signal) : deliverDigest(claim, due, signal)
      }
      stop = startWorker({ store, parallel: 1, work, failed }).stop
    },
    stop: () => stop(),
  }
}

/**
 * Whether a stored digest should move to the wanted time. A digest that fell due while Node-RED was off stays and is
 * sent now.
 */
function isDigestOfOtherTime(id: string, now: number, wanted: number): boolean {
  const due = dueOf(id)
  return due !== undefined && due > now && due !== wanted
}

interface OpenAlert {
  readonly id: string
  readonly payload: AlertPayload
  readonly onceMs: number
  /** Milliseconds since the alert was added. */
  readonly ageMs: number
}

/** The alerts for the digest due at this time and for digests that were moved to it, oldest first. */
async function openOf(store: Store, due: number): Promise<OpenAlert[]> {
  const all = await listAll(store)
  const later = new Set(all.map(({ id }) => dueOf(id)).filter((one) => one !== undefined && one > due))
  const isDue = (digest: number) => digest <= due || (digest > due && !later.has(digest))
  const listed = all.filter(({ summary }) => isPlainObject(summary) && isDue(Number(summary.digest)))
  const items = await Promise.all(listed.map(({ id }) => store.get(id)))
  return items.flatMap((item) => {
    const { payload, onceMs } = bodyOf(item?.body)
    return item && payload ? [{ id: item.id, payload, onceMs, ageMs: item.ageMs }] : []
  })
}

function bodyOf(body: unknown): { payload: AlertPayload | undefined; onceMs: number } {
  const { payload, onceMs } = isPlainObject(body) ? body : {}
  const isAlert = isPlainObject(payload) && typeof payload.kind === 'string' && typeof payload.sentence === 'string'
  return {
    payload: isAlert ? (payload as unknown as AlertPayload) : undefined,
    onceMs: typeof onceMs === 'number' ? onceMs : keepMs,
  }
}
