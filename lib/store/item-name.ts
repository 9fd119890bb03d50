/** Ids of items, and the names under which items are stored. These names are safe as file names. */
import { createHash, randomBytes } from 'node:crypto'

/** The format of ids from `newId`. */
const ownName = /^w[0-9a-f]{22}$/

/** A unique id that is also the item's name, so that the entry takes less memory. */
export function newId(): string {
  return compactText(`w${randomBytes(11).toString('hex')}`)
}

/** The name for an id. An id may contain any characters, but a file name or context key may not. */
export function itemName(id: string): string {
  if (ownName.test(id)) return id
  return compactText(`e${createHash('sha256').update(id).digest('hex').slice(0, 32)}`)
}

/** The same text stored in one piece, because a concatenated string keeps its parts in memory. */
export function compactText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}
