/** Works through very many things a part at a time, so that the turns of the loop stay short. */
import { nextTurn } from './event-loop'

/** Hands over so many at a time, each part in a turn of its own; the first one at once. */
export async function inChunks<T>(
  items: readonly T[],
  size: number,
  task: (part: readonly T[]) => Promise<void> | void,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await nextTurn()
    await task(items.slice(at, at + size))
  }
}
