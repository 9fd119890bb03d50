/** Encrypts what lies in a database, when the person has given a key (AES-256-GCM). */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'

export interface Seal {
  /** Which key it is; empty without one. Rows of another key are left alone. */
  readonly id: string
  /** `place` binds the text to its row: moved to another one, it can't be opened. */
  close(text: string, place: string): string
  /** Throws when the text was changed or moved. */
  open(sealed: string, place: string): string
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** The text as it is. */
const noSeal: Seal = { id: '', close: (text) => text, open: (text) => text }

/** Any text may be the key; takes about 50 ms, so that guessing takes long. */
export function createSeal(secret: string): Seal {
  if (secret === '') return noSeal
  const key = scryptSync(secret, 'eid-store', 32)
  return {
    id: createHash('sha256').update(key).digest('hex').slice(0, 16),
    close(text, place) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(place))
      const parts = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([iv, cipher.getAuthTag(), ...parts]).toString('base64')
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(place))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
