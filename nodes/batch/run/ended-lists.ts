/** The latest ended lists of a node, and what can still be done with them. */
import type { EndedBatch } from '../../../lib/runtime/monitor/batches'
import type { ReadList } from '../rows/read-message'

export interface EndedLists {
  /** `changed` are the rows that can be sent as new contracts. */
  note(batch: Omit<EndedBatch, 'node' | 'changed'>, changed: ReadList | undefined): void
  /** Adds lists that ended before Node-RED started; which of their rows had changed is no longer known. */
  restore(batches: readonly Omit<EndedBatch, 'node' | 'changed'>[]): void
  /** Most recent first. */
  list(): readonly Omit<EndedBatch, 'node'>[]
  /** Sends the changed rows of a list, once, through `send`. False if no row has changed. Rejects as `send` does. */
  sendChanged(id: string, send: (list: ReadList) => Promise<boolean>): Promise<boolean>
  /** Without an id: all. */
  forget(id?: string): void
}

interface Ended {
  readonly batch: Omit<EndedBatch, 'node' | 'changed'>
  changed: ReadList | undefined
}

/** More would only use memory; the reports have all of them. */
const kept = 5

/** Keyed by the node's id: a deploy creates a new node, and the lists remain. */
const ofNodes = new Map<string, EndedLists>()

export function endedListsOf(nodeId: string): EndedLists {
  const lists = ofNodes.get(nodeId) ?? createEndedLists()
  ofNodes.set(nodeId, lists)
  return lists
}

/** For a node that has been removed. */
export function forgetEndedListsOf(nodeId: string): void {
  ofNodes.delete(nodeId)
}

function createEndedLists(): EndedLists {
  let lists: Ended[] = []
  const forget = (id?: string) => void (lists = lists.filter(({ batch }) => id !== undefined && batch.id !== id))
  return {
    note(batch, changed) {
      forget(batch.id)
      lists = [{ batch, changed }, ...lists].slice(0, kept)
    },
    restore(batches) {
      const added = batches.filter(({ id }) => !lists.some(({ batch }) => batch.id === id))
      const all = [...lists, ...added.map((batch): Ended => ({ batch, changed: undefined }))]
      lists = all.sort((one, other) => other.batch.ended - one.batch.ended).slice(0, kept)
    },
    list: () => lists.map(({ batch, changed }) => ({ ...batch, changed: changed?.list.rows.length ?? 0 })),
    async sendChanged(id, send) {
      const ended = lists.find(({ batch }) => batch.id === id)
      const changed = ended?.changed
      if (!changed) return false
      // Two people may press the button at the same time.
      ended.changed = undefined
      const isSent = await send(changed).catch((error: unknown) => {
        ended.changed = changed
        throw error
      })
      if (!isSent) ended.changed = changed
      return isSent
    },
    forget,
  }
}
