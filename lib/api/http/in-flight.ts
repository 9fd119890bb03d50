/** One request in flight through a dispatcher: its response, its timer, and the signal that may abort the request. */
import { Readable } from 'node:stream'
import { AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import type { Dispatcher } from 'undici'
import { decode, decodeStream } from './decode'
import { faultOf, TransportFault, type Phase } from '../errors/fault'
import type { TrackedConfig } from './request-progress'
import { maxTimerMs } from '../../common/limits'
import { offAbort, onAbort } from '../../common/on-abort'

type Controller = Dispatcher.DispatchController
type ResponseHeaders = Record<string, string | string[]>

/**
 * The state shared by the many events of one request. Settles the promise once, and leaves no timer or listener behind.
 */
export class InFlightRequest implements Dispatcher.DispatchHandler {
  private phase: Phase = 'connecting'
  private controller: Controller | undefined
  private timer: NodeJS.Timeout | undefined
  private ended = false
  private ending: Error | undefined
  private bodySent = false
  private status = 0
  private statusText = ''
  private headers: ResponseHeaders = {}
  private readonly chunks: Buffer[] = []
  private size = 0
  private stream: Readable | undefined
  private readonly source: Readable | undefined
  private readonly onTimeout = () => this.fail(new TransportFault('timeout', this.phase, 'ETIMEDOUT'))
  private readonly stop = () => this.fail(new TransportFault('aborted', this.phase, 'STOPPED'))

  constructor(
    private readonly config: InternalAxiosRequestConfig,
    private readonly resolve: (response: AxiosResponse) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.source = isStream(config.data) ? config.data : undefined
  }

  /**
   * Passes the request to the dispatcher. After this call, the promise to which `resolve` and `reject` belong always
   * settles.
   */
  start(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions): void {
    const { signal } = this.config
    if (signal?.aborted) return this.stop()
    if (signal) onAbort(signal, this.stop)
    this.restartTimer()
    if (this.source && !this.watchSource(this.source)) return
    dispatcher.dispatch(request, this)
  }

  /** Watches the stream of the request's body. Returns false if the stream is already consumed or broken. */
  private watchSource(source: Readable): boolean {
    const broken = (error?: Error) =>
      this.fail(new TransportFault('network', this.phase, 'SOURCE', error ?? new Error('the source ended early')))
    source.on('error', broken)
    if (source.destroyed || source.readableEnded) {
      broken()
      return false
    }
    source.on('end', () => (this.bodySent = true))
    source.on('close', () => this.bodySent || broken())
    return true
  }

  /** Called when there is a connection and the request is about to be sent. If this throws, nothing is sent. */
  onRequestStart(controller: Controller): void {
    if (this.ending) throw this.ending
    this.controller = controller
    this.phase = 'sent'
    this.progress?.reach('sent')
    // Every chunk sent counts as progress.
    this.source?.on('data', () => this.restartTimer())
  }

  onResponseStart(controller: Controller, status: number, headers: ResponseHeaders, statusText = ''): void {
    // Interim responses (1xx) are ignored, because the actual response follows them.
    if (status < 200) return
    this.status = status
    this.statusText = statusText
    this.headers = headers
    if (this.config.responseType === 'stream') this.handOver(controller)
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.stream) {
      this.restartTimer()
      if (!this.stream.push(chunk)) controller.pause()
      return
    }
    this.size += chunk.length
    const limit = this.config.maxContentLength ?? -1
    if (limit >= 0 && this.size > limit) this.fail(new TransportFault('tooLarge', 'sent', 'TOO_LARGE'))
    else this.chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.cleanUp()
    if (this.stream) return void this.stream.push(null)
    try {
      this.settle(this.bodyAs(this.config.responseType))
    } catch (error) {
      this.reject(error) // Unpacking the response failed, or a script's `validateStatus` threw.
    }
  }

  onResponseError(_controller: Controller | undefined, error: Error): void {
    const fault = faultOf(error, this.phase)
    if (fault) return this.fail(fault)
    this.end(error)
    this.reject(error)
  }

  /**
   * Passes the response on as a stream that reports failures as a TransportFault. The timer and the signal stay active
   * until the stream has ended.
   */
  private handOver(controller: Controller): void {
    const abort = () => this.ended || this.fail(new TransportFault('aborted', 'sent', 'STOPPED'))
    this.stream = new Readable({
      highWaterMark: 65_536,
      read: () => controller.resume(),
      destroy: (error, done) => {
        abort()
        done(error)
      },
    })
    // The caller may add its listeners later; until then, an error without a listener would end the process.
    this.stream.on('error', () => this.cleanUp())
    this.settle(decodeStream(this.stream, this.headers['content-encoding']))
  }

  private bodyAs(type: InternalAxiosRequestConfig['responseType']): Buffer | string {
    const [only] = this.chunks
    const packed = only && this.chunks.length === 1 ? only : Buffer.concat(this.chunks)
    const body = decode(packed, this.headers['content-encoding'], this.config.maxContentLength ?? -1)
    return type === 'arraybuffer' ? body : body.toString('utf8')
  }

  /** Rejects, as every axios adapter does, for a status that `validateStatus` does not accept. */
  private settle(data: unknown): void {
    const { config, status, statusText } = this
    const headers = new AxiosHeaders(joined(this.headers))
    const response: AxiosResponse = { data, status, statusText, headers, config }
    if (!config.validateStatus || config.validateStatus(status)) return this.resolve(response)
    const code = status >= 500 ? AxiosError.ERR_BAD_RESPONSE : AxiosError.ERR_BAD_REQUEST
    this.reject(new AxiosError(`Request failed with status code ${status}`, code, config, undefined, response))
  }

  private fail(fault: TransportFault): void {
    if (this.ended) return
    this.end(fault)
    if (this.progress) this.progress.fault = fault
    // The caller already has the stream, so the failure is reported through the stream.
    if (this.stream) return void this.stream.destroy(fault)
    const error = new AxiosError(fault.message, fault.reason, this.config)
    error.cause = fault
    this.reject(error)
  }

  private end(error: Error): void {
    this.cleanUp()
    this.ending = error
    this.controller?.abort(error)
    this.source?.destroy()
  }

  private restartTimer(): void {
    const { timeout } = this.config
    if (!timeout || this.ended) return
    if (this.timer) this.timer.refresh()
    else this.timer = setTimeout(this.onTimeout, Math.min(timeout, maxTimerMs))
  }

  private cleanUp(): void {
    this.ended = true
    clearTimeout(this.timer)
    if (this.config.signal) offAbort(this.config.signal, this.stop)
  }

  private get progress(): TrackedConfig['progress'] {
    return (this.config as TrackedConfig).progress
  }
}

/**
 * Also true for the stream of a multipart body, which comes from an older library and does not inherit from Readable.
 */
function isStream(data: unknown): data is Readable {
  return typeof data === 'object' && data !== null && 'pipe' in data
}

/** Joins repeated headers into one, as node:http does. */
function joined(headers: ResponseHeaders): ResponseHeaders {
  for (const [name, value] of Object.entries(headers)) {
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = value.join(', ')
  }
  return headers
}
