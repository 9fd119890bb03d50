/** Decides whether a failed call may be retried, and how long to wait first. */
import type { Repeat } from '../operations/operations'
import { maxTimerMs } from '../../common/limits'
import { offAbort, onAbort } from '../../common/on-abort'
import type { EidError } from '../errors/errors'

/** The facts about a failed attempt that are not in the error itself. */
export interface FailedAttempt {
  readonly error: EidError
  /**
   * True if a retry could give another result. False for refusals, broken sources, stopped flows and wrong
   * certificates.
   */
  readonly transient: boolean
  /** Milliseconds that the service asked the client to wait. */
  readonly retryAfter?: number
}

const firstWaitMs = 500
const maxWaitMs = 30_000
/** If the service asks for a longer wait than this, the call is not retried. */
const maxRetryAfterMs = 120_000

/** True when a call of this kind may be sent again after this failure. */
export function mayRepeat(repeat: Repeat, failed: FailedAttempt): boolean {
  if (!failed.transient || (failed.retryAfter ?? 0) > maxRetryAfterMs) return false
  return repeat !== 'never' || failed.error.cause.outcome === 'not-done'
}

/**
 * Milliseconds to wait before attempt number `next` (2 is the first retry): the time that the service asked for,
 * otherwise half a second, doubled with each retry up to 30 s. Up to half of the doubled time is random, so that many
 * clients don't retry at the same moment.
 */
export function waitBefore(next: number, retryAfter: number | undefined, random: () => number = Math.random): number {
  if (retryAfter !== undefined) return retryAfter
  const full = Math.min(firstWaitMs * 2 ** (next - 2), maxWaitMs)
  return full / 2 + (random() * full) / 2
}

/** Reads a Retry-After header (seconds or a date) into milliseconds; undefined when it is missing or invalid. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (!header) return undefined
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000
  // Date.parse accepts almost any number as a year, so only texts that begin with a weekday, as HTTP dates do, are
  // parsed.
  const date = /^[a-z]{3}/i.test(header) ? Date.parse(header) : NaN
  // A date in the past (this computer's clock may be fast) means that no wait is needed.
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Waits `milliseconds`. Rejects early with the signal's reason if it is aborted. Leaves no timer behind. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      if (signal) offAbort(signal, stop)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        if (signal) offAbort(signal, stop)
        resolve()
      },
      Math.min(milliseconds, maxTimerMs),
    )
    if (signal) onAbort(signal, stop)
  })
}

/** Settles like `promise`, but rejects with the signal's reason as soon as the signal is aborted. */
export function orAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    onAbort(signal, stop)
    void promise.then(resolve, reject).finally(() => offAbort(signal, stop))
  })
}
