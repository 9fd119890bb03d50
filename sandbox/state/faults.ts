/** Faults on demand: which calls fail, how, and how often. */

export const faultKinds = [
  'status',
  'slow',
  'close-before',
  'close-after',
  'malformed-json',
  'truncated',
  'expired-token',
] as const

export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  readonly id: string
  readonly kind: FaultKind
  /** Name of an operation, or `token`. */
  readonly operation?: string
  readonly method?: string
  /** A path, or its beginning followed by `*`. */
  readonly path?: string
  /** For how many calls the fault lasts. */
  count: number
  /**
   * When the fault ends, in milliseconds by the sandbox's clock, however many calls come; undefined if the fault lasts
   * for a number of calls.
   */
  readonly until?: number | undefined
  /** How many matching calls succeed before the fault applies. */
  skip: number
  readonly status: number
  /** Seconds, or a date, for the header `Retry-After`. */
  readonly retryAfter?: string
  /** Milliseconds to wait before anything else happens. */
  readonly delay: number
  /** Body of a `status` response: a text as it is, anything else as JSON. */
  readonly body?: unknown
  /** Whether a call with a `status` fault takes effect before the error is sent. */
  readonly after: boolean
}

interface FaultTarget {
  readonly operation: string
  readonly method: string
  readonly path: string
}

export class Faults {
  private faults: Fault[] = []

  add(fault: Fault): void {
    this.faults = [...this.faults, fault].slice(-100)
  }

  list(): readonly Fault[] {
    return this.faults
  }

  clear(): void {
    this.faults = []
  }

  /** Returns the fault for this call at this moment, and counts it down; undefined if there is no fault for it. */
  take(target: FaultTarget, now: number): Fault | undefined {
    if (this.faults.length === 0) return undefined
    this.faults = this.faults.filter(({ until }) => until === undefined || until > now)
    const fault = this.faults.find((one) => fits(one, target))
    if (!fault) return undefined
    if (fault.skip > 0) {
      fault.skip -= 1
      return undefined
    }
    if (fault.until !== undefined) return fault
    fault.count -= 1
    if (fault.count <= 0) this.faults = this.faults.filter((one) => one !== fault)
    return fault
  }
}

function fits(fault: Fault, { operation, method, path }: FaultTarget): boolean {
  if (fault.operation && fault.operation !== operation) return false
  if (fault.method && fault.method !== method) return false
  if (!fault.path) return true
  return fault.path.endsWith('*') ? path.startsWith(fault.path.slice(0, -1)) : path === fault.path
}
