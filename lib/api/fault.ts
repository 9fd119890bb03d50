/** What can go wrong on the wire, without any judgement of what it means for the call. */

/** Where the exchange stood when it failed. `connecting`: nothing can have reached the service. */
export type Phase = 'connecting' | 'sent'
export type FaultKind = 'network' | 'timeout' | 'aborted' | 'tooLarge'

/** A failed exchange. `reason` is the system's error code, such as ECONNRESET. */
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

/** The fault behind an error of node:http or of a proxy's agent. */
export function faultOf(error: NodeJS.ErrnoException, phase: Phase): TransportFault {
  if (error instanceof TransportFault) return error
  // A proxy that refuses the tunnel is told of without a code.
  const refused = /^(Bad response|Proxy)/.test(error.message) ? 'PROXY' : 'OTHER'
  return new TransportFault('network', phase, error.code ?? refused)
}
