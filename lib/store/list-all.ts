/** Lists everything that a node stores, page by page. */
import { nextTurn } from '../common/event-loop'
import type { Listed, Store } from './store'

/** In the order in which the items were first stored. */
export async function listAll(store: Pick<Store, 'list'>): Promise<Listed[]> {
  const found: Listed[] = []
  for (let after: number | undefined; ;) {
    const page = await store.list({ after })
    for (const one of page) found.push(one)
    after = page.at(-1)?.position
    if (after === undefined) return found
    // A store in this process answers within the same turn of the loop.
    await nextTurn()
  }
}
