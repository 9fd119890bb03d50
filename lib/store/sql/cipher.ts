/** Encrypts what is stored in a database if the user has set a key (AES-256-GCM). */
import { createCipheriv, createDecipheriv, createHash, hash, randomBytes, scryptSync } from 'node:crypto'

export interface Cipher {
  /** Identifies the key; empty if there is no key. Rows that were encrypted with another key are left unchanged. */
  readonly id: string
  /** Encrypts a text. `aad` binds the text to its row: in another row, it can't be decrypted. */
  encrypt(text: string, aad: string): string
  /** Throws if the text was changed or moved to another row. */
  decrypt(encrypted: string, aad: string): string
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** The cipher if no key is set: it leaves the text unchanged. */
const plain: Cipher = { id: '', encrypt: (text) => text, decrypt: (text) => text }

/** How many digits of its hash come before a text. */
const checkDigits = 8
const checkOf = (text: string, aad: string) => hash('sha256', `${aad}\n${text}`).slice(0, checkDigits)

/** Leaves the text readable, and notices if a disk has changed a byte of it. */
export const checking: Cipher = {
  id: '',
  encrypt: (text, aad) => checkOf(text, aad) + text,
  decrypt(stored, aad) {
    const text = stored.slice(checkDigits)
    if (checkOf(text, aad) !== stored.slice(0, checkDigits)) throw new Error('changed by the disk')
    return text
  },
}

/**
 * Creates the cipher. Any text may be the key. Deriving the key takes about 50 ms, so that guessing keys takes long.
 */
export function createCipher(secret: string): Cipher {
  if (secret === '') return plain
  const key = scryptSync(secret, 'eid-store', 32)
  return {
    id: createHash('sha256').update(key).digest('hex').slice(0, 16),
    encrypt(text, aad) {
      const iv = randomBytes(ivBytes)
      const engine = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(aad))
      const parts = [engine.update(text, 'utf8'), engine.final()]
      return Buffer.concat([iv, engine.getAuthTag(), ...parts]).toString('base64')
    },
    decrypt(encrypted, aad) {
      const bytes = Buffer.from(encrypted, 'base64')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(aad))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
