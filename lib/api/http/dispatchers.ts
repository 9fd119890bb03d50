/** undici's pooled connections, direct or through a proxy, chosen for each address by Node-RED's own rules. */
import { createSecureContext, type ConnectionOptions } from 'node:tls'
import { buildConnector, Pool, ProxyAgent, type Dispatcher } from 'undici'
import { configError } from '../errors/errors'
import { TransportFault } from '../errors/fault'
import { withoutContinue } from './interim'
import { isExempt, type FindProxy } from './proxy'

interface DispatcherOptions {
  /** Called once for every origin. */
  readonly findProxy: FindProxy
  /** Options for node:tls: ca, cert, key, … */
  readonly tls: ConnectionOptions
  /** Maximum number of connections to one origin; further requests wait until a connection is free. */
  readonly maxConnections: number
}

export interface Dispatchers {
  /**
   * The dispatcher for requests to this origin. Throws EID_CONFIG if the proxy's address or the TLS options can't be
   * used. Throws a TransportFault after `close`.
   */
  of(origin: string): Dispatcher
  /** Closes every connection: calls in flight fail, and nothing more is sent. Resolves when all are closed. */
  close(): Promise<void>
}

/** Time limit for opening a connection in milliseconds. The time limit of a call is usually shorter. */
const connectTimeoutMs = 60_000

/** Creates the dispatchers of one client; each connection is opened when first needed. */
export function createDispatchers(options: DispatcherOptions): Dispatchers {
  const byOrigin = new Map<string, Dispatcher>()
  const byProxy = new Map<string, Dispatcher>()
  let closed = false
  const create = (origin: string): Dispatcher => {
    const url = new URL(origin)
    const proxy = options.findProxy(url)
    if (!proxy || isExempt(url, proxy.noProxy)) return createPool(origin, options)
    return getOrCreate(byProxy, proxy.url, () => createProxyAgent(proxy.url, options))
  }
  return {
    of(origin) {
      if (closed) throw new TransportFault('aborted', 'connecting', 'STOPPED')
      return getOrCreate(byOrigin, origin, () => create(origin))
    },
    async close() {
      closed = true
      await Promise.all([...new Set([...byOrigin.values(), ...byProxy.values()])].map((one) => one.destroy()))
    },
  }
}

function getOrCreate(all: Map<string, Dispatcher>, key: string, create: () => Dispatcher): Dispatcher {
  const known = all.get(key)
  if (known) return known
  const created = create()
  all.set(key, created)
  return created
}

/**
 * undici's own limits are off, because they would end an upload that is slow but alive. The call has its own time
 * limits.
 */
const ownLimits = { headersTimeout: 0, bodyTimeout: 0 }

function createPool(origin: string, { tls, maxConnections }: DispatcherOptions): Dispatcher {
  checkTls(tls)
  return new Pool(origin, {
    ...ownLimits,
    connections: maxConnections,
    connect: withoutContinue(buildConnector({ ...tls, timeout: connectTimeoutMs })),
  })
}

/**
 * Creates an agent that reaches every address, even an http address, through a tunnel. A request that the proxy refuses
 * has then certainly not reached the service.
 */
function createProxyAgent(address: string, { tls, maxConnections }: DispatcherOptions): Dispatcher {
  checkTls(tls)
  const { uri, token } = readProxy(address)
  return new ProxyAgent({
    ...ownLimits,
    uri,
    ...(token && { token }),
    connections: maxConnections,
    proxyTls: { timeout: connectTimeoutMs },
    requestTls: { ...tls, timeout: connectTimeoutMs },
    factory: (origin, options: Pool.Options) =>
      new Pool(origin, { ...options, connect: withoutContinue(options.connect as buildConnector.connector) }),
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: connectTimeoutMs }),
  })
}

function readProxy(address: string): { uri: string; token?: string } {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw configError('proxy')
  const { origin, username, password } = new URL(address)
  if (!username && !password) return { uri: origin }
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return { uri: origin, token: `Basic ${Buffer.from(credentials).toString('base64')}` }
  } catch {
    throw configError('proxy')
  }
}

function checkTls(tls: ConnectionOptions): void {
  try {
    createSecureContext(tls)
  } catch {
    throw configError('tls')
  }
}
