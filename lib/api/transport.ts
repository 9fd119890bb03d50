/** The axios adapter: one HTTP exchange over node:http, which knows whether the request can have reached the service. */
import { request as httpRequest, type Agent as HttpAgent, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type Agent as HttpsAgent } from 'node:https'
import type { Readable } from 'node:stream'
import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios'

/** Where the exchange stood when it failed. `connecting`: nothing can have reached the service. */
export type Phase = 'connecting' | 'sent'
export type FaultKind = 'network' | 'timeout' | 'aborted' | 'tooLarge'

/** A failed exchange, without any judgement of what it means. `reason` is the system's error code, such as ECONNRESET. */
export class TransportFault extends Error {
  constructor(
    readonly kind: FaultKind,
    readonly phase: Phase,
    readonly reason: string,
    /** The stream that was to be sent broke; repeating cannot help. */
    readonly source?: Error,
  ) {
    super(`${kind} (${reason})`)
  }
}

export interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

/** Chooses the agents for one address (a proxy may apply to some hosts only). */
export type ChooseAgents = (url: URL) => Agents

/** Answers larger than this are refused unless they are streamed; 256 MiB. */
const maxAnswer = 256 * 1024 * 1024

/**
 * Makes the adapter. It honours `url`, `method`, `headers`, `data` (string, Buffer or stream), `signal`, `timeout` (milliseconds; for
 * streams the time without any progress) and `responseType` (`stream`, otherwise a Buffer in `data`). It follows no redirect
 * and resolves for every status. It rejects with a TransportFault.
 */
export function createTransport(chooseAgents: ChooseAgents): AxiosAdapter {
  return (config) =>
    new Promise<AxiosResponse>((resolve, reject) => {
      const url = new URL(config.url ?? '')
      const secure = url.protocol === 'https:'
      const agents = chooseAgents(url)
      const options = {
        method: config.method?.toUpperCase(),
        headers: config.headers as unknown as Record<string, string>,
        agent: secure ? agents.https : agents.http,
      }
      const request = secure ? httpsRequest(url, options) : httpRequest(url, options)
      new Exchange(request, secure, config, resolve, reject)
    })
}

/** One exchange on its way: the state that its many events share. Settles once, and leaves no timer or listener. */
class Exchange {
  private phase: Phase = 'connecting'
  private timer: NodeJS.Timeout | undefined
  private settled = false
  private response: IncomingMessage | undefined
  private readonly abort = () => this.fail(new TransportFault('aborted', this.phase, 'STOPPED'))

  constructor(
    private readonly request: ClientRequest,
    secure: boolean,
    private readonly config: InternalAxiosRequestConfig,
    private readonly resolve: (response: AxiosResponse) => void,
    private readonly reject: (fault: unknown) => void,
  ) {
    const connected = () => (this.phase = 'sent')
    request.on('socket', (socket) => {
      if (request.reusedSocket || !socket.connecting) connected()
      else socket.once(secure ? 'secureConnect' : 'connect', connected)
    })
    request.on('error', (error: NodeJS.ErrnoException) => this.fail(this.fault(error)))
    request.on('response', (response) => this.receive(response))
    this.signal?.addEventListener('abort', this.abort, { once: true })
    this.restartTimer()
    if (this.signal?.aborted) this.abort()
    else this.send(config.data as string | Buffer | Readable | undefined)
  }

  private get signal(): AbortSignal | undefined {
    return this.config.signal as AbortSignal | undefined
  }

  private send(data: string | Buffer | Readable | undefined): void {
    if (data === undefined || typeof data === 'string' || Buffer.isBuffer(data)) {
      this.request.end(data)
      return
    }
    data.on('error', (error) => this.fail(new TransportFault('network', this.phase, 'SOURCE', error)))
    // `pipe` keeps back-pressure; every chunk that leaves counts as progress.
    data.on('data', () => this.restartTimer())
    this.request.on('close', () => data.destroy())
    data.pipe(this.request)
  }

  private receive(response: IncomingMessage): void {
    this.response = response
    if (this.config.responseType === 'stream') {
      response.on('data', () => this.restartTimer())
      response.on('close', () => this.cleanUp())
      response.pause()
      this.settle(response)
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxAnswer) this.fail(new TransportFault('tooLarge', 'sent', 'TOO_LARGE'))
      else chunks.push(chunk)
    })
    response.on('end', () => {
      if (!response.complete) return
      this.cleanUp()
      // A service that answers before it has read everything wants no more of it.
      if (!this.request.writableFinished) this.request.destroy()
      this.settle(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    })
    response.on('error', (error: NodeJS.ErrnoException) => this.fail(this.fault(error)))
    response.on('close', () => this.fail(new TransportFault('network', 'sent', 'ECONNRESET')))
  }

  private settle(data: unknown): void {
    if (this.settled || !this.response) return
    this.settled = true
    const { statusCode = 0, statusMessage = '', headers } = this.response
    this.resolve({
      data,
      status: statusCode,
      statusText: statusMessage,
      headers,
      config: this.config,
      request: this.request,
    })
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

  private fault(error: NodeJS.ErrnoException): TransportFault {
    return new TransportFault('network', this.phase, error.code ?? 'OTHER')
  }

  private restartTimer(): void {
    const { timeout } = this.config
    if (!timeout || this.signal?.aborted) return
    if (this.timer) this.timer.refresh()
    else this.timer = setTimeout(() => this.fail(new TransportFault('timeout', this.phase, 'ETIMEDOUT')), timeout)
  }

  private cleanUp(): void {
    clearTimeout(this.timer)
    this.signal?.removeEventListener('abort', this.abort)
  }
}
