/** A web server for tests on a free port, and a function that forwards requests to another server. */
import { createServer, request, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HttpServer {
  readonly url: string
  readonly port: number
  /** Ends every connection. */
  close(): Promise<void>
}

export async function serve(listener: RequestListener): Promise<HttpServer> {
  // With a shorter timeout, a busy process could close an idle connection just as it is used again.
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

/** Forwards the request to `to`; answers 502 if there is no answer. */
export function passOn(incoming: IncomingMessage, response: ServerResponse, to: URL, headers = incoming.headers): void {
  const outgoing = request(to, { method: incoming.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  incoming.pipe(outgoing)
}
