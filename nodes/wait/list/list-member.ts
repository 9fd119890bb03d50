/** Connects one "wait" node to the list watch of its client. */
import { inChunks } from '../../../lib/common/in-chunks'
import { listAll } from '../../../lib/store/list-all'
import type { Store } from '../../../lib/store/store'
import type { Details } from '../details'
import type { ListWatch } from './list-watch'

export interface ListMember {
  /** Whether the list reports when a document changes; if so, each document is polled less often. */
  isCovering(): boolean
  /** Whether the list has just woken the waits for this document, but shows nothing new about it. True only once. */
  takeKnown(documentId: string, details: Details | undefined): boolean
  /** Whether this wait is due only because the list no longer reports changes of its document. True only once. */
  takeUncovered(wait: string): boolean
  /** Called when the list no longer reports changes, so that each document is polled individually again. */
  pollIndividually(): Promise<void>
}

/** Number of waits woken per turn of the event loop. */
const wokenAtOnce = 1_000

export function createListMember(watch: Pick<ListWatch, 'isCovering' | 'takeKnown'>, store: Store): ListMember {
  const uncovered = new Set<string>()
  return {
    isCovering: () => watch.isCovering(),
    takeKnown: (documentId, details) => watch.takeKnown(documentId, details),
    takeUncovered: (wait) => uncovered.delete(wait),
    async pollIndividually() {
      await inChunks(await listAll(store), wokenAtOnce, async (part) => {
        for (const { id } of part) uncovered.add(id)
        await store.makeDue(part.map(({ subject }) => subject))
      })
    },
  }
}
