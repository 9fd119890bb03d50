/** A small HTTP server with answers that a test scripts beforehand. It records the requests. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/**
 * One answer. If `close` is set, the server closes the connection instead: before it reads the request's body, after it
 * has read the body, or in the middle of the answer.
 */
export interface Scripted {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The body of the answer; objects are sent as JSON. */
  readonly body?: unknown
  readonly close?: 'before' | 'after' | 'middle'
  /** The server never answers. */
  readonly silent?: boolean
  /** The server answers before it reads the request's body. */
  readonly early?: boolean
  /** The server waits for this promise before it answers. */
  readonly hold?: Promise<unknown>
}

type Script = Scripted | ((arrived: Arrived) => Scripted)

export interface TestServer {
  readonly url: string
  readonly port: number
  /** Every request except those for a token. */
  readonly calls: Arrived[]
  readonly tokenCalls: Arrived[]
  /** Open connections. */
  readonly sockets: Set<Socket>
  /** Scripts the answers of the next calls, in this order; the last script is repeated. */
  answer(...scripts: Script[]): void
  answerToken(...scripts: Script[]): void
  close(): Promise<void>
}

export const goodToken: Scripted = { body: { access_token: 'token-1', expires_in: 3600, token_type: 'Bearer' } }

/** The answer to a call for which there is no script: `{"ok":true}`, and for a document also its id. */
function plainAnswer({ method, url = '' }: IncomingMessage): Scripted {
  const [, documentId] = /^\/signature\/documents\/([^/?]+)(?:\?|$)/.exec(url) ?? []
  return { body: { ok: true, ...(method === 'GET' && documentId && { documentId }) } }
}

/**
 * Starts the server on a free port. Without a script, the server answers a request for a token with a token, and every
 * other call with `plainAnswer`.
 */
export async function startServer(tls?: ServerOptions): Promise<TestServer> {
  const calls: Arrived[] = []
  const tokenCalls: Arrived[] = []
  const scripts = { calls: [] as Script[], tokens: [] as Script[] }
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const forToken = (request.url ?? '').includes('/oauth/')
    const queue = forToken ? scripts.tokens : scripts.calls
    const script = (queue.length > 1 ? queue.shift() : queue[0]) ?? (forToken ? goodToken : plainAnswer(request))
    void play(request, response, script, forToken ? tokenCalls : calls)
  }
  const server: Server = tls ? createSecureServer(tls, handle) : createServer(handle)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://localhost:${port}`.replace('localhost', tls ? 'localhost' : '127.0.0.1'),
    port,
    calls,
    tokenCalls,
    sockets,
    answer: (...next) => (scripts.calls = next),
    answerToken: (...next) => (scripts.tokens = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function play(request: IncomingMessage, response: ServerResponse, script: Script, list: Arrived[]) {
  const { method = '', url: path = '', headers } = request
  const eager = typeof script === 'object' && (script.early || script.close === 'before')
  const body = eager ? '' : await read(request)
  const arrived = { method, path, headers, body }
  list.push(arrived)
  const answer = typeof script === 'function' ? script(arrived) : script
  await answer.hold
  if (answer.silent) return
  if (answer.close === 'before' || answer.close === 'after') return void request.socket.destroy()
  const text = answer.body === undefined || typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  const length = answer.close ? { 'Content-Length': String((text?.length ?? 0) + 100) } : {}
  response.writeHead(answer.status ?? 200, { ...answer.headers, ...length })
  if (!answer.close) return void response.end(text)
  response.write(text ?? 'half', () => request.socket.destroy())
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  } catch {
    return Buffer.concat(chunks).toString() // The client closed the connection.
  }
  return Buffer.concat(chunks).toString()
}
