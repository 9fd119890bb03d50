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

/** Makes the pool. `findProxy` is asked for every address; `tls` holds options of node:tls (ca, cert, key, …). */
export function createAgents(findProxy: (url: URL) => Proxy | undefined, tls: AgentOptions = {}): AgentPool {
  const made = new Map<string, Agents>()
  return {
    choose(url) {
      const proxy = findProxy(url)
      const key = proxy && !isExempt(url, proxy.noProxy) ? proxy.url : ''
      const known = made.get(key)
      if (known) return known
      checkTls(tls)
      const agents = key ? throughProxy(key, tls) : direct(tls)
      made.set(key, agents)
      return agents
    },
    close() {
      for (const { http, https } of made.values()) {
        http.destroy()
        https.destroy()
      }
      made.clear()
    },
  }
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
