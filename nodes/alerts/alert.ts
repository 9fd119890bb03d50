/**
 * One problem that needs attention: what the message says about it, and the key that keeps it from being reported
 * twice.
 */
import { createHash } from 'node:crypto'
import type { AlertKind } from '../../lib/messages'

export interface Alert {
  readonly kind: AlertKind
  /** The key identifies the problem; it stays the same after a restart and in another Node-RED. */
  readonly key: readonly (string | number)[]
  /** The key of the alert's sentence in the catalog; `params` are the values in that sentence. */
  readonly sentence: string
  readonly params?: Readonly<Record<string, string | number>>
  readonly title: string
  readonly who?: readonly string[]
  /** Milliseconds since 1970. */
  readonly since: number
  readonly until?: number
  /** Where the editor shows the node. */
  readonly node?: { readonly id: string; readonly name: string; readonly flow: string }
  /** Id of the client's config node. */
  readonly client?: string
  /** Further properties of the payload: `documentId`, `code`, … */
  readonly details?: Readonly<Record<string, unknown>>
  /** Milliseconds during which the problem is not reported again; three months if absent. */
  readonly onceMs?: number
}

/** The part of an alert that is stored and sent. */
export interface AlertPayload {
  readonly kind: AlertKind
  readonly title: string
  readonly who: readonly string[]
  /** ISO 8601. */
  readonly since: string
  readonly until?: string
  readonly sentence: string
  /** Opens the node in the editor; empty if the editor's address is unknown. */
  readonly link: string
  readonly [detail: string]: unknown
}

export const keepMs = 90 * 86_400_000

export function idOf({ kind, key }: Pick<Alert, 'kind' | 'key'>): string {
  return `a-${hash(JSON.stringify([kind, ...key]))}`
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
