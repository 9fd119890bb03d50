/** Processes a large number of items in parts, so that the event loop stays responsive. */
import { nextTurn } from './event-loop'

/** Passes on a limited number of items at a time, each part in its own turn of the loop; the first part immediately. */
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
