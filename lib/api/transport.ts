/** The axios adapter: one HTTP exchange over node:http, which knows whether the request can have reached the service. */
import { request as httpRequest, type Agent as HttpAgent } from 'node:http'
import { request as httpsRequest, type Agent as HttpsAgent } from 'node:https'
import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios'
import { Exchange } from './exchange'

export { TransportFault, type FaultKind, type Phase } from './fault'

export interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
  /** Connections are tunnels of endTunnelsWith: they want to know when nobody waits for them any more. */
  readonly tunnels?: boolean
}

/** Chooses the agents for one address (a proxy may apply to some hosts only). */
export type ChooseAgents = (url: URL) => Agents

/** Where the requests to one origin go: node:http takes much longer with a URL object than with its parts. */
interface Place {
  readonly url: URL
  readonly secure: boolean
  readonly hostname: string
  readonly port: number | undefined
}

/**
 * Makes the adapter. It honours `url`, `method`, `headers`, `data` (string, Buffer or stream), `stop`, `timeout` (milliseconds; for
 * streams the time without any progress) and `responseType` (`stream`, otherwise a Buffer in `data`). It follows no redirect
 * and resolves for every status. It rejects with a TransportFault, or with the EID_CONFIG of the agents.
 */
export function createTransport(chooseAgents: ChooseAgents): AxiosAdapter {
  const places = new Map<string, Place>()
  return (config) =>
    new Promise<AxiosResponse>((resolve, reject) => {
      const { origin, path } = split(String(config.url))
      const place = places.get(origin) ?? placeOf(origin)
      places.set(origin, place)
      const { secure, hostname, port } = place
      const agents = chooseAgents(place.url)
      const abandoned = agents.tunnels ? new AbortController() : undefined
      const options = {
        method: config.method?.toUpperCase(),
        hostname,
        port,
        path,
        headers: wireHeaders(place, config),
        agent: secure ? agents.https : agents.http,
        abandoned: abandoned?.signal,
      }
      const request = secure ? httpsRequest(options) : httpRequest(options)
      new Exchange(request, secure, config, resolve, reject, () => abandoned?.abort()).start()
    })
}

/** The two halves of an absolute address; a path alone is at least `/`. */
function split(url: string): { origin: string; path: string } {
  const [origin = ''] = /^https?:\/\/[^/?#]+/.exec(url) ?? []
  const path = url.slice(origin.length)
  return { origin, path: path.startsWith('/') ? path : `/${path}` }
}

function placeOf(origin: string): Place {
  const url = new URL(origin)
  // An IPv6 address stands in brackets in an address, and without them for a socket.
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  return { url, secure: url.protocol === 'https:', hostname, port: url.port ? Number(url.port) : undefined }
}

/** Names and values in turn: node:http writes such a list as it is, without a copy of its own. */
function wireHeaders({ url }: Place, { headers, data, method }: InternalAxiosRequestConfig): string[] {
  const list = ['Host', url.host]
  for (const [name, value] of Object.entries(headers)) list.push(name, String(value))
  const length = 'Content-Length' in headers ? undefined : lengthOf(data, method)
  if (length !== undefined) list.push('Content-Length', String(length))
  return list
}

/** Bytes of a body; none at all has to be told of only where one is expected. */
function lengthOf(data: unknown, method = ''): number | undefined {
  if (typeof data === 'string' || Buffer.isBuffer(data)) return Buffer.byteLength(data)
  return data === undefined && /^(post|put|patch)$/i.test(method) ? 0 : undefined
}
