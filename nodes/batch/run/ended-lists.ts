/**
 * Remembers for the sidebar which lists of a node have ended, with their rows that can be sent as new contracts, and
 * which lists were refused.
 */
import { changedListOf, type EndedBatch, type FailedRow, type RefusedBatch } from '../../../lib/runtime/monitor/batches'
import { hosted, type HostOwner } from '../../../lib/runtime/node-red/host'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { fingerprintOf, type ListedRow, type ReadList } from '../rows/read-list'
import { failedRowsOf } from '../rows/failed-rows'
import { changedKeyOf } from '../rows/row'
import type { Batch } from './batch-state'
import type { EndedSummary } from './storage'

export interface EndedLists {
  /** Adds a list that ended at `at`, in milliseconds since 1970. Rejects as the store does. */
  note(batch: Batch, at: number, csv: string | Buffer): Promise<void>
  /** The report of an ended list with all columns; undefined after a restart. */
  report(id: string): string | Buffer | undefined
  /** Adds lists that ended before Node-RED started; for these, it is no longer known which rows had changed. */
  restore(batches: readonly EndedSummary[]): void
  /** Returns the ended lists, most recent first. */
  list(): readonly Omit<EndedBatch, 'node'>[]
  /**
   * Sends the changed rows of a list through `send`, only once. False if no row has changed. Rejects as `send` does.
   */
  sendChanged(id: string, send: (list: ReadList) => Promise<boolean>): Promise<boolean>
  /**
   * Notes that the list of changed rows with this id has ended: those of its rows that are done count as done in the
   * original list.
   */
  endChanged(id: string, isDone: (key: string) => boolean): void
  /** Notes which rows of an ended list have an error now. */
  noteFailures(id: string, failures: readonly FailedRow[]): void
  /** Adds a list that was refused at `at`, in milliseconds since 1970. */
  refuse(list: ReadList, why: RefusedBatch['why'], at: number): void
  /** Returns the refused lists, most recent first. */
  refused(): readonly Omit<RefusedBatch, 'node'>[]
  /** Sends a refused list through `send`, only once. False if no such list was refused. Rejects as `send` does. */
  sendRefused(id: string, send: (list: ReadList) => Promise<void>): Promise<boolean>
  /** Forgets the list with this id or, without an id, all lists. */
  forget(id?: string): void
}

interface Ended {
  batch: EndedSummary
  changed: ReadList | undefined
  csv?: string | Buffer
  /** The changed rows that were sent and have not ended. */
  sent?: ReadList | undefined
}

interface Refusal {
  readonly list: ReadList
  readonly why: RefusedBatch['why']
  readonly at: number
}

/** Maximum number of lists kept per node. More would only use memory, because the reports contain all lists. */
const kept = 5

/** The lists by the id of their node. A deploy creates a new node object, and the lists remain. */
const createOfNodes = () => new Map<string, EndedLists>()

export function endedListsOf(RED: HostOwner, nodeId: string): EndedLists {
  const ofNodes = hosted(RED, createOfNodes)
  const lists = ofNodes.get(nodeId) ?? createEndedLists()
  ofNodes.set(nodeId, lists)
  return lists
}

/** Forgets the lists of a node that has been removed. */
export function forgetEndedListsOf(RED: HostOwner, nodeId: string): void {
  hosted(RED, createOfNodes).delete(nodeId)
}

function createEndedLists(): EndedLists {
  let lists: Ended[] = []
  let refusals: Refusal[] = []
  const forget = (id?: string) => {
    lists = lists.filter(({ batch }) => id !== undefined && batch.id !== id)
    refusals = refusals.filter(({ list }) => id !== undefined && list.id !== id)
  }
  return {
    async note(batch, ended, csv) {
      const { id, started } = batch.head
      const { total, done, failed, changed } = batch.rows.counts
      const resent = await changedRows(batch)
      forget(id)
      const summary = { id, total, done, failed, changed, started, ended, failures: failedRowsOf(batch) }
      lists = [{ batch: summary, changed: resent, csv }, ...lists].slice(0, kept)
    },
    report: (id) => lists.find(({ batch }) => batch.id === id)?.csv,
    restore(batches) {
      const added = batches.filter(({ id }) => !lists.some(({ batch }) => batch.id === id))
      const all = [...lists, ...added.map((batch): Ended => ({ batch, changed: undefined }))]
      lists = all.sort((one, other) => other.batch.ended - one.batch.ended).slice(0, kept)
    },
    list: () => lists.map(({ batch, changed }) => ({ ...batch, offersChanged: changed !== undefined })),
    async sendChanged(id, send) {
      const ended = lists.find(({ batch }) => batch.id === id)
      const changed = ended?.changed
      if (!changed) return false
      // The rows are taken first, because two people may press the button at the same time.
      ended.changed = undefined
      const isSent = await send(changed).catch((error: unknown) => {
        ended.changed = changed
        throw error
      })
      if (isSent) ended.sent = changed
      else ended.changed = changed
      return isSent
    },
    endChanged(id, isDone) {
      const ended = lists.find(({ sent }) => sent?.id === id)
      if (!ended?.sent) return
      const { batch, sent } = ended
      const count = sent.list.rows.filter(({ key }) => isDone(key)).length
      ended.batch = { ...batch, done: batch.done + count, changed: batch.changed - count }
      ended.sent = undefined
    },
    noteFailures(id, failures) {
      const ended = lists.find(({ batch }) => batch.id === id)
      if (ended) ended.batch = { ...ended.batch, failures }
    },
    refuse(list, why, at) {
      refusals = [{ list, why, at }, ...refusals.filter((one) => one.list.id !== list.id)].slice(0, kept)
    },
    refused: () => refusals.map(({ list: { id, list }, why, at }) => ({ id, total: list.rows.length, why, at })),
    async sendRefused(id, send) {
      const found = refusals.find(({ list }) => list.id === id)
      if (!found) return false
      // The list is taken out first, because two people may press the button at the same time.
      refusals = refusals.filter((one) => one !== found)
      await send(found.list).catch((error: unknown) => {
        refusals = [found, ...refusals]
        throw error
      })
      return true
    },
    forget,
  }
}

/** The list of rows that are done and have changed; undefined if there is no such row. Rejects as the store does. */
async function changedRows({ head, rows, journal }: Batch): Promise<ReadList | undefined> {
  const listed: ListedRow[] = []
  for (const [index, { key, phase, changed }] of rows.all.entries()) {
    const said = phase === 'done' && changed ? await journal.content(index) : undefined
    if (!said) continue
    const fingerprint = fingerprintOf(said.content)
    listed.push({ ...said, key: changedKeyOf(key, fingerprint), fingerprint })
  }
  if (listed.length === 0) return undefined
  return { id: changedListOf(head.id), list: { rows: listed }, msg: deserializeMessage(head.msg) }
}
