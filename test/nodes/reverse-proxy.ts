/** A reverse proxy as it stands in front of Node-RED: one public path, told to Node-RED in headers only. */
import { createServer, request, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReverseProxy {
  readonly url: string
  close(): Promise<void>
}

export interface ReverseProxyOptions {
  /** Passed on: requests below this path, … */
  readonly path: string
  /** … to this address. */
  readonly target: string
  /** Headers that it adds for a path below its own. */
  readonly adds?: ((path: string) => IncomingHttpHeaders) | undefined
}

export async function startReverseProxy({ path, target, adds }: ReverseProxyOptions): Promise<ReverseProxy> {
  const server = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming
    if (!url.startsWith(`${path}/`)) return void response.writeHead(404).end()
    const below = url.slice(path.length)
    const forwarded = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'flows.example.com',
      'x-forwarded-for': '::1',
    }
    const to = new URL(target + below)
    const passed = { ...headers, ...forwarded, ...adds?.(below), host: to.host }
    const outgoing = request(to, { method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => fail(response))
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function fail(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(502)
  response.end()
}
