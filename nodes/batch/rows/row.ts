/** Defines one row of a batch, with its stored form. */
import { createHash } from 'node:crypto'
import type { Outcome } from '../../../lib/api/errors/errors'
import { isPlainObject } from '../../../lib/common/plain-object'
import { sandboxName } from '../../../lib/runtime/node-red/client-node'
import { isRowCall, madeIdNames, type RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { RowError } from '../../../lib/runtime/monitor/row-owners'

/** The phases of a row. `look first` means that the row failed but may have had an effect. */
const phases = ['waiting', 'in flight', 'done', 'failed', 'look first'] as const
type Phase = (typeof phases)[number]

/** The ids that the message of a returning row may contain. */
export const idNames = [...madeIdNames, 'externalId'] as const

export type Ids = Partial<Record<(typeof idNames)[number], string>>

/** The result of a row. */
export interface Result extends Ids {
  readonly code?: string
  readonly outcome?: Outcome
  /** A sentence for people that explains the problem. */
  readonly problem?: string
}

/** Maximum length of a stored sentence; longer ones are cut. */
export const maxProblem = 500

/** Milliseconds for which the results of rows are stored after the report of their list. */
export const keepMs = 30 * 86_400_000

export interface Row {
  /**
   * The key under which the row is always sent. Empty for a row that has no key and is never sent; in a list without
   * keys, the number that the row had when it first came.
   */
  readonly key: string
  /** Shows whether a row with the same key still has the same content. */
  readonly fingerprint: string
  phase: Phase
  /** How often the row was sent in total. */
  sent: number
  /** How often the row failed without doing anything that must not be repeated. */
  failures: number
  /** How often the row was sent and did not come back. */
  lost: number
  result: Result | undefined
  /** Whether the row is done and the list now has other content under its key. */
  changed: boolean
  /** The services that were called for the row, as in `listServiceOf`. Absent if none is known. */
  services?: readonly string[] | undefined
  /**
   * When the row had ended, been reported, and was no longer in the list, in milliseconds since 1970. From then on, it is
   * only remembered, so that it is not sent again.
   */
  past?: number | undefined
  /** Calls made since the row was sent, which must not be repeated. Absent once the row has ended. */
  calls?: readonly RowCall[] | undefined
  /** The errors of the row in other nodes, the latest last. */
  errors?: readonly RowError[] | undefined
}

export function newRow(key: string, fingerprint: string): Row {
  return { key, fingerprint, phase: 'waiting', sent: 0, failures: 0, lost: 0, result: undefined, changed: false }
}

export function hasEnded({ phase }: Row): boolean {
  return phase === 'done' || phase === 'failed' || phase === 'look first'
}

/** Whether something was done for the row, or may have been done. */
export function happened({ phase }: Row): boolean {
  return phase === 'done' || phase === 'look first' || phase === 'in flight'
}

/** Whether an earlier attempt, with the content at that time, may have had an effect. */
export function mayHaveMade(row: Row): boolean {
  return madeOwn(row) !== undefined || row.lost > 0 || actedFor(row).length > 0
}

/**
 * Returns the result of an earlier attempt if that attempt created a document under the row's own key, or may have
 * created one. If the row is sent again with the same content, it finds that document instead of creating another.
 */
export function madeOwn({ phase, result }: Row): Result | undefined {
  return phase !== 'done' && phase !== 'look first' && result?.outcome === 'unknown' ? result : undefined
}

/** The state of an ended row, as people read it. */
export function stateOf(row: Row): 'done' | 'changed' | 'failed' | 'look first' {
  if (row.phase === 'done') return row.changed ? 'changed' : 'done'
  return row.phase === 'look first' || madeOwn(row) ? 'look first' : 'failed'
}

/** Whether the report counts the row as failed. */
export function countsAsFailed({ phase, past }: Row): boolean {
  return past === undefined && (phase === 'failed' || phase === 'look first')
}

/** The row's calls, except those known to have done nothing. */
export function actedFor({ calls = [] }: Row): RowCall[] {
  return calls.filter(({ outcome }) => outcome !== 'not-done')
}

/** The stored form of a row: an array without names, because there are many rows. */
export function storedRow(row: Row): unknown {
  const { key, fingerprint, phase, sent, failures, lost, changed, result, services, past, errors } = row
  const acted = hasEnded(row) ? [] : actedFor(row)
  const more = [result, services, acted.length > 0 ? acted : undefined, past, errors]
  const length = more.findLastIndex((one) => one !== undefined) + 1
  const stored = more.slice(0, length).map((one) => one ?? null)
  return [key, fingerprint, phases.indexOf(phase), sent, failures, lost, changed ? 1 : 0, ...stored]
}

/** Reads a row from its stored form; undefined if the stored value is not a row. */
export function readRow(stored: unknown): Row | undefined {
  if (!Array.isArray(stored)) return undefined
  const [key, fingerprint, at, sent, failures, lost, changed, result, services, acted, past, errors] =
    stored as unknown[]
  const phase = phases[Number(at)]
  const numbers = [sent, failures, lost].map(Number)
  if (typeof key !== 'string' || typeof fingerprint !== 'string' || !phase || !numbers.every(Number.isFinite))
    return undefined
  const [sentTimes = 0, failed = 0, lostTimes = 0] = numbers
  return {
    key,
    fingerprint,
    phase,
    sent: sentTimes,
    failures: failed,
    lost: lostTimes,
    changed: changed === 1,
    result: isPlainObject(result) ? result : undefined,
    ...(Array.isArray(services) && { services: services.map(String) }),
    ...(typeof past === 'number' && { past }),
    ...(Array.isArray(errors) && { errors: errors as RowError[] }),
    ...(Array.isArray(acted) && { calls: (acted as unknown[]).filter(isRowCall) }),
  }
}

/** The result with which a row came back. */
export type RowEnd = {
  readonly services?: readonly string[] | undefined
  /** The nodes in which the returning message failed before it took another way; undefined if that is unknown. */
  readonly failedIn?: readonly string[] | undefined
} & (
  | { readonly failed: false; readonly result: Result }
  | {
      readonly failed: true
      /** The outcome of the last call. */
      readonly outcome: Outcome
      readonly result: Result
      /**
       * Set if the row may have had an effect, but sending it again would not repeat the effect. With `now`, the row is sent
       * again as the next attempt; with `later`, it is sent again when a person sends the list again.
       */
      readonly isRepeatable?: 'now' | 'later'
      /**
       * Whether the values of the row were refused before anything was done, and would be refused again if the row were
       * sent unchanged.
       */
      readonly isRefused?: boolean
      /** The key of a document that may have been created, according to the error. */
      readonly doubtfulKey?: string
      /** Calls made for the row before it came back. */
      readonly calls: readonly RowCall[]
    }
)

/** The services that these calls went to, as in `listServiceOf`; undefined if none is known. */
export function servicesIn(calls: readonly RowCall[]): readonly string[] | undefined {
  return together(calls.flatMap(({ service }) => service ?? []))
}

/** Notes that these services were called for the row. */
export function addServices(row: Row, services: readonly string[] = []): void {
  row.services = together([...(row.services ?? []), ...services])
}

const together = (services: readonly string[]) => (services.length > 0 ? [...new Set(services)] : undefined)

/** Whether a service other than the sandbox may have been called for the row, so that something real may exist. */
export function isReal({ services }: Row): boolean {
  return services?.every((one) => one === sandboxName) !== true
}

/** The service's key for a row, derived from its node, its batch and its key; the same for every attempt. */
export function externalIdOf(nodeId: string, batchId: string, key: string): string {
  // The key contains no readable part of the row, because a row's key may be an e-mail address.
  return `batch-${digest(JSON.stringify([nodeId, batchId, key])).slice(0, 32)}`
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * The row's key in the batch of changed rows. If the same change is sent a second time, the row has the same key and
 * finds what was created the first time.
 */
export function changedKeyOf(key: string, fingerprint: string): string {
  return `${key} (${fingerprint.slice(0, 8)})`
}
