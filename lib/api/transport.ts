/** The axios adapter: one HTTP exchange over node:http, which knows whether the request can have reached the service. */
import { request as httpRequest, type Agent as HttpAgent } from 'node:http'
import { request as httpsRequest, type Agent as HttpsAgent } from 'node:https'
import type { AxiosAdapter, AxiosResponse } from 'axios'
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

/**
 * Makes the adapter. It honours `url`, `method`, `headers`, `data` (string, Buffer or stream), `stop`, `timeout` (milliseconds; for
 * streams the time without any progress) and `responseType` (`stream`, otherwise a Buffer in `data`). It follows no redirect
 * and resolves for every status. It rejects with a TransportFault, or with the EID_CONFIG of the agents.
 */
export function createTransport(chooseAgents: ChooseAgents): AxiosAdapter {
  return (config) =>
    new Promise<AxiosResponse>((resolve, reject) => {
      const url = new URL(String(config.url))
      const secure = url.protocol === 'https:'
      const agents = chooseAgents(url)
      const abandoned = agents.tunnels ? new AbortController() : undefined
      const options = {
        method: config.method?.toUpperCase(),
        headers: config.headers.toJSON() as Record<string, string>,
        agent: secure ? agents.https : agents.http,
        abandoned: abandoned?.signal,
      }
      const request = secure ? httpsRequest(url, options) : httpRequest(url, options)
      new Exchange(request, secure, config, resolve, reject, () => abandoned?.abort()).start()
    })
}
