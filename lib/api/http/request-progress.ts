/** Tracks how far one request got on its way through axios, whatever interceptors and errors do to it. */
import { isCancel, type AxiosRequestConfig } from 'axios'
import { TransportFault, type Phase } from '../errors/fault'

/** An axios request that carries its progress. */
export interface TrackedConfig extends AxiosRequestConfig {
  readonly progress?: RequestProgress
}

/**
 * Counts the requests of one client that were sent without a RequestProgress: requests of a script, and requests whose
 * settings an interceptor replaced.
 */
export interface Untracked {
  count: number
}

/**
 * The progress of one request, passed from step to step with the request's settings. It is a class, because axios
 * copies plain objects but keeps instances as they are.
 */
export class RequestProgress {
  /** `handedOver`: an adapter has the request; if that adapter is not ours, the progress is unknown. */
  private step: 'prepared' | 'handedOver' | Phase = 'prepared'
  private readonly untrackedBefore: number
  /** The fault on the wire, if there was one. */
  fault: TransportFault | undefined

  constructor(private readonly untracked: Untracked) {
    this.untrackedBefore = untracked.count
  }

  handOver(): void {
    if (this.step === 'prepared') this.step = 'handedOver'
  }

  /** Once `sent`, the progress stays `sent`, even if an interceptor tries again. */
  reach(phase: Phase): void {
    if (this.step !== 'sent') this.step = phase
  }

  /**
   * `connecting` only if certainly nothing was sent. If the client has sent an untracked request in the meantime, the
   * phase is `sent`: the untracked request may have been this request, or an interceptor's first try of it.
   */
  get phase(): Phase {
    const stayed = this.step === 'connecting' || this.step === 'prepared'
    return stayed && this.untracked.count === this.untrackedBefore ? 'connecting' : 'sent'
  }
}

/**
 * The fault on the wire. For a stopped request, this function builds the fault, because axios replaces the original
 * fault with a bare "canceled".
 */
export function faultBehind(thrown: unknown, { fault, phase }: RequestProgress): TransportFault | undefined {
  const inError = thrown instanceof Error ? thrown.cause : undefined
  const known = [thrown, fault, inError].find((one) => one instanceof TransportFault)
  if (known) return new TransportFault(known.kind, known.phase === 'sent' ? 'sent' : phase, known.reason, known.source)
  return isCancel(thrown) ? new TransportFault('aborted', phase, 'STOPPED') : undefined
}
