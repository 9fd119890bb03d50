/** The interface for storing the texts of items by name, common to files and context stores. */

/** The items that can't be read now: the error, by the name of the item. */
export type Late = ReadonlyMap<string, unknown>

export interface TextLog {
  /**
   * Returns every stored text through `found`, which throws if it is not an item; then `unreadable` is called. Resolves
   * with the names that can't be read now but perhaps later, and the reasons. Rejects if nothing at all can be read.
   */
  load(found: (name: string, text: string) => void, unreadable: (error: unknown) => void): Promise<Late>
  /** One text. Rejects when it can't be read. */
  read(name: string): Promise<string>
  /** Writes the texts, and removes those that are undefined. Never rejects: resolves with what failed, by name. */
  write(changes: ReadonlyMap<string, string | undefined>): Promise<ReadonlyMap<string, unknown>>
  /** Removes everything. */
  clear(): Promise<void>
  /** Resolves when written data would survive a power cut. */
  flush(): Promise<void>
}

/**
 * True for errors that may pass: too many open files, a disconnected network drive, permissions that a person corrects.
 * False for a text that is missing or not ours.
 */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return 'syscall' in error && !/^(ENOENT|EISDIR)$/.test(String(error.code))
}

/** The reason in a word, without any of the data. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '@reasons.unknown'
}
