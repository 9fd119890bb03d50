/** Keys that "create document" generates: each contains the fingerprint of the request that it is for. */
import { randomUUID } from 'node:crypto'

/** `fingerprint` consists of sixteen hexadecimal digits. */
export const generateKey = (fingerprint: string) => `eid-${fingerprint}-${randomUUID()}`

/** The fingerprint in a generated key; undefined for any other value. */
export function fingerprintIn(key: unknown): string | undefined {
  const made = /^eid-([\da-f]{16})-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
  return typeof key === 'string' ? made.exec(key)?.[1] : undefined
}
