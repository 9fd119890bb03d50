/** A service whose answers a test writes byte by byte: for files that arrive slowly, in parts, or incomplete. */
import type { ServerResponse } from 'node:http'
import { serve, type HttpServer } from './http-server'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly response: ServerResponse
}

export interface StreamServer extends HttpServer {
  /** Every call except those for a token. */
  readonly asked: Asked[]
}

/**
 * Starts the server on a free port. The server answers requests for tokens itself, and passes every other call to
 * `answer`.
 */
export async function startStreamServer(answer: (asked: Asked) => void): Promise<StreamServer> {
  const asked: Asked[] = []
  const server = await serve((request, response) => {
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
  return { ...server, asked }
}

/** Answers with JSON. */
export function json({ response }: Asked, body: unknown): void {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(body))
}
