/** One thing that needs a person: what the message says of it, and the key under which it is said once. */
import { createHash } from 'node:crypto'
import type { AlertKind } from '../../lib/messages'

export interface Alert {
  readonly kind: AlertKind
  /** The same thing has the same key, after a restart and in another Node-RED. */
  readonly key: readonly (string | number)[]
  /** Which sentence, and its parameters. */
  readonly sentence: string
  readonly params?: Readonly<Record<string, string | number>>
  readonly title: string
  readonly who?: readonly string[]
  /** Milliseconds since 1970. */
  readonly since: number
  readonly until?: number
  /** Where the editor shows it. */
  readonly node?: { readonly id: string; readonly name: string; readonly flow: string }
  /** Id of the client's config node. */
  readonly client?: string
  /** What else the payload says: `documentId`, `code`, … */
  readonly details?: Readonly<Record<string, unknown>>
  /** For how long it is not said again; three months when absent. */
  readonly onceMs?: number
}

/** What is kept of an alert, and sent. */
export interface AlertPayload {
  readonly kind: AlertKind
  readonly title: string
  readonly who: readonly string[]
  /** ISO 8601. */
  readonly since: string
  readonly until?: string
  readonly sentence: string
  /** Opens the editor at the node; empty when that address is not known. */
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
