/** The types of a call: its request, its state and its result. */
import type { Readable } from 'node:stream'
import type { Http } from '../http/http'
import type { Expectation } from '../operations/expectations'
import type { RawAnswer } from './failures'
import type { Operation } from '../operations/operations'
import type { Query, Target } from '../operations/paths'
import type { FailedAttempt } from './retry'

export interface CallOptions {
  /** Shorthand for `params: {id}`. */
  readonly id?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Query
  /** The body, sent as JSON. */
  readonly body?: unknown
  /** Builds the body and its headers again for every attempt (multipart); replaces `body`. */
  readonly makeBody?: () => BodySource | Promise<BodySource>
  readonly signal?: AbortSignal
  /**
   * Milliseconds that one attempt may take; for streams, the longest time without progress. Overrides the client's
   * limit.
   */
  readonly timeout?: number
  /** The form in which to return the response's body; `json` by default. */
  readonly as?: 'json' | 'text' | 'buffer' | 'stream'
  /**
   * Marks a background call. At most half of the calls in flight are background calls, so that they don't delay others.
   */
  readonly background?: boolean
  /** Called before each retry with the number of that retry and the maximum number of retries. */
  readonly onRepeat?: (repeat: number, max: number) => void
  /**
   * Checks whether an attempt with an unknown outcome took effect. Returns the response that this attempt would have
   * had, or undefined if the service shows no sign of the attempt. Rejects if the check fails.
   */
  readonly findExisting?: () => Promise<Answer | undefined>
}

export interface BodySource {
  readonly data: string | Buffer | Readable
  readonly headers: Readonly<Record<string, string>>
  /** True if the data can't be produced a second time, as with a stream from the caller. */
  readonly oneShot?: boolean
}

export interface Answer {
  readonly status: number
  readonly requestId?: string
  readonly headers: RawAnswer['headers']
  /** The parsed object, text, Buffer or stream, as requested; undefined if the response was empty. */
  readonly data: unknown
}

/** The state shared by the attempts of all calls of one client. */
export interface Connection {
  readonly http: Http
  readonly now: () => number
  /** Rejects with an EidError or the signal's reason. */
  token(signal?: AbortSignal): Promise<string>
  forget(token: string): void
  /** Secrets that, besides the token, must not appear in an error: the client's credentials. */
  readonly secrets: readonly string[]
}

/** The operation, the request and the state of one call, shared by its attempts. */
export interface PendingCall {
  readonly call: Operation
  readonly target: Target
  readonly options: CallOptions
  /** The content that the response must have; `nothing` for calls that are not in the table. */
  readonly expected: Expectation
  /** Milliseconds one attempt may take. */
  readonly timeout: number
  /** The number of attempts sent so far. */
  attempts: number
  /** True once the call has left the queue. */
  begun: boolean
}

export type AttemptResult = { readonly answer: Answer } | { readonly failed: FailedAttempt }
