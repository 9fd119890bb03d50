/** Ids of items, and the names under which they are kept: safe as file names. */
import { createHash, randomBytes } from 'node:crypto'

/** What `newId` makes. */
const ownName = /^w[0-9a-f]{22}$/

/** A unique id. It is its own name, so that what is kept under it weighs less. */
export function newId(): string {
  return compactText(`w${randomBytes(11).toString('hex')}`)
}

/** An id may hold anything; the name of a file or of a context key may not. */
export function nameOf(id: string): string {
  if (ownName.test(id)) return id
  return compactText(`e${createHash('sha256').update(id).digest('hex').slice(0, 32)}`)
}

/** The same text in one piece: what is put together of parts holds on to them. */
export function compactText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}
