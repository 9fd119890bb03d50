/** Keep-alive connections, directly or through a proxy, chosen for each address by the rules that Node-RED itself follows. */
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent, type AgentOptions } from 'node:https'
import { createSecureContext } from 'node:tls'
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent'
import { configError } from './errors'
import { isExempt, type Proxy } from './proxy'
import type { Agents } from './transport'
import { endTunnelsWith } from './tunnels'

export { environmentProxy, isExempt, type Environment, type Proxy, type ProxyOptions } from './proxy'

export interface AgentPool {
  /** The agents for one address. Throws EID_CONFIG when the proxy's address or the TLS options can't be used. */
  choose(url: URL): Agents
  /** Closes every connection; what is on its way fails. */
  close(): void
}

/** Makes the pool. `findProxy` is asked once for every origin; `tls` holds options of node:tls (ca, cert, key, …). */
export function createAgents(findProxy: (url: URL) => Proxy | undefined, tls: AgentOptions = {}): AgentPool {
  const byProxy = new Map<string, Agents>()
  // Reading the environment for every call would take longer than all the rest of choosing.
  const byOrigin = new Map<string, Agents>()
  const find = (url: URL): Agents => {
    const proxy = findProxy(url)
    const key = proxy && !isExempt(url, proxy.noProxy) ? proxy.url : ''
    return kept(byProxy, key, () => {
      checkTls(tls)
      return key ? throughProxy(key, tls) : direct(tls)
    })
  }
  return {
    choose: (url) => kept(byOrigin, url.origin, () => find(url)),
    close() {
      for (const { http, https } of byProxy.values()) {
        http.destroy()
        https.destroy()
      }
      byProxy.clear()
      byOrigin.clear()
    },
  }
}

function kept(all: Map<string, Agents>, key: string, make: () => Agents): Agents {
  const known = all.get(key)
  if (known) return known
  const made = make()
  all.set(key, made)
  return made
}

const options = { keepAlive: true, keepAliveMsecs: 1000, scheduling: 'lifo' } as const

function direct(tls: AgentOptions): Agents {
  return { http: new HttpAgent(options), https: new HttpsAgent({ ...options, ...tls }) }
}

function throughProxy(proxy: string, tls: AgentOptions): Agents {
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) throw configError('proxy')
  const http = endTunnelsWith(new HttpProxyAgent({ ...options, proxy }))
  const https = endTunnelsWith(new HttpsProxyAgent({ ...options, ...tls, proxy }))
  return { http, https, tunnels: true }
}

function checkTls(tls: AgentOptions): void {
  try {
    createSecureContext(tls)
  } catch {
    throw configError('tls')
  }
}
