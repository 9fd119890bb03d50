/**
 * The activity of each client in the last hour: calls, failures and the last success. No content of calls is recorded.
 */
import type { ApiClient } from '../../api/client'
import type { Answer } from '../../api/call/call'
import { EidError } from '../../api/errors/errors'
import { systemClock } from '../../store/clock'
import { hosted, type HostOwner } from '../node-red/host'

/** The number of minutes that are kept. Calls are counted separately for each minute. */
const minutes = 60
const minuteMs = 60_000

/** The facts about one client; times in milliseconds since 1970. */
export interface ClientMetrics {
  readonly id: string
  readonly name: string
  /** `sandbox` or `live`. */
  readonly environment: string
  /** The service's address; absent until the first call. */
  readonly address?: string
  /** The time until which the current token is used; absent without a token. */
  readonly tokenUntil?: number
  readonly lastSuccess?: number
  readonly lastFailure?: number
  /** The number of calls in the last hour. */
  readonly calls: number
  readonly failures: number
  /**
   * The time since which no call has reached the service; `rejectedSince`: the time since which the service has
   * rejected the credentials.
   */
  readonly unavailableSince?: number | undefined
  readonly rejectedSince?: number | undefined
  /** While there is such a problem: the time of the latest call that showed it. */
  readonly lastUnavailable?: number | undefined
  readonly lastRejected?: number | undefined
}

/** The record of one client node. */
interface MetricsRecorder {
  /** Returns the same client with its calls counted; callers notice no difference. */
  instrument(api: ApiClient): ApiClient
  /** Called when the node is closed. Its figures are dropped only if the node was `removed`. */
  close(removed: boolean): void
}

type About = Pick<ClientMetrics, 'id' | 'name' | 'environment'>

interface Minute {
  readonly number: number
  calls: number
  failures: number
}

interface Metrics {
  about: About
  api: ApiClient | undefined
  open: boolean
  readonly recent: Minute[]
  lastSuccess?: number
  lastFailure?: number
  unavailable?: Problem | undefined
  rejected?: Problem | undefined
}

/** When calls have first and last shown a problem that is not over. */
interface Problem {
  readonly since: number
  readonly last: number
}

/** Keyed by the client's id, so that the figures continue when a deploy creates the client's node again. */
const createMetricsById = () => new Map<string, Metrics>()

/** Starts the record of a client, or continues its earlier record. */
export function openMetrics(RED: HostOwner, about: About): MetricsRecorder {
  const metricsById = hosted(RED, createMetricsById)
  const metrics = metricsById.get(about.id) ?? { about, api: undefined, open: true, recent: [] }
  Object.assign(metrics, { about, open: true, api: undefined })
  metricsById.set(about.id, metrics)
  return {
    instrument(api) {
      metrics.api = api
      const counted = (call: Promise<Answer>, signal?: AbortSignal) => {
        call.then(
          () => count(metrics, true),
          // A call that was stopped with its flow does not show whether the service is available.
          (error: unknown) => signal?.aborted || count(metrics, false, error),
        )
        return call
      }
      return {
        baseUrl: api.baseUrl,
        axios: api.axios,
        send: (operation, options) => counted(api.send(operation, options), options?.signal),
        request: (call, options, expected) => counted(api.request(call, options, expected), options?.signal),
        testToken: (signal) => api.testToken(signal),
        tokenUntil: () => api.tokenUntil(),
        close: () => api.close(),
      }
    },
    close(removed) {
      Object.assign(metrics, { open: false, api: undefined })
      if (removed) metricsById.delete(about.id)
    },
  }
}

/** The deployed clients, in the order in which they first appeared. */
export function listMetrics(RED: HostOwner): ClientMetrics[] {
  return [...hosted(RED, createMetricsById).values()].filter(({ open }) => open).map(summaryOf)
}

function count(metrics: Metrics, succeeded: boolean, error?: unknown): void {
  const minute = minuteOf(metrics)
  const now = systemClock.epochNow()
  minute.calls++
  if (!succeeded) minute.failures++
  metrics[succeeded ? 'lastSuccess' : 'lastFailure'] = now
  const state = succeeded ? 'available' : stateAfter(error)
  if (state === 'unavailable') metrics.unavailable = { since: metrics.unavailable?.since ?? now, last: now }
  else if (state !== undefined) metrics.unavailable = undefined
  if (state === 'rejected') metrics.rejected = { since: metrics.rejected?.since ?? now, last: now }
  else if (state === 'available') metrics.rejected = undefined
}

/** Decides what a failed call shows about the service; undefined if it shows nothing. */
function stateAfter(error: unknown): 'available' | 'rejected' | 'unavailable' | undefined {
  if (!(error instanceof EidError) || error.cause.attempts === 0) return codesBefore(error)
  if (rejections.has(error.code)) return 'rejected'
  const { status } = error.cause
  // An unusable response with a 2xx or 5xx status, such as a gateway's page, does not show that the service is
  // available.
  if (status !== undefined && status >= 400 && status < 500) return 'available'
  return outages.has(error.code) ? 'unavailable' : undefined
}

/**
 * Decides by the error's code what a call that was not sent shows about the service. Before the call, the token is
 * requested, and this request may have failed.
 */
function codesBefore(error: unknown): 'rejected' | 'unavailable' | undefined {
  if (!(error instanceof EidError)) return undefined
  if (rejections.has(error.code)) return 'rejected'
  return outages.has(error.code) ? 'unavailable' : undefined
}

const rejections: ReadonlySet<string> = new Set(['EID_CREDENTIALS', 'EID_INVALID_SCOPE', 'EID_UNAUTHORIZED'])
const outages: ReadonlySet<string> = new Set(['EID_NETWORK', 'EID_TIMEOUT', 'EID_SERVICE'])

/** The record of the current minute, by the monotonic clock. */
function minuteOf({ recent }: Metrics): Minute {
  const number = Math.floor(systemClock.now() / minuteMs)
  const latest = recent.at(-1)
  if (latest?.number === number) return latest
  const fresh = { number, calls: 0, failures: 0 }
  recent.push(fresh)
  if (recent.length > minutes) recent.shift()
  return fresh
}

function summaryOf({ about, api, recent, lastSuccess, lastFailure, unavailable, rejected }: Metrics): ClientMetrics {
  const first = Math.floor(systemClock.now() / minuteMs) - minutes
  const hour = recent.filter(({ number }) => number > first)
  const sum = (name: 'calls' | 'failures') => hour.reduce((total, minute) => total + minute[name], 0)
  return {
    ...about,
    ...(api && { address: api.baseUrl }),
    tokenUntil: api?.tokenUntil(),
    lastSuccess,
    lastFailure,
    unavailableSince: unavailable?.since,
    rejectedSince: rejected?.since,
    lastUnavailable: unavailable?.last,
    lastRejected: rejected?.last,
    calls: sum('calls'),
    failures: sum('failures'),
  }
}
