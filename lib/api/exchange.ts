/** One HTTP exchange on its way: the request, the answer, the clock and the signal that may end it. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import type { AxiosRequestConfig, AxiosResponse, InternalAxiosRequestConfig } from 'axios'
import { longestTimer } from './retry'
import { faultOf, TransportFault, type Phase } from './fault'

/** A request of axios, stopped by a field of our own: axios replaces what happened by a bare "canceled" when it sees a `signal`. */
export interface ExchangeConfig extends AxiosRequestConfig {
  readonly stop?: AbortSignal
}

/** Answers larger than this are refused unless they are streamed; 256 MiB. */
const maxAnswer = 256 * 1024 * 1024

/** The state that the many events of one exchange share. Settles once, and leaves no timer or listener. */
export class Exchange {
  private phase: Phase = 'connecting'
  private timer: NodeJS.Timeout | undefined
  private settled = false
  private ended = false
  private response: IncomingMessage | undefined
  private readonly stop: AbortSignal | undefined
  private readonly late = () => this.fail(new TransportFault('timeout', this.phase, 'ETIMEDOUT'))
  private readonly abort = () => this.fail(new TransportFault('aborted', this.phase, 'STOPPED'))

  constructor(
    private readonly request: ClientRequest,
    private readonly secure: boolean,
    private readonly config: InternalAxiosRequestConfig,
    private readonly resolve: (response: AxiosResponse) => void,
    private readonly reject: (fault: unknown) => void,
    /** Called at the end, however it comes: a request without a connection yet does not even tell of its own. */
    private readonly ending: () => void,
  ) {
    this.stop = (config as ExchangeConfig).stop
  }

  /** Sends the request. The promise given by `resolve` and `reject` settles later, always. */
  start(): void {
    const { request } = this
    request.on('socket', (socket) => {
      const connected = () => (this.phase = 'sent')
      // A tunnel is connected from the start, while its TLS still has to be agreed upon.
      if (request.reusedSocket || !(this.secure || socket.connecting)) connected()
      else socket.once(this.secure ? 'secureConnect' : 'connect', connected)
    })
    // Once an answer comes in, its own end counts: a service may answer and hang up before it has read everything.
    request.on('error', (error) => this.response ?? this.fail(faultOf(error, this.phase)))
    request.on('response', (response) => this.receive(response))
    this.stop?.addEventListener('abort', this.abort, { once: true })
    this.restartTimer()
    this.send(this.config.data as string | Buffer | Readable | undefined)
    if (this.stop?.aborted) this.abort()
  }

  private send(data: string | Buffer | Readable | undefined): void {
    if (data === undefined || typeof data === 'string' || Buffer.isBuffer(data)) {
      this.request.end(data)
      return
    }
    const broken = (error?: Error) =>
      this.fail(new TransportFault('network', this.phase, 'SOURCE', error ?? new Error('the source ended early')))
    data.on('error', broken)
    if (data.destroyed || data.readableEnded) return broken()
    data.on('close', () => !data.readableEnded && broken())
    // `pipe` keeps back-pressure; every chunk that leaves counts as progress.
    data.on('data', () => this.restartTimer())
    this.request.on('close', () => data.destroy())
    data.pipe(this.request)
  }

  private receive(response: IncomingMessage): void {
    this.response = response
    response.on('error', (error) => this.fail(faultOf(error, 'sent')))
    response.on('close', () =>
      response.complete ? this.cleanUp() : this.fail(new TransportFault('network', 'sent', 'ECONNRESET')),
    )
    if (this.config.responseType === 'stream') this.handOver(response)
    else this.gather(response)
  }

  /** Gives the answer as it comes in, with our own faults in it. Its clock and its signal stay until it is closed. */
  private handOver(response: IncomingMessage): void {
    const body = new PassThrough()
    // Whoever asked for the stream may listen only later; an error nobody listens to would end the process.
    body.on('error', () => response.destroy())
    body.on('close', () => response.destroy())
    response.on('data', () => this.restartTimer())
    response.on('error', (error) => body.destroy(faultOf(error, 'sent')))
    response.pipe(body)
    this.settle(response, body)
  }

  private gather(response: IncomingMessage): void {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxAnswer) this.fail(new TransportFault('tooLarge', 'sent', 'TOO_LARGE'))
      else chunks.push(chunk)
    })
    response.on('end', () => {
      this.cleanUp()
      // A service that answers before it has read everything wants no more of it.
      if (!this.request.writableFinished) this.request.destroy()
      this.settle(response, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    })
  }

  private settle(response: IncomingMessage, data: unknown): void {
    this.settled = true
    const { statusCode = 0, statusMessage = '', headers } = response
    const { config, request } = this
    this.resolve({ data, status: statusCode, statusText: statusMessage, headers, config, request })
  }

  private fail(fault: TransportFault): void {
    this.cleanUp()
    if (this.settled) {
      // The caller already holds the stream: it learns of the failure from the stream itself.
      if (!this.response?.complete) this.response?.destroy(fault)
      return
    }
    this.settled = true
    this.request.destroy()
    this.reject(fault)
  }

  private restartTimer(): void {
    const { timeout } = this.config
    if (!timeout || this.ended) return
    if (this.timer) this.timer.refresh()
    else this.timer = setTimeout(this.late, Math.min(timeout, longestTimer))
  }

  private cleanUp(): void {
    this.ended = true
    clearTimeout(this.timer)
    this.stop?.removeEventListener('abort', this.abort)
    this.ending()
  }
}
