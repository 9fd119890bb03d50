/**
 * Decides through which proxy an address is reached. The rules are those of Node-RED's own nodes, so that the same
 * environment gives the same result.
 */

/** A proxy as configured: its address (with credentials, if any) and the hosts that bypass it. */
export interface Proxy {
  readonly url: string
  readonly noProxy: readonly string[]
}

/** Returns the proxy for an address, or undefined. The caller still has to check the proxy's `noProxy`. */
export type FindProxy = (url: URL) => Proxy | undefined

/** `proxyOptions` of Node-RED's settings file. */
export interface ProxyOptions {
  /**
   * `strict` by default; with `legacy`, only the variables `http_proxy` and `no_proxy` count. The variable
   * `NR_PROXY_MODE` overrides this option.
   */
  readonly mode?: string
  /** True if upper-case names take precedence over lower-case names. */
  readonly favourUpperCase?: boolean
  readonly lowerCaseOnly?: boolean
  /** True if the variables `npm_config_…` are ignored. */
  readonly excludeNpm?: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy that the environment names for this address, or undefined. Looks at `npm_config_<scheme>_proxy`,
 * `<scheme>_proxy`, `npm_config_proxy` and `all_proxy`, in this order, in lower and upper case. The caller still has to
 * check the proxy's `noProxy` (isExempt).
 */
export function environmentProxy(url: URL, env: Environment, options: ProxyOptions = {}): Proxy | undefined {
  if (modeOf(env, options) === 'legacy') return legacyProxy(url, env)
  const read = (name: string) => readVariable(env, name, options)
  const scheme = url.protocol.slice(0, -1)
  const found =
    read(`npm_config_${scheme}_proxy`) || read(`${scheme}_proxy`) || read('npm_config_proxy') || read('all_proxy')
  if (!found) return undefined
  const noProxy = (read('npm_config_no_proxy') || read('no_proxy')).split(/[\s,]+/).filter(Boolean)
  return { url: found.includes('://') ? found : `${scheme}://${found}`, noProxy }
}

function modeOf(env: Environment, options: ProxyOptions): string {
  const forced = env.nr_proxy_mode || env.NR_PROXY_MODE
  return forced === 'legacy' || forced === 'strict' ? forced : (options.mode ?? 'strict')
}

function readVariable(env: Environment, name: string, options: ProxyOptions): string {
  if (options.excludeNpm && name.startsWith('npm_config_')) return ''
  const lower = env[name]
  if (options.lowerCaseOnly) return lower || ''
  const upper = env[name.toUpperCase()]
  return (options.favourUpperCase ? upper || lower : lower || upper) || ''
}

/**
 * The rules of Node-RED up to 3.1: one proxy for every scheme, and an exception matches if it occurs anywhere in the
 * address.
 */
function legacyProxy(url: URL, env: Environment): Proxy | undefined {
  const found = env.HTTP_PROXY || env.http_proxy
  const exceptions = env.NO_PROXY || env.no_proxy
  const exempt = exceptions && exceptions.split(',').some((part) => url.href.includes(part.trim()))
  return found && !exempt ? { url: found, noProxy: [] } : undefined
}

/**
 * True if one of the entries matches the host: an entry that begins with `.` or `*` is compared with the end of the
 * host name, any other entry with the whole host name. `*` alone matches every host, and a `:port` limits an entry to
 * that port.
 */
export function isExempt(url: URL, noProxy: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return noProxy.some((entry) => {
    const [, name = '', only] = /^(.+?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? []
    if (name === '' || (only !== undefined && Number(only) !== 0 && only !== port)) return false
    if (!/^[.*]/.test(name)) return url.hostname === name
    return url.hostname.endsWith(name.replace(/^\*/, ''))
  })
}
