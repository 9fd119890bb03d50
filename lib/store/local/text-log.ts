/** Where the texts of items are written down, each under its name: the one thing that files and context stores offer. */

/** What can't be read now: the error by the name of the item. */
export type Late = ReadonlyMap<string, unknown>

export interface TextLog {
  /**
   * Gives every text that is kept; `found` throws when it is not an item, then `unreadable` is called. Gives the names
   * that can't be read now and perhaps can later, with what prevents it. Rejects when nothing at all can be read.
   */
  load(found: (name: string, text: string) => void, unreadable: (error: unknown) => void): Promise<Late>
  /** One text. Rejects when it can't be read. */
  read(name: string): Promise<string>
  /** Writes the texts, and removes what is undefined. Never rejects: gives what didn't work, by name. */
  write(changes: ReadonlyMap<string, string | undefined>): Promise<ReadonlyMap<string, unknown>>
  /** Removes everything. */
  clear(): Promise<void>
  /** Resolves when what is written would survive the plug being pulled. */
  flush(): Promise<void>
}

/**
 * True for what the system refuses now and may allow later: too many open files, a network drive that is disconnected,
 * rights that a person corrects. False for a text that is missing or not ours.
 */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return 'syscall' in error && !/^(ENOENT|EISDIR)$/.test(String(error.code))
}

/** A word for what went wrong, without anything that was written. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '@reasons.unknown'
}
