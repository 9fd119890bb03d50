/**
 * A service whose test writes every byte of every answer: for files that come slowly, in halves, or not to their end.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly response: ServerResponse
}

export interface StreamServer {
  readonly url: string
  /** Every call but those for a token. */
  readonly asked: Asked[]
  close(): Promise<void>
}

/** Starts it on a free port. It gives tokens by itself, and hands every other call to `answer`. */
export async function startStreamServer(answer: (asked: Asked) => void): Promise<StreamServer> {
  const asked: Asked[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume()
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.startsWith('/oauth/')) {
      response.setHeader('Content-Type', 'application/json')
      return void response.end('{"access_token":"token-1","expires_in":3600,"token_type":"Bearer"}')
    }
    const call = { method: request.method ?? '', path: pathname, query: searchParams, response }
    asked.push(call)
    answer(call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with JSON. */
export function json({ response }: Asked, body: unknown): void {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(body))
}
