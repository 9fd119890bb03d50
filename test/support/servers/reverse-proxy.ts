/** A reverse proxy in front of Node-RED with one public path. Node-RED learns the public address only from headers. */
import type { IncomingHttpHeaders } from 'node:http'
import { passOn, serve, type HttpServer } from './http-server'

interface ReverseProxyOptions {
  /** The public path. Requests below this path are forwarded to `target`. */
  readonly path: string
  /** The address to which requests are forwarded. */
  readonly target: string
  /** Returns the headers that the proxy adds to a request; gets the part of the path after the public path. */
  readonly adds?: ((path: string) => IncomingHttpHeaders) | undefined
}

export function startReverseProxy({ path, target, adds }: ReverseProxyOptions): Promise<HttpServer> {
  return serve((incoming, response) => {
    const { url = '', headers } = incoming
    if (!url.startsWith(`${path}/`)) return void response.writeHead(404).end()
    const below = url.slice(path.length)
    const forwarded = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'flows.example.com',
      'x-forwarded-for': '::1',
    }
    const to = new URL(target + below)
    passOn(incoming, response, to, { ...headers, ...forwarded, ...adds?.(below), host: to.host })
  })
}
