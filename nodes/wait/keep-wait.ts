/** Stores a new wait so that its message ends once: here with an error, or when the wait ends, but never both. */
import { sleep } from '../../lib/api/call/retry'
import type { NewItem, Store } from '../../lib/store/store'

/** Until a shared store has confirmed it, no other Node-RED takes it. */
const unconfirmedMs = 5_000
/** How often, and after which pause, the removal of a wait is tried if it is unknown whether it was stored. */
const tries = 5
const pauseMs = 300

/** Stores the wait. Rejects as `put` does, but only after removing anything that may have been stored. */
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
  // If this fails, the same happens a little later.
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
