/** Input and output of a simulated operation: the call as it arrived, the response, and the route between them. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { OperationName } from '../../lib/api/operations/operations'
import type { Client } from '../token/clients'
import type { World } from '../world'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Call {
  readonly method: Method
  /** The path as it arrived, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The client whose token came with the call; undefined on routes that need no token. */
  readonly client: Client | undefined
  /** The raw request; its bytes are unread only on routes with `stream`. */
  readonly request: IncomingMessage
  /** The whole body; empty on routes with `stream`. */
  readonly body: Buffer
  /** A path parameter, decoded; empty if the path has none of that name. */
  param(name: string): string
  /** The body as a JSON object; throws an HttpError with 400 for anything else. An absent body is `{}`. */
  json(): Record<string, unknown>
  /** The body as a form. */
  form(): URLSearchParams
  /** Puts `body` into the list of recorded requests, for calls whose bytes are streamed. */
  note(body: unknown): void
}

/**
 * A response with one of `json`, `html`, `text`, `buffer`, `file`; without any of these, the response has no body.
 * Status 200 by default.
 */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly html?: string
  readonly text?: string
  readonly buffer?: Buffer
  /** Path of a file to stream. */
  readonly file?: string
  /** Content type of `buffer`, `text` and `file`. */
  readonly type?: string
}

export type Handler = (call: Call, world: World) => Answer | Promise<Answer>

export interface Route {
  readonly method: Method
  /** Path with `:name` parameters; a slash at the end makes no difference. */
  readonly path: string
  /** Scope the token must have. */
  readonly scope?: string
  /** The route needs no token. This is for pages, and for the calls of their scripts and forms. */
  readonly open?: true
  /**
   * The route is for the control room and tests only. It needs a JSON body and, if called by a browser, the sandbox's
   * own origin.
   */
  readonly admin?: true
  /** The handler reads the request itself. */
  readonly stream?: true
  readonly handle: Handler
}

/**
 * The routes of all operations; the code does not compile if a route is missing. Each area checks its own routes with
 * `satisfies Partial<Routes>`.
 */
export type Routes = Readonly<Record<OperationName, Route>>
