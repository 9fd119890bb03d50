/** Reads what the Node-REDs of a test have shown and kept. */
import type { Started } from '../support/node-red/killable'

/** Whether the status below a node has said this, after this many messages. */
export function hasShown({ arrived }: Started, node: string, text: RegExp, after = 0): boolean {
  return arrived.slice(after).some(({ at, msg }) => at === `status of ${node}` && text.test(String(msg.text ?? '')))
}

/** What a row of the table holds, and who has it. */
export const pairOf = ({ key, owner }: Record<string, string>) => `${key} ${owner}`

/** Prints figures where they are wanted. */
export function figures(row: object): void {
  if (process.env.EID_FIGURES) console.table([row])
}
