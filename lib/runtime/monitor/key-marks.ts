/** Hashes of keys, by which the list of errors recognizes documents and rows. Keys may be personal, so none is stored. */
import { createHash, randomUUID } from 'node:crypto'

/** Stored with the list of errors. Without it, a key that is a number could be guessed. */
let salt: string = randomUUID()

export const currentSalt = (): string => salt

/** Uses the salt of an earlier run, whose stored hashes were made with it. */
export function useSalt(stored: unknown): void {
  if (typeof stored === 'string') salt = stored
}

export function markOf(key: unknown): string | undefined {
  return typeof key === 'string' && key !== ''
    ? createHash('sha256')
        .update(salt + key)
        .digest('base64url')
        .slice(0, 12)
    : undefined
}
