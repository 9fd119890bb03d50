/** Reads the statuses and stored data of a test's Node-REDs. */
import type { Started } from '../support/node-red/killable'

/** Whether the node has shown this status, leaving out the first `after` arrivals. */
export function hasShown({ arrived }: Started, node: string, text: RegExp, after = 0): boolean {
  return arrived.slice(after).some(({ at, msg }) => at === `status of ${node}` && text.test(String(msg.text ?? '')))
}

/** The key of a row in the table, and its owner. */
export const pairOf = ({ key, owner }: Record<string, string>) => `${key} ${owner}`

/** Prints figures if `EID_FIGURES` is set. */
export function figures(row: object): void {
  if (process.env.EID_FIGURES) console.table([row])
}
