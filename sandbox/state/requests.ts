/** The requests received, for tests and the control room: without secrets, limited in number and size. */
import type { IncomingHttpHeaders } from 'node:http'
import { Ring } from './bounded'

/** Maximum bytes kept of a body. */
const MAX_KEPT_BYTES = 64 * 1024
/** Maximum characters kept of the path of a call that was refused before it was read. */
const MAX_PATH_OF_REFUSED = 200

interface Entry {
  /** The number of the request, counted from 1. */
  readonly id: number
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly operation: string
  body: Buffer
  noted: unknown
  /** Id of the object that the call created. */
  made: string
  status: number
}

export interface RecordedRequest {
  /** The number of the request, counted from 1. */
  readonly id: number
  /** ISO 8601, by the sandbox's clock. */
  readonly at: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** JSON if parsed, otherwise text; for streamed calls, what the operation recorded. */
  readonly body: unknown
  /** Name of the operation, `token`, or empty. */
  readonly operation: string
  /** Status of the response; 0 if the response has not been sent yet, or if the connection was closed instead. */
  readonly status: number
}

export class Requests {
  private readonly ring = new Ring<Entry>(1000)
  private count = 0

  add(entry: Omit<Entry, 'id' | 'noted' | 'made' | 'status'>): Entry {
    // A copy, because a slice of a buffer would keep the whole buffer in memory.
    const body = Buffer.from(entry.body.subarray(0, MAX_KEPT_BYTES))
    const added: Entry = { ...entry, id: (this.count += 1), body, noted: undefined, made: '', status: 0 }
    this.ring.push(added)
    return added
  }

  /** Records that a call came and was refused before it was read. */
  addRefused({ path, ...refused }: Pick<Entry, 'at' | 'method' | 'path' | 'operation' | 'status'>): void {
    const nothing = { query: '', headers: {}, body: Buffer.alloc(0), noted: undefined, made: '' }
    this.ring.push({ ...refused, id: (this.count += 1), path: path.slice(0, MAX_PATH_OF_REFUSED), ...nothing })
  }

  /** All recorded requests, oldest first. */
  list(): RecordedRequest[] {
    return this.ring.list().map(show)
  }

  /** The latest requests, oldest first. */
  latest(count: number): RecordedRequest[] {
    return this.ring.list().slice(-count).map(show)
  }

  /** The latest requests that created the object with this id, or have the id in their address; oldest first. */
  about(id: string, count: number): RecordedRequest[] {
    const found = this.ring
      .list()
      .filter(({ made, path, query }) => made === id || path.includes(id) || query.includes(id))
    return found.slice(-count).map(show)
  }

  /** The number of recorded requests. */
  get size(): number {
    return this.ring.list().length
  }

  clear(): void {
    this.ring.clear()
  }
}

function show(entry: Entry): RecordedRequest {
  const { id, at, method, path, operation, status } = entry
  return {
    id,
    at: new Date(at).toISOString(),
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(entry.query)),
    headers: withoutSecrets(entry.headers),
    body: entry.noted ?? readable(entry.body),
    operation,
    status,
  }
}

function withoutSecrets(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { authorization, cookie: _cookie, ...rest } = headers
  return authorization === undefined ? rest : { ...rest, authorization: `${authorization.split(' ')[0] ?? ''} ***` }
}

function readable(body: Buffer): unknown {
  const text = body.toString('utf8')
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return text.replace(/((?:client_secret|password)=)[^&]*/g, '$1***') // Not JSON: a form, or anything else.
  }
}
