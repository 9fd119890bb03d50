/** Keep-alive connections, directly or through a proxy, chosen for each address by the rules that Node-RED itself follows. */
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent, type AgentOptions } from 'node:https'
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent'
import type { Agents } from './transport'

/** A proxy as people set it: its address (credentials in it, if any) and the hosts that are reached without it. */
export interface Proxy {
  readonly url: string
  readonly noProxy: readonly string[]
}

export interface AgentPool {
  choose(url: URL): Agents
  /** Closes every connection; what is on its way fails. */
  close(): void
}

/** Makes the pool. `findProxy` is asked for every address; `tls` holds options of node:tls (ca, cert, key, …). */
export function createAgents(findProxy: (url: URL) => Proxy | undefined, tls: AgentOptions = {}): AgentPool {
  const made = new Map<string, Agents & { close(): void }>()
  return {
    choose(url) {
      const proxy = findProxy(url)
      const key = proxy && !isExempt(url, proxy.noProxy) ? proxy.url : ''
      const known = made.get(key)
      if (known) return known
      const agents = key ? throughProxy(key, tls) : direct(tls)
      made.set(key, agents)
      return agents
    },
    close() {
      for (const agents of made.values()) agents.close()
      made.clear()
    },
  }
}

const options = { keepAlive: true, keepAliveMsecs: 1000, scheduling: 'lifo' } as const

function direct(tls: AgentOptions) {
  return closable(new HttpAgent(options), new HttpsAgent({ ...options, ...tls }))
}

function throughProxy(proxy: string, tls: AgentOptions) {
  const http = new HttpProxyAgent({ ...options, proxy })
  return closable(http, new HttpsProxyAgent({ ...options, ...tls, proxy }))
}

function closable(http: HttpAgent, https: HttpsAgent) {
  return {
    http,
    https,
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

/** True when the host (or `host:port`, or a domain it lies in) is listed; `*` stands for every host. */
export function isExempt(url: URL, noProxy: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return noProxy.some((entry) => {
    const [, name = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? []
    if (entry.trim() === '*') return true
    if (name === '' || (only !== undefined && only !== port)) return false
    return url.hostname === name || url.hostname.endsWith(`.${name}`)
  })
}

/** The proxy that the environment names for this address: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`, in either case. */
export function environmentProxy(url: URL, env: Readonly<Record<string, string | undefined>>): Proxy | undefined {
  const read = (name: string) =>
    env[name] ?? env[name.toUpperCase()] ?? env[`npm_config_${name}`] ?? env[`npm_config_${name.toUpperCase()}`]
  const found = read(`${url.protocol.slice(0, -1)}_proxy`) || read('all_proxy')
  if (!found) return undefined
  const address = /^\w+:\/\//.test(found) ? found : `${url.protocol}//${found}`
  return { url: address, noProxy: (read('no_proxy') ?? '').split(/[\s,]+/).filter(Boolean) }
}
