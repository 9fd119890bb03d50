/** Keeps a new wait so that its message ends once: here with an error, or when the wait ends, never in both ways. */
import { sleep } from '../../lib/api/call/retry'
import type { NewItem, Store } from '../../lib/store/store'

/** Until it is known that a shared store has it, no other Node-RED takes it. */
const unconfirmedMs = 5_000
/** When it is unknown whether it was kept: how often, and after which pause, it is tried to take it back. */
const tries = 5
const pauseMs = 300

/** Rejects as `put` does, once what may have been kept has been taken back. */
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
  // It comes to the same, a little later, when this does not work.
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
