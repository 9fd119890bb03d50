/**
 * Stores each result that our pages report, before the browser gets its response. Then verifies the result with the
 * service, if necessary after a restart.
 */
import { isPlainObject } from '../../lib/common/plain-object'
import type { Clock } from '../../lib/store/clock'
import { delivered } from '../../lib/runtime/node-red/next-turn'
import { tooOften } from '../../lib/runtime/node-red/errors'
import { createDeliverOnce } from '../../lib/store/deliver-once'
import { isDeliveredTooOften, type Claim, type Store } from '../../lib/store/store'
import { startWorker, type Worker } from '../../lib/store/worker'
import type { Verdict } from './confirmation'
import type { WebMessage } from './messages'
import { isPage, type FoundPage, type Pages } from './pages'

/** A final message, and a copy of its page, because the page may no longer exist when the message is handled. */
interface Report extends FoundPage {
  readonly message: WebMessage
}

interface ReportsOptions {
  readonly store: Store
  readonly pages: Pick<Pages, 'isDone' | 'isFirst' | 'finish'>
  readonly clock: Pick<Clock, 'now'>
  /** Asks the service; rejects with an EidError. */
  ask(report: Report, signal: AbortSignal): Promise<Verdict>
  /**
   * Sends the service's answer; `redelivered` means that the report may already have been in the flow before a crash.
   */
  tell(report: Report, verdict: Verdict, redelivered: boolean): void
  /** Called when a page is done. */
  finished(): Promise<void>
  /** Called with an error, and with the report that could not be verified because of this error. */
  failed(error: unknown, report?: Report): void
}

export interface Reports {
  /**
   * Stores a report. It replaces an earlier report of the same end that has not been sent, because the result may have
   * changed since.
   * Returns the function that starts asking the service about the report. Rejects with an EidError if the report can't
   * be stored.
   */
  keep(report: Report): Promise<() => void>
  /** Starts asking the service about the stored reports, including those of an earlier run. */
  start(): void
  /** Stops asking. */
  close(): Promise<void>
}

const parallel = 8
/** Milliseconds between two polls for one page. */
const pauseMs = 1000
/**
 * If Node-RED is killed after a report was stored and before the service was asked, the service is asked at most this
 * many milliseconds later.
 */
const askAfterMs = 10_000
/** How long reports that could not be verified are kept. */
const keepMs = 30 * 86_400_000

export function createReports({ store, pages, clock, ask, tell, finished, failed }: ReportsOptions): Reports {
  const pacer = createPagePacer(clock)
  const once = createDeliverOnce(store, delivered)
  let worker: Worker | undefined

  const work = async (claim: Claim, signal: AbortSignal) => {
    const report = reportIn(claim.body)
    if (await once.completeDelivered(claim)) return
    if (!report || (await pages.isDone(report.id))) return void (await store.complete(claim))
    const waitMs = pacer.begin(report.id)
    if (waitMs > 0) return void (await store.reschedule(claim, waitMs))
    try {
      await answer(claim, report, signal)
    } finally {
      pacer.end(report.id)
    }
  }
  const answer = async (claim: Claim, report: Report, signal: AbortSignal) => {
    const asking = isDeliveredTooOften(claim.deliveryCount) ? Promise.reject(tooOften()) : ask(report, signal)
    const result = await asking.then(
      (verdict) => ({ verdict }),
      (error: unknown) => ({ error }),
    )
    if (signal.aborted) return
    if ('error' in result) return void (await once.deliver(claim, signal, () => failed(result.error, report)))
    const { verdict } = result
    const ends = verdict.confirmed && report.message.type !== 'sign_error'
    // Another process may have been the first to report this end. It finishes the page in a moment; if it was killed,
    // the report is sent from here.
    const isRepeated = ends && !(await pages.isFirst(report.id, report.message.type))
    if (isRepeated && claim.ageMs < pauseMs) return void (await store.reschedule(claim, pauseMs))
    await once.deliver(
      claim,
      signal,
      () => tell(report, verdict, isRepeated || claim.deliveryCount > 0),
      async (sent) => {
        if (ends) await pages.finish(report, report.message.type)
        await store.complete(sent)
        if (ends) await finished()
      },
    )
  }
  return {
    async keep(report) {
      const id = `${report.id}/${report.message.type}`
      const subject = `page/${id}`
      // One that may already be in the flow, because Node-RED was killed just then, must keep its mark.
      const isSent = ((await store.get(id))?.deliveryCount ?? 0) > 0
      if (!isSent) await store.put(id, { body: report, subject, dueMs: Math.min(askAfterMs, store.leaseMs), keepMs })
      return () => void store.makeDue([subject]).catch(failed)
    },
    start: () => void (worker ??= startWorker({ store, parallel, work, failed })),
    async close() {
      await worker?.stop()
      await store.close()
    },
  }
}

/** Allows only one request at a time about each page, with a pause between the requests. */
function createPagePacer({ now }: Pick<Clock, 'now'>) {
  /** The time at which the service may be asked about each page again. */
  const free = new Map<string, number>()
  const begun = new Map<string, number>()
  return {
    /**
     * Returns 0 if the request may begin now; the page is then reserved until `end` is called. Otherwise returns the
     * milliseconds to wait.
     */
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

/** Reads a stored report; undefined if the stored value is not a report. */
function reportIn(body: unknown): Report | undefined {
  if (!isPlainObject(body) || typeof body.id !== 'string' || !isPage(body.page)) return undefined
  const { id, page, message } = body
  if (!isPlainObject(message) || typeof message.type !== 'string') return undefined
  const { type, payload, claimed } = message
  return { id, page, message: { kind: page.kind, type, claimed, ...(payload !== undefined && { payload }) } }
}
