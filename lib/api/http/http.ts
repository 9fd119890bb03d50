/** The axios instance of one client: plain axios on top of an adapter for undici's dispatchers. */
import axios, {
  type AxiosAdapter,
  type AxiosInstance,
  type AxiosRequestTransformer,
  type InternalAxiosRequestConfig,
} from 'axios'
import type { Dispatchers } from './dispatchers'
import { InFlightRequest } from './in-flight'
import { RequestProgress, type TrackedConfig, type Untracked } from './request-progress'

/** Answers larger than this are refused unless they are streamed; 256 MiB. */
const maxBodyBytes = 256 * 1024 * 1024

export interface Http {
  readonly axios: AxiosInstance
  /** Returns the progress object to attach to a request of this instance. */
  track(): RequestProgress
}

/**
 * Creates the instance. Interceptors, defaults and errors are those of axios. Redirects are never followed, because a
 * bearer token must be sent only to its own host. An interceptor may return a new settings object; its adapter and size
 * limit are then filled in. `timeout` is in milliseconds; for streams it is the longest time without progress.
 */
export function createHttp(dispatchers: Dispatchers): Http {
  const untracked: Untracked = { count: 0 }
  const adapter = createAdapter(dispatchers)
  const instance = axios.create({
    adapter,
    maxContentLength: maxBodyBytes,
    maxRedirects: 0,
    transformRequest: [transform],
  })
  // axios copies its defaults for every request. The defaults removed here are only for browsers and forms, or repeat
  // axios's standard behavior.
  for (const name of ['transitional', 'env', 'xsrfCookieName', 'xsrfHeaderName'] as const)
    delete instance.defaults[name]
  addOnUse(instance.defaults.headers)
  // axios runs request interceptors in reverse order, so this one, added first, runs last and sees the final settings.
  const complete = (config: InternalAxiosRequestConfig) => {
    if (!(config as TrackedConfig).progress) untracked.count++
    config.adapter ??= adapter
    config.maxContentLength ??= maxBodyBytes
    return config
  }
  instance.interceptors.request.use(complete, undefined, { synchronous: true })
  return { axios: instance, track: () => new RequestProgress(untracked) }
}

/**
 * Hides the empty default headers of each method until a script reads or sets them; otherwise axios would copy and
 * remove each of them for every request.
 */
function addOnUse(headers: object): void {
  for (const [name, values] of Object.entries(headers) as [string, object][]) {
    if (Object.keys(values).length > 0) continue
    const add = (value: object) =>
      void Object.defineProperty(headers, name, { value, configurable: true, enumerable: true, writable: true })
    const get = () => {
      add(values)
      return values
    }
    Object.defineProperty(headers, name, { get, set: add, configurable: true, enumerable: false })
  }
}

const usual = [axios.defaults.transformRequest ?? []].flat()

/**
 * Runs the transformers of axios, then notes that the adapter is next. One transformer does both, because axios goes
 * through the headers once for each transformer.
 */
const transform: AxiosRequestTransformer = function (data: unknown, headers): unknown {
  const transformed = usual.reduce((before: unknown, one) => one.call(this, before, headers) as unknown, data)
  ;(this as TrackedConfig).progress?.handOver()
  return transformed
}

function createAdapter(dispatchers: Dispatchers): AxiosAdapter {
  return (config) =>
    new Promise((resolve, reject) => {
      ;(config as TrackedConfig).progress?.reach('connecting')
      const { origin, path } = split(config.baseURL || config.params ? axios.getUri(config) : String(config.url))
      const { headers, method } = config
      const data: unknown = config.data
      const none = data === undefined || data === null
      // axios sets a content type for every POST, even without a body.
      if (none) headers.delete('Content-Type')
      const request = {
        origin,
        path,
        method: (method ?? 'get').toUpperCase() as 'GET',
        headers: headers.toJSON() as Record<string, string>,
        body: none ? null : (data as Buffer),
      }
      new InFlightRequest(config, resolve, reject).start(dispatchers.of(origin), request)
    })
}

/** Origin and path of an absolute address; the path is at least `/`. */
function split(url: string): { origin: string; path: string } {
  const [origin = ''] = /^https?:\/\/[^/?#]+/i.exec(url) ?? []
  const path = url.slice(origin.length)
  return { origin, path: path.startsWith('/') ? path : `/${path}` }
}
