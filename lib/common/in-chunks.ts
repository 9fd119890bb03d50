/** Processes a large number of items in parts, so that the event loop stays responsive. */
import { nextTurn } from './event-loop'

/**
 * Passes at most `size` items at a time to `task`. The first part is passed immediately, each further part in a later
 * turn of the event loop.
 */
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

/** Runs `task` for every item, at most `size` at a time. */
export function atOnce<T>(items: readonly T[], size: number, task: (item: T) => Promise<void>): Promise<void> {
  return inChunks(items, size, async (part) => void (await Promise.all(part.map(task))))
}
