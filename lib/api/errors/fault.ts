/** Describes what can fail on the wire, without judging what that means for the call. */

/** How far a request had got when it failed. `connecting`: no part of it can have reached the service. */
export type Phase = 'connecting' | 'sent'
export type FaultKind = 'network' | 'timeout' | 'aborted' | 'tooLarge'

/** A request that failed on the wire. `reason` is the system's error code, such as ECONNRESET. */
export class TransportFault extends Error {
  constructor(
    readonly kind: FaultKind,
    readonly phase: Phase,
    readonly reason: string,
    /** The error of the stream that was being sent: if that stream broke, a retry cannot help. */
    readonly source?: Error,
  ) {
    super(`${kind} (${reason})`)
  }
}

/** Maps undici's codes to those of the system. */
const faultReasons: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'ECONNRESET',
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
  // These codes mean that a proxy refused the tunnel, or did not answer the request for a tunnel.
  UND_ERR_ABORTED: 'PROXY',
  UND_ERR_HEADERS_TIMEOUT: 'PROXY',
}

/** The fault behind an error of a dispatcher; undefined if the request itself could not be expressed in HTTP. */
export function faultOf(error: NodeJS.ErrnoException, phase: Phase): TransportFault | undefined {
  if (error instanceof TransportFault) return error
  const code = error.code ?? 'OTHER'
  if (/^UND_ERR_(DESTROYED|CLOSED)$/.test(code)) return new TransportFault('aborted', phase, 'STOPPED')
  if (/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)/.test(code)) return undefined
  return new TransportFault('network', phase, faultReasons[code] ?? code)
}
