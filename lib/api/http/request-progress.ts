/** How far one request came on its way through axios, whatever its interceptors and errors make of it. */
import { isCancel, type AxiosRequestConfig } from 'axios'
import { TransportFault, type Phase } from '../errors/fault'

/** A request of axios that takes its progress along. */
export interface TrackedConfig extends AxiosRequestConfig {
  readonly progress?: RequestProgress
}

/** How many requests of one client left without a progress: those of a script, and those with replaced settings. */
export interface Untracked {
  count: number
}

/**
 * Handed from step to step with the request's settings. A class, since axios copies plain objects and leaves others as
 * they are.
 */
export class RequestProgress {
  /** `handedOver`: an adapter has it; when that is not ours, its progress is unknown. */
  private step: 'prepared' | 'handedOver' | Phase = 'prepared'
  private readonly untrackedBefore: number
  /** What went wrong on the wire, when something did. */
  fault: TransportFault | undefined

  constructor(private readonly untracked: Untracked) {
    this.untrackedBefore = untracked.count
  }

  handOver(): void {
    if (this.step === 'prepared') this.step = 'handedOver'
  }

  /** What has been sent once stays sent, also when an interceptor tries again. */
  reach(phase: Phase): void {
    if (this.step !== 'sent') this.step = phase
  }

  /**
   * `connecting` only when certainly nothing has left. A request that left without its progress may have been this one,
   * as may the first try of an interceptor that tries again.
   */
  get phase(): Phase {
    const stayed = this.step === 'connecting' || this.step === 'prepared'
    return stayed && this.untracked.count === this.untrackedBefore ? 'connecting' : 'sent'
  }
}

/** What went wrong on the wire. axios replaces the fault of a request that was stopped by a bare "canceled". */
export function faultBehind(thrown: unknown, { fault, phase }: RequestProgress): TransportFault | undefined {
  const inError = thrown instanceof Error ? thrown.cause : undefined
  const known = [thrown, fault, inError].find((one) => one instanceof TransportFault)
  if (known) return new TransportFault(known.kind, known.phase === 'sent' ? 'sent' : phase, known.reason, known.source)
  return isCancel(thrown) ? new TransportFault('aborted', phase, 'STOPPED') : undefined
}
