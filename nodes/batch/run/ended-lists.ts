/**
 * The ended lists of a node, and what can still happen to them: the changed rows of a list are sent as a list of their
 * own, or a row comes back with an error after its list was reported as done.
 */
import type { Translate } from '../../../lib/api/errors/texts'
import type { EndedBatch } from '../../../lib/runtime/monitor/batches'
import type { SentRow } from '../rows/row-message'
import { isPlainObject } from '../../../lib/common/plain-object'
import { listAll } from '../../../lib/store/list-all'
import type { Store } from '../../../lib/store/store'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { isOfAnother, openBatch, type Batch } from './batch-state'
import { fingerprintOf, type ListedRow, type ReadList } from '../rows/read-list'
import { changedKeyOf, changedListOf, digest, type RowEnd } from '../rows/row'
import { placeOf, type RowPlace } from '../rows/rows'
import { partlyFailed, type Failure } from '../rows/verdict'
import { findHead, keepEnds } from './storage'

export interface EndedLists {
  /** Adds a list that has just ended; `changed` are its rows that can be sent as new contracts. */
  note(batch: Omit<EndedBatch, 'node' | 'changed'>, changed: ReadList | undefined): void
  /** Adds lists that ended before Node-RED started; for these, it is no longer known which rows had changed. */
  restore(batches: readonly Omit<EndedBatch, 'node' | 'changed'>[]): void
  /** Returns the ended lists, most recent first. */
  list(): readonly Omit<EndedBatch, 'node'>[]
  /**
   * Sends the changed rows of a list through `send`, only once. False if no row has changed. Rejects as `send` does.
   */
  sendChanged(id: string, send: (list: ReadList) => Promise<boolean>): Promise<boolean>
  /**
   * Notes that the list of changed rows with this id has ended: those of its rows that are done no longer count as
   * failed in the original list. Returns the id of the original list if none of its rows counts as failed any more.
   */
  endChanged(id: string, isDone: (key: string) => boolean): string | undefined
  /** Forgets the list with this id or, without an id, all lists. */
  forget(id?: string): void
}

interface Ended {
  batch: Omit<EndedBatch, 'node' | 'changed'>
  changed: ReadList | undefined
  /** The changed rows that were sent and have not ended. */
  sent?: ReadList | undefined
}

/** Maximum number of lists kept per node. More would only use memory, because the reports contain all lists. */
const kept = 5

/** The lists by the id of their node. A deploy creates a new node object, and the lists remain. */
const ofNodes = new Map<string, EndedLists>()

export function endedListsOf(nodeId: string): EndedLists {
  const lists = ofNodes.get(nodeId) ?? createEndedLists()
  ofNodes.set(nodeId, lists)
  return lists
}

/** Forgets the lists of a node that has been removed. */
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
      if (!ended?.sent) return undefined
      const { batch, sent } = ended
      const count = sent.list.rows.filter(({ key }) => isDone(key)).length
      ended.batch = { ...batch, done: batch.done + count, failed: batch.failed - count }
      ended.sent = undefined
      return ended.batch.failed === 0 ? batch.id : undefined
    },
    forget,
  }
}

export type EndedSummary = Omit<EndedBatch, 'node' | 'changed'>

/** The ended batches, in no particular order. Batches of an earlier version, which stored no end, are left out. */
export async function endedSummaries(store: Store): Promise<EndedSummary[]> {
  const heads = (await listAll(store)).filter(({ id }) => id.startsWith('head/'))
  return heads.flatMap(({ summary }) => {
    if (!isPlainObject(summary) || typeof summary.id !== 'string' || typeof summary.ended !== 'number') return []
    const { id, total, done, failed, started, ended } = summary as unknown as EndedSummary
    return [{ id, total, done, failed, started, ended }]
  })
}

/** Adds a batch whose rows have all ended to the lists. Rejects as the store does. */
export async function noteEnded(lists: EndedLists, batch: Batch, ended: number): Promise<void> {
  const { id, started } = batch.head
  const { total, done, failed } = batch.rows.counts
  lists.note({ id, total, done, failed, started, ended }, await changedRows(batch))
}

/** The list of rows that are done and have changed; undefined if there is no such row. Rejects as the store does. */
async function changedRows({ head, rows, journal }: Batch): Promise<ReadList | undefined> {
  const listed: ListedRow[] = []
  for (const [index, { key, phase, changed }] of rows.all.entries()) {
    const said = phase === 'done' && changed ? await journal.content(index) : undefined
    if (!said) continue
    const fingerprint = fingerprintOf(said.content)
    listed.push({ key: changedKeyOf(key, fingerprint), fingerprint, content: said.content })
  }
  if (listed.length === 0) return undefined
  const fingerprint = digest(listed.map(({ fingerprint }) => fingerprint).join())
  return { id: changedListOf(head.id), list: { rows: listed, fingerprint }, msg: deserializeMessage(head.msg) }
}

interface LateOptions {
  readonly store: Store
  readonly translate: Translate
}

interface LateEnd {
  /** Whether an ended list has this row. */
  readonly isKnown: boolean
  /** Set if the row failed after its list was reported as done. */
  readonly failure?: { readonly place: RowPlace; readonly problem: string }
}

/**
 * Handles a row that comes back after its list has ended. If the row failed, it is listed as *look first* when the list
 * is sent again.
 */
export async function endLate(
  { store, translate }: LateOptions,
  { id, key, sent, run }: SentRow,
  end: RowEnd,
): Promise<LateEnd> {
  const head = await findHead(store, id)
  if (head?.stage !== 'ended' || !end.failed || isOfAnother(head, run)) return { isKnown: false }
  const { rows } = await openBatch(store, head, translate)
  const row = rows.find(key)
  if (!row || row.phase !== 'done' || (sent ?? row.sent) !== row.sent) return { isKnown: row !== undefined }
  const { result }: Failure = partlyFailed(end, translate)
  rows.end(row, { ...end, result }, 1)
  await keepEnds(store, head, rows.all)
  const place = { ...placeOf({ head, rows }, row), key: row.alias || row.key }
  return { isKnown: true, failure: { place, problem: end.result.problem ?? '' } }
}
