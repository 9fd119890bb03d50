/** Tunnels through a proxy that end with the call they are made for, also while the proxy has not answered yet. */
import type { ClientRequestArgs } from 'node:http'
import type { HttpProxyAgent, HttpsProxyAgent } from 'hpagent'

/** Option of a request that is aborted when nobody waits for its connection any more. */
export interface TunnelRequest {
  readonly abandoned?: AbortSignal
}

type Connected = (error: Error | null, socket: unknown) => void
/** The agents as they are at run time: the types leave out how they connect. */
interface Connecting {
  proxyRequestOptions: object
  createConnection(options: ClientRequestArgs & TunnelRequest, callback: Connected): unknown
  destroy(): void
}

/** Makes an agent's unfinished tunnels end when their request is abandoned or the agent destroyed; returns the agent. */
export function endTunnelsWith<T extends HttpProxyAgent | HttpsProxyAgent>(agent: T): T {
  const opening = new Set<AbortController>()
  const inner = agent as unknown as Connecting
  const connect = inner.createConnection.bind(agent)
  const destroy = inner.destroy.bind(agent)
  inner.createConnection = (options, callback) => {
    const stop = new AbortController()
    const abandon = () => stop.abort()
    options.abandoned?.addEventListener('abort', abandon, { once: true })
    opening.add(stop)
    inner.proxyRequestOptions = { signal: stop.signal }
    return connect(options, (error, socket) => {
      opening.delete(stop)
      options.abandoned?.removeEventListener('abort', abandon)
      callback(error, socket)
    })
  }
  inner.destroy = () => {
    for (const stop of opening) stop.abort()
    destroy()
  }
  return agent
}
