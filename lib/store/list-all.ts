/** Lists everything that a node stores, page by page. */
import { nextTurn } from '../common/event-loop'
import type { Listed, Store } from './store'

/** All items, in the order in which they were first stored. */
export async function listAll(store: Pick<Store, 'list'>): Promise<Listed[]> {
  const found: Listed[] = []
  for (let after: number | undefined; ;) {
    const page = await store.list({ after })
    for (const one of page) found.push(one)
    after = page.at(-1)?.position
    if (after === undefined) return found
    // Lets other work run, because a store in this process answers within the same turn of the event loop.
    await nextTurn()
  }
}
