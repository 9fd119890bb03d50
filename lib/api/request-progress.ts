/** How far one request came on its way through axios, whatever its interceptors and errors make of it. */
import { isCancel, type AxiosRequestConfig } from 'axios'
import { TransportFault, type Phase } from './fault'

/** A request of axios that takes its progress along. */
export interface TrackedConfig extends AxiosRequestConfig {
  readonly progress?: RequestProgress
}

/**
 * Handed from step to step with the request's settings. A class, since axios copies plain objects and leaves others as
 * they are.
 */
export class RequestProgress {
  /** `handedOver`: an adapter has it; when that is not ours, nobody knows how far it came. */
  private step: 'prepared' | 'handedOver' | Phase = 'prepared'
  /** What went wrong on the wire, when something did. */
  fault: TransportFault | undefined

  handOver(): void {
    if (this.step === 'prepared') this.step = 'handedOver'
  }

  /** What has been sent once stays sent, also when an interceptor tries again. */
  reach(phase: Phase): void {
    if (this.step !== 'sent') this.step = phase
  }

  /** `connecting` only when surely nothing has left. */
  get phase(): Phase {
    return this.step === 'prepared' || this.step === 'connecting' ? 'connecting' : 'sent'
  }
}

/** What went wrong on the wire. axios replaces the fault of a request that was stopped by a bare "canceled". */
export function faultBehind(thrown: unknown, { fault, phase }: RequestProgress): TransportFault | undefined {
  if (thrown instanceof TransportFault) return thrown
  if (fault) return new TransportFault(fault.kind, phase, fault.reason, fault.source)
  return isCancel(thrown) ? new TransportFault('aborted', phase, 'STOPPED') : undefined
}
