/** The interface for storing the texts of items by name, implemented for files and for context stores. */
import { codeOf } from '../../common/patiently'

/** The errors of the items that can't be read at the moment, keyed by the name of the item. */
export type Late = ReadonlyMap<string, unknown>

export interface TextLog {
  /**
   * Passes every stored text to `found`. If the text is not an item, `found` throws, and `unreadable` is called with
   * the error. Resolves with the errors of the texts that can't be read at the moment but may be readable later.
   * Rejects if nothing at all can be read.
   */
  load(found: (name: string, text: string) => void, unreadable: (error: unknown) => void): Promise<Late>
  /** Returns one text. Rejects if it can't be read. */
  read(name: string): Promise<string>
  /**
   * Writes the texts. If a text is undefined, the stored text is removed. Never rejects: resolves with the errors of
   * the changes that failed, keyed by name.
   */
  write(changes: ReadonlyMap<string, string | undefined>): Promise<ReadonlyMap<string, unknown>>
  /** Removes everything. */
  clear(): Promise<void>
  /** Resolves when written data would survive a power cut. */
  flush(): Promise<void>
}

/**
 * True for temporary errors: too many open files, a disconnected network drive, permissions that a person corrects.
 * False for a text that is missing or that this package did not write.
 */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return 'syscall' in error && !/^(ENOENT|EISDIR)$/.test(String(error.code))
}

/** The reason of an error as a single word, without any stored data. */
export function reasonOf(error: unknown): string {
  return codeOf(error) || '@reasons.unknown'
}
