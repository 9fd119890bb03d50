/**
 * A call of the service as callers, retries and attempts see it: the request, its state, and its result.
 */
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
  /** Sent as JSON. */
  readonly body?: unknown
  /** Makes the body and its headers again for every attempt (multipart); takes the place of `body`. */
  readonly makeBody?: () => BodySource | Promise<BodySource>
  readonly signal?: AbortSignal
  /** Milliseconds one attempt may take; for streams, the time without progress. Overrides the client's. */
  readonly timeout?: number
  /** How the answer's body is wanted; `json` by default. */
  readonly as?: 'json' | 'text' | 'buffer' | 'stream'
  /** A background call: at most half of the parallel calls are such calls, so that others keep their turn. */
  readonly background?: boolean
  /** Told before each repetition: its number, and how many there are at most. */
  readonly onRepeat?: (repeat: number, max: number) => void
  /**
   * Checks whether an attempt with an unknown outcome took effect: the answer it had, or undefined when there is no
   * sign of it. Rejects when that is unknown.
   */
  readonly findExisting?: () => Promise<Answer | undefined>
}

export interface BodySource {
  readonly data: string | Buffer | Readable
  readonly headers: Readonly<Record<string, string>>
  /** The data can't be made a second time (a stream that was handed in). */
  readonly oneShot?: boolean
}

export interface Answer {
  readonly status: number
  readonly requestId?: string
  readonly headers: RawAnswer['headers']
  /** The parsed object, text, Buffer or stream, as wanted; undefined when the service answered nothing. */
  readonly data: unknown
}

/** What the attempts of all calls of one client share. */
export interface Connection {
  readonly http: Http
  readonly now: () => number
  /** Rejects with an EidError or the signal's reason. */
  token(signal?: AbortSignal): Promise<string>
  forget(token: string): void
  /** What must not come back in an error, beside the token: how this client identifies itself. */
  readonly secrets: readonly string[]
}

/** The caller, the request and the state of one call, shared by its attempts. */
export interface PendingCall {
  readonly call: Operation
  readonly target: Target
  readonly options: CallOptions
  /** What the answer has to hold; `nothing` for calls that are not in the table. */
  readonly expected: Expectation
  /** Milliseconds one attempt may take. */
  readonly timeout: number
  /** How often it was sent. */
  attempts: number
  /** It no longer waits for a free place. */
  begun: boolean
}

export type AttemptResult = { readonly answer: Answer } | { readonly failed: FailedAttempt }
