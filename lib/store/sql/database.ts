/** What a store needs of a database. Each driver implements it. */
import type { Statements } from './statements'

export interface Database {
  /** Separates those who share a database. */
  readonly namespace: string
  readonly statements: Statements
  /**
   * Runs one statement as a separate transaction. The statement waits until its turn comes. Rejects with an EidError,
   * also if the database can't be reached any more while the statement waits. `repeatForMs` is set for a statement that
   * may safely run twice: if its response was lost with the connection, the statement is repeated for this many
   * milliseconds.
   */
  run(text: string, values: readonly unknown[], repeatForMs?: number): Promise<Record<string, unknown>[]>
  /** Resolves when all calls have been made that should go together in one statement. */
  collect(): Promise<void>
  /** Resolves when this node may have work, or the signal is aborted. */
  ready(node: string, kind: string, signal: AbortSignal): Promise<void>
  /** Wakes this node, which has work in this many milliseconds. */
  notify(node: string, kind: string, dueMs: number): void
  /**
   * Notifies the listener when the database does not work any more, and when it works again. Returns a function that
   * stops these notifications.
   */
  watch(listener: (works: boolean, error?: unknown) => void): () => void
}
