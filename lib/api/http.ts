/** axios as this package uses it: its requests and answers, our own adapter, and nothing in between. */
import {
  Axios,
  type AxiosAdapter,
  type AxiosInstance,
  type AxiosRequestConfig,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios'

/** The one method of axios that the client uses. */
export type HttpClient = Pick<AxiosInstance, 'request'>

/**
 * An axios whose requests go to the adapter as they are. There are no interceptors, defaults or transformations here, and merging
 * and normalising none of them for every call takes as long as the exchange itself.
 */
class DirectAxios extends Axios {
  constructor(private readonly adapter: AxiosAdapter) {
    super({ adapter })
  }

  override request<T, R = AxiosResponse<T>, D = unknown>(config: AxiosRequestConfig<D>): Promise<R> {
    return this.adapter(config as InternalAxiosRequestConfig) as Promise<R>
  }
}

/** Makes the HTTP client of one service client; `adapter` is that of `createTransport`. */
export function createHttp(adapter: AxiosAdapter): HttpClient {
  return new DirectAxios(adapter)
}
