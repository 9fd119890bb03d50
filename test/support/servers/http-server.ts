/** A web server of a test on a free port of this machine, and how it passes a request on to another one. */
import { createServer, request, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HttpServer {
  readonly url: string
  readonly port: number
  /** Ends every connection. */
  close(): Promise<void>
}

export async function serve(listener: RequestListener): Promise<HttpServer> {
  // A busy process would end a connection that was idle for seconds just as it is used again.
  const server = createServer({ keepAliveTimeout: 120_000 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Asks `to` in the caller's place; 502 without an answer from there. */
export function passOn(incoming: IncomingMessage, response: ServerResponse, to: URL, headers = incoming.headers): void {
  const outgoing = request(to, { method: incoming.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  incoming.pipe(outgoing)
}
