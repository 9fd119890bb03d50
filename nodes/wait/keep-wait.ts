/** Stores a new wait so that its message ends only once: either here with an error, or when the wait ends. */
import { sleep } from '../../lib/api/call/retry'
import type { NewItem, Store } from '../../lib/store/store'

/** Milliseconds during which no other Node-RED takes the wait, so that the shared store can confirm it first. */
const unconfirmedMs = 5_000
/**
 * How often the removal of a wait is tried if it is unknown whether the wait was stored, and the milliseconds between
 * two tries.
 */
const tries = 5
const pauseMs = 300

/** Stores the wait. If this fails, it removes anything that may have been stored, and then rejects as `put` does. */
export async function keepWait(
  store: Pick<Store, 'put' | 'remove' | 'makeDue'>,
  shared: boolean,
  id: string,
  item: NewItem & { readonly subject: string },
): Promise<void> {
  if (!shared) return store.put(id, { ...item, dueMs: 0 })
  try {
    await store.put(id, { ...item, dueMs: unconfirmedMs })
  } catch (error) {
    await takeBack(store, id)
    throw error
  }
  // If this fails, the wait becomes due a little later anyway.
  void store.makeDue([item.subject]).catch(() => undefined)
}

async function takeBack(store: Pick<Store, 'remove'>, id: string): Promise<void> {
  for (let number = 0; number < tries; number++) {
    const isAnswered = await store.remove(id).then(
      () => true,
      () => false,
    )
    if (isAnswered) return
    await sleep(pauseMs)
  }
}
