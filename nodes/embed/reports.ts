/**
 * Stores the results that our pages report before the browser gets its answer, and verifies them with the service,
 * across restarts.
 */
import { isPlainObject } from '../../lib/common/plain-object'
import type { Clock } from '../../lib/store/clock'
import { delivered } from '../../lib/runtime/node-red/next-turn'
import { tooOften } from '../../lib/runtime/node-red/errors'
import { isDeliveredTooOften, type Claim, type Store } from '../../lib/store/store'
import { startWorker, type Worker } from '../../lib/store/worker'
import type { Verdict } from './confirmation'
import type { WebMessage } from './messages'
import { isPage, type FoundPage, type Pages } from './pages'

/** A final message, with a copy of the page that reported it: that one may be gone when its turn comes. */
export interface Report extends FoundPage {
  readonly message: WebMessage
}

export interface ReportsOptions {
  readonly store: Store
  readonly pages: Pick<Pages, 'isDone' | 'isFirst' | 'finish'>
  readonly clock: Pick<Clock, 'now'>
  /** Asks the service; rejects with an EidError. */
  ask(report: Report, signal: AbortSignal): Promise<Verdict>
  /** Sends the answer of the service; `redelivered` when it may have been in the flow before a crash. */
  tell(report: Report, verdict: Verdict, redelivered: boolean): void
  /** A page is done. */
  finished(): Promise<void>
  /** Called with an error, and the report that ends with it. */
  failed(error: unknown, report?: Report): void
}

export interface Reports {
  /**
   * Keeps it in place of an earlier report of the same end, as that may have changed since; gives what
   * has it asked about. Rejects with an EidError when it cannot be kept.
   */
  keep(report: Report): Promise<() => void>
  /** Begins to ask, about those of an earlier run as well. */
  start(): void
  /** `removed` forgets everything. */
  close(removed: boolean): Promise<void>
}

const parallel = 8
/** Between two questions for one page. */
const pauseMs = 1000
/** When Node-RED is killed between keeping and asking, so much later at the latest. */
const askAfterMs = 10_000
/** Reports that could not be verified for so long. */
const keepMs = 30 * 86_400_000

export function createReports({ store, pages, clock, ask, tell, finished, failed }: ReportsOptions): Reports {
  const pacer = createPagePacer(clock)
  let worker: Worker | undefined
  /** Told here, while the store does not know yet that it is; true for what ends its page. */
  const told = new Map<string, boolean>()

  const work = async (claim: Claim, signal: AbortSignal) => {
    const report = reportIn(claim.body)
    // The one that was stored in its place has not been reported.
    if (claim.deliveryCount === 0) told.delete(claim.id)
    if (!report || (await pages.isDone(report.id))) return conclude(claim)
    if (told.has(claim.id)) return conclude(claim, report)
    const waitMs = pacer.begin(report.id)
    if (waitMs > 0) return void (await store.reschedule(claim, waitMs))
    try {
      await answer(claim, report, signal)
    } finally {
      pacer.end(report.id)
    }
  }
  const answer = async (claim: Claim, report: Report, signal: AbortSignal) => {
    const again = claim.deliveryCount
    const asking = isDeliveredTooOften(again) ? Promise.reject(tooOften()) : ask(report, signal)
    const result = await asking.then(
      (verdict) => ({ verdict }),
      (error: unknown) => ({ error }),
    )
    // The page has reported again since, the flow has ended, or another Node-RED has taken over.
    if (signal.aborted || !(await store.markDelivered(claim)) || signal.aborted) return
    if ('error' in result) {
      failed(result.error, report)
      told.set(claim.id, false)
      return conclude(claim, report)
    }
    const ends = result.verdict.confirmed && report.message.type !== 'sign_error'
    // The first one either finishes the page in a moment, or has died.
    if (ends && again === 0 && !(await pages.isFirst(report.id, report.message.type)))
      return void (await store.reschedule(claim, pauseMs))
    tell(report, result.verdict, again > 0)
    await delivered()
    // It may have met the nodes that follow when they had been stopped: after the deploy it is reported again.
    if (signal.aborted) return
    told.set(claim.id, ends)
    await conclude(claim, report)
  }
  /** Rejects as the stores do, and then is tried again. */
  const conclude = async (claim: Claim, report?: Report) => {
    const ends = told.get(claim.id) ?? false
    if (ends && report) await pages.finish(report, report.message.type)
    await store.complete(claim)
    told.delete(claim.id)
    if (ends) await finished()
  }
  return {
    async keep(report) {
      const id = `${report.id}/${report.message.type}`
      const subject = `page/${id}`
      await store.put(id, { body: report, subject, dueMs: Math.min(askAfterMs, store.leaseMs), keepMs })
      return () => void store.makeDue([subject]).catch(failed)
    },
    start: () => void (worker ??= startWorker({ store, parallel, work, failed })),
    async close(removed) {
      await worker?.stop()
      await store.close(removed)
    },
  }
}

/** One question at a time for each page, and a pause between two. */
function createPagePacer({ now }: Pick<Clock, 'now'>) {
  /** When each may be asked about again. */
  const free = new Map<string, number>()
  const begun = new Map<string, number>()
  return {
    /** 0: it is its turn, until `end`; otherwise the milliseconds after which to try again. */
    begin(page: string): number {
      if (begun.has(page)) return pauseMs
      const waitMs = (free.get(page) ?? 0) - now()
      if (waitMs > 0) return waitMs
      begun.set(page, now())
      return 0
    },
    end(page: string): void {
      for (const [id, at] of free) if (at <= now()) free.delete(id)
      free.set(page, (begun.get(page) ?? now()) + pauseMs)
      begun.delete(page)
    },
  }
}

/** Undefined when what is kept is not a report. */
function reportIn(body: unknown): Report | undefined {
  if (!isPlainObject(body) || typeof body.id !== 'string' || !isPage(body.page)) return undefined
  const { id, page, message } = body
  if (!isPlainObject(message) || typeof message.type !== 'string') return undefined
  const { type, payload, claimed } = message
  const about = {
    claimed: typeof claimed === 'string' ? claimed : undefined,
    ...(payload !== undefined && { payload }),
  }
  return { id, page, message: { kind: page.kind, type, ...about } }
}
