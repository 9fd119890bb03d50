/**
 * Processes due work from a store: claims the work, passes it to the node, renews the leases, and returns unfinished
 * work at the end.
 */
import { sleep } from '../api/call/retry'
import type { Claim, Store } from './store'

interface WorkerOptions {
  readonly store: Store
  /** The maximum number of claims that are worked on at the same time. */
  readonly parallel: number
  /** True if work counts as delivered as soon as it is claimed. Used for work that goes into the flow unchanged. */
  readonly markedDelivered?: boolean
  /**
   * Works on one claim, and ends it with `complete`, `reschedule` or `returnClaims` of the store. `signal` is aborted
   * when the worker stops, and when the lease is lost. A rejection goes to `failed`, and the claim is retried later.
   */
  work(claim: Claim, signal: AbortSignal): Promise<void>
  /** Called with every rejection, including the store's own errors. */
  failed(error: unknown): void
}

export interface Worker {
  /** Resolves when no claim is being worked on any more and the unfinished claims have been returned. */
  stop(): Promise<void>
}

/** Milliseconds before failed work is retried. */
const retryMs = 2_000

export function startWorker({ store, parallel, markedDelivered = false, work, failed }: WorkerOptions): Worker {
  const stop = new AbortController()
  const running = new Map<Claim, AbortController>()
  /** Work is claimed only when at least this many claims can be added, so that one statement makes several claims. */
  const portion = Math.max(1, Math.floor(parallel / 8))
  let freed = () => {}

  const start = async (claim: Claim) => {
    const own = new AbortController()
    running.set(claim, own)
    const { signal } = own
    if (stop.signal.aborted) own.abort()
    try {
      await work(claim, signal)
      if (signal.aborted) await store.returnClaims([claim])
    } catch (error) {
      failed(error)
      await store.reschedule(claim, retryMs).catch(failed)
    } finally {
      running.delete(claim)
      freed()
    }
  }
  const renew = async () => {
    const claims = [...running.keys()]
    if (claims.length === 0) return
    // Claims that were made together may have the same owner.
    const claimKey = ({ id, owner }: Claim) => `${owner} ${id}`
    const ours = new Set((await store.renew(claims)).map(claimKey))
    for (const claim of claims) if (!ours.has(claimKey(claim))) running.get(claim)?.abort()
  }
  const turn = async () => {
    const free = parallel - running.size
    if (free < portion) return new Promise<void>((resolve) => (freed = resolve))
    const claims = await store.claim(free, { markedDelivered })
    for (const claim of claims) void start(claim).catch(failed)
    if (claims.length === 0) await store.ready(stop.signal)
  }
  const loop = async () => {
    while (!stop.signal.aborted) {
      await turn().catch(async (error: unknown) => {
        failed(error)
        await sleep(retryMs, stop.signal).catch(() => undefined)
      })
    }
  }
  const halt = () => {
    stop.abort()
    for (const own of running.values()) own.abort()
    freed()
  }
  // A node is asked to stop its worker only later in the close, and what the worker sent until then would be lost,
  // because the next nodes have been stopped in the same turn.
  store.closing?.addEventListener('abort', halt)
  if (store.closing?.aborted) halt()
  const timer = setInterval(() => void renew().catch(failed), store.leaseMs / 3)
  const ended = loop()
  return {
    async stop() {
      // A node may start and stop several workers before it closes.
      store.closing?.removeEventListener('abort', halt)
      halt()
      await ended
      while (running.size > 0) await new Promise<void>((resolve) => (freed = resolve))
      clearInterval(timer)
    },
  }
}
