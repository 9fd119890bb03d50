/** The axios instance of one client: axios as everyone knows it, over an adapter on undici's dispatchers. */
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
  /** The progress to send along with a request of this instance. */
  track(): RequestProgress
}

/**
 * Makes the instance. Its interceptors, defaults and errors are those of axios; redirects are never followed, since a
 * bearer token belongs to one host. An interceptor may return settings of its own making: they go the same way.
 * `timeout` is in milliseconds: of streams, the time without any progress.
 */
export function createHttp(dispatchers: Dispatchers): Http {
  const untracked: Untracked = { count: 0 }
  const adapter = createAdapter(dispatchers)
  const instance = axios.create({
    adapter,
    maxContentLength: maxBodyBytes,
    maxRedirects: 0,
    transformRequest: [...[axios.defaults.transformRequest ?? []].flat(), noteHandOver],
  })
  // axios copies its defaults for every request; these serve browsers and forms, or say what is usual anyway.
  for (const name of ['transitional', 'env', 'xsrfCookieName', 'xsrfHeaderName'] as const)
    delete instance.defaults[name]
  // The interceptor that was added first runs last.
  const complete = (config: InternalAxiosRequestConfig) => {
    if (!(config as TrackedConfig).progress) untracked.count++
    config.adapter ??= adapter
    config.maxContentLength ??= maxBodyBytes
    return config
  }
  instance.interceptors.request.use(complete, undefined, { synchronous: true })
  return { axios: instance, track: () => new RequestProgress(untracked) }
}

/** The last step before the adapter. */
const noteHandOver: AxiosRequestTransformer = function (data: unknown): unknown {
  ;(this as TrackedConfig).progress?.handOver()
  return data
}

function createAdapter(dispatchers: Dispatchers): AxiosAdapter {
  return (config) =>
    new Promise((resolve, reject) => {
      ;(config as TrackedConfig).progress?.reach('connecting')
      const { origin, path } = split(config.baseURL || config.params ? axios.getUri(config) : String(config.url))
      const { headers, method } = config
      const data: unknown = config.data
      const none = data === undefined || data === null
      // axios names a type for every POST.
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

/** The two halves of an absolute address; a path alone is at least `/`. */
function split(url: string): { origin: string; path: string } {
  const [origin = ''] = /^https?:\/\/[^/?#]+/i.exec(url) ?? []
  const path = url.slice(origin.length)
  return { origin, path: path.startsWith('/') ? path : `/${path}` }
}
