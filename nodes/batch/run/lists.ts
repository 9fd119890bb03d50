/**
 * Changes the lists of a node in its store: takes, pauses, ends or drops one.
 *
 * A batch: running -> reporting (all rows have ended) -> ended (kept for a while, because a list sent again must know
 * which rows are done). Each stage is stored before its work is done.
 */
import { randomUUID } from 'node:crypto'
import { inputError, nodeError, type EidError } from '../../../lib/api/errors/errors'
import type { Translate } from '../../../lib/api/errors/texts'
import { changedListOf, type FailedRow } from '../../../lib/runtime/monitor/batches'
import type { OwnedRow } from '../../../lib/runtime/monitor/row-owners'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { deserializeMessage, serializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Clock } from '../../../lib/store/clock'
import type { Store } from '../../../lib/store/store'
import { mergeRows, type SentAgain } from '../rows/merge-rows'
import type { List, ReadList } from '../rows/read-list'
import { cameBackWell, failedRowsOf } from '../rows/failed-rows'
import { changedKeyOf, type Row, type RowEnd } from '../rows/row'
import type { SentRow } from '../rows/row-message'
import { rowPlaceOf, Rows, type RowPlace } from '../rows/rows'
import { partlyFailed } from '../rows/verdict'
import type { SentRows } from './sent-rows'
import { createBatch, isOfAnother, type Batch, type BatchSet, type Origin } from './batch-state'
import {
  findHead,
  forgetBatch,
  forgetRows,
  keepEnds,
  loadStates,
  nameOfBatch,
  readKept,
  saveHead,
  saveList,
  wasThere,
  type Content,
  type Head,
} from './storage'

export interface ListsOptions {
  readonly nodeId: string
  readonly store: Store
  readonly clock: Clock
  readonly translate: Translate
  /** The services, except the sandbox, that the wires lead the rows to. */
  liveServices(): readonly string[]
  /** If absent, the rows are sent whatever other nodes have sent. */
  readonly sentRows?: SentRows
}

/** A list that was taken. */
interface Taken {
  readonly batch: Batch
  /** The batch that the list replaces: an open one, or an ended one that is still stored. */
  readonly before: Batch | undefined
  /** How many rows are sent again because they only ran against another service. */
  readonly fromElsewhere: number
}

/** The result of a row that comes back after its list has ended. */
interface LateEnd {
  /** Whether an ended list has this row. */
  readonly isKnown: boolean
  /** Set if the row failed after its list was reported as done. */
  readonly failure?: { readonly place: RowPlace; readonly problem: string; readonly failures: readonly FailedRow[] }
}

/** How many commands are remembered; a command is read for the last time soon after its list was taken. */
const keptCommands = 20

export class Lists {
  readonly #options: ListsOptions
  readonly #batches: BatchSet
  readonly #headless = new Headless()

  constructor(options: ListsOptions, batches: BatchSet) {
    this.#options = options
    this.#batches = batches
  }

  /**
   * Reads the heads of the batches that an earlier run left open. `fault` is given if lists can't be resumed because
   * their heads are missing.
   */
  async readKept(): Promise<{ readonly heads: readonly Head[]; readonly fault: EidError | undefined }> {
    const { heads, headless } = await readKept(this.#options.store)
    return { heads: heads.filter(({ stage }) => stage !== 'ended'), fault: this.#headless.note(headless) }
  }

  /** Opens a batch as it was stored. */
  async open(head: Head): Promise<Batch> {
    const { store, translate } = this.#options
    return createBatch(store, head, new Rows(await loadStates(store, head, translate('rows.lostState'))), [])
  }

  /**
   * Stores a new list in place of the previous one. Undefined if the list of this command was taken before. If this
   * rejects, nothing of the new list remains.
   */
  async take(list: ReadList, origin: Origin | undefined, command: string | undefined): Promise<Taken | undefined> {
    const { id } = list
    this.#headless.check(id)
    const head = this.#batches.has(id) ? undefined : await findHead(this.#options.store, id)
    const before = head ? await this.open(head) : this.#batches.get(id)
    if (command !== undefined && before?.head.commands?.includes(command)) return undefined
    refuseOtherShape(before?.head, list)
    if (before) before.superseded = true
    try {
      return { before, ...(await this.#replace(before, list, origin, command)) }
    } catch (error) {
      if (before) before.superseded = false
      throw error
    }
  }

  async #replace(
    before: Batch | undefined,
    { id, naming, list, msg, sendAnyway = false }: ReadList,
    origin: Origin | undefined,
    command: string | undefined,
  ): Promise<Omit<Taken, 'before'>> {
    const { store, translate } = this.#options
    const sentAgain = before ? await this.#sentAgain(id) : () => undefined
    const previous = {
      rows: before?.rows.all ?? [],
      isReported: before?.head.stage === 'ended',
      isAddedTo: naming === 'none',
      now: this.#options.clock.epochNow(),
      liveServices: this.#options.liveServices(),
      sentAgain,
    }
    const { rows, listed, outdated, fromElsewhere } = mergeRows(list, previous, translate)
    const contents: (Content | undefined)[] = [...listed]
    for (const [index, row] of rows.entries()) {
      const at = before?.rows.indexOf(row) ?? -1
      // While in flight, the row keeps the content with which it was sent.
      if (at < 0 || (row.phase !== 'in flight' && contents[index] !== undefined)) continue
      contents[index] = (await before?.journal.content(at)) ?? contents[index]
    }
    const commands = [...(before?.head.commands ?? []), ...(command === undefined ? [] : [command])]
    const head: Head = {
      ...this.#newHead(before?.head, id, list),
      total: rows.length,
      past: rows.filter((row) => row.past !== undefined).length,
      msg: serializeMessage(msg),
      commands: commands.slice(-keptCommands),
    }
    const inFlight = rows.filter(({ phase }) => phase === 'in flight')
    const toSend = [...inFlight, ...rows.filter(({ phase }) => phase === 'waiting')].map((row) => row.fingerprint)
    const claimant = { id, isNamed: naming === 'own', sendAnyway, rows: toSend }
    const unclaim = await this.#options.sentRows?.claim(claimant)
    const flags = inFlight.map(({ changed }) => changed)
    // A row in flight is the same object in both lists, so its flag is set here and restored if the store fails.
    for (const row of inFlight) row.changed = outdated.has(row)
    try {
      await saveList(store, head, rows, contents)
    } catch (error) {
      await unclaim?.().catch(() => undefined)
      for (const [at, row] of inFlight.entries()) row.changed = flags[at] ?? false
      throw error
    }
    const origins = [...(before?.origins ?? []), ...(origin ? [origin] : [])]
    return { batch: createBatch(store, head, new Rows(rows), origins), fromElsewhere }
  }

  /** Finds the changed rows of this list that were sent as new contracts and are done. */
  async #sentAgain(list: string): Promise<SentAgain> {
    const head = await findHead(this.#options.store, changedListOf(list))
    const { rows } = head ? await this.open(head) : {}
    return (key, fingerprint) => {
      const row = rows?.find(changedKeyOf(key, fingerprint))
      return row?.phase === 'done' && row.fingerprint === fingerprint ? row : undefined
    }
  }

  #newHead(before: Head | undefined, id: string, list: List): Omit<Head, 'total' | 'msg' | 'commands'> {
    const running = before?.stage === 'running' ? before : undefined
    const shape = list.shape ?? before?.shape
    return {
      id,
      stage: 'running',
      generation: (before?.generation ?? 0) + 1,
      paused: running?.paused ?? false,
      started: running?.started ?? this.#options.clock.epochNow(),
      run: before?.run ?? randomUUID(),
      takenBy: before?.takenBy ?? this.#options.nodeId,
      ...(list.text && { text: list.text }),
      ...(list.columns && { columns: list.columns }),
      ...(list.fileRows && { fileRows: list.fileRows }),
      // A list without rows has no columns.
      ...(shape !== undefined && { shape }),
    }
  }

  /** Removes the stored rows of a batch that has been replaced. */
  forgetRows({ head }: Batch): Promise<void> {
    return forgetRows(this.#options.store, head)
  }

  /** Pauses or resumes the batch with this id or, without an id, all batches. */
  async pause(id: string | undefined, paused: boolean): Promise<void> {
    for (const batch of this.#batches.values()) {
      const isMeant = id === undefined || batch.head.id === id
      if (isMeant && batch.head.paused !== paused) await this.#setHead(batch, { paused })
    }
  }

  /**
   * The heads of all batches, ended ones too, or of the batch with this id; only those that existed at `since`, in
   * milliseconds since 1970.
   */
  async heads(id: string | undefined, since: number): Promise<readonly Head[]> {
    const { store } = this.#options
    const head = id === undefined ? undefined : (this.#batches.get(id)?.head ?? (await findHead(store, id)))
    const all = id === undefined ? (await readKept(store)).heads : head ? [head] : []
    const found: Head[] = []
    for (const one of all) if (await wasThere(store, one, since)) found.push(one)
    return found
  }

  /** Removes a batch with its rows from the store. */
  drop(head: Head): Promise<void> {
    return forgetBatch(this.#options.store, head)
  }

  /** Removes what is stored of lists without a head: of the list with this id or, without an id, of all. */
  dropHeadless(id: string | undefined): Promise<void> {
    return this.#headless.forget(this.#options.store, id)
  }

  /** Stores the progress of a running batch for other instances. */
  async note(batch: Batch, progress: object | undefined): Promise<void> {
    const { head } = batch
    if (this.#batches.get(head.id) === batch && head.stage === 'running')
      await saveHead(this.#options.store, head, progress)
  }

  /** Stores that the report is about to be sent; returns the message that becomes the report. */
  async startReport(batch: Batch): Promise<FlowMessage> {
    await this.#setHead(batch, { stage: 'reporting' })
    const msg = batch.origins.at(-1)?.msg ?? deserializeMessage(batch.head.msg)
    return batch.wasReporting ? Object.assign(msg, { redelivered: true }) : msg
  }

  /** Stores how the rows of a batch have ended. */
  async end(batch: Batch): Promise<void> {
    const { store, clock } = this.#options
    await keepEnds(store, batch.head, batch.rows.all)
    const { done, failed, changed } = batch.rows.counts
    const ended = clock.epochNow()
    const progress = { done, failed, changed, ended, failures: failedRowsOf(batch) }
    await this.#setHead(batch, { stage: 'ended', ended }, progress)
  }

  /**
   * Handles a row that comes back after its list has ended. If the row failed, it is listed as *look first* when the
   * list is sent again; if it was reported as failed and is back without an error, it is done.
   */
  async endLate({ id, key, sent, run }: SentRow, end: RowEnd): Promise<LateEnd> {
    const { store, translate } = this.#options
    const head = await findHead(store, id)
    if (head?.stage !== 'ended' || isOfAnother(head, run)) return { isKnown: false }
    const { rows } = await this.open(head)
    const row = rows.find(key)
    if (!row || (sent ?? row.sent) !== row.sent) return { isKnown: row !== undefined }
    if (!end.failed) {
      if (row.phase === 'failed') {
        rows.close(row, 'done', end.result)
        cameBackWell(row, end.failedIn)
        await this.#keepLate(head, rows)
      }
      return { isKnown: false }
    }
    if (row.phase !== 'done') return { isKnown: true }
    rows.end(row, { ...end, result: partlyFailed(end, row.errors, translate).result }, 1)
    const failures = await this.#keepLate(head, rows)
    return {
      isKnown: true,
      failure: { place: rowPlaceOf({ head, rows }, row), problem: end.result.problem ?? '', failures },
    }
  }

  /** The batch with this id, if it has ended. */
  async findEnded(id: string): Promise<Batch | undefined> {
    const head = await findHead(this.#options.store, id)
    return head?.stage === 'ended' ? this.open(head) : undefined
  }

  /** Changes the errors of a row whose list has ended. Returns the list's failed rows; undefined if nothing changed. */
  async changeLate(
    { batch: id, key, run }: OwnedRow,
    change: (row: Row) => boolean,
  ): Promise<readonly FailedRow[] | undefined> {
    const head = await findHead(this.#options.store, id)
    if (head?.stage !== 'ended' || isOfAnother(head, run)) return undefined
    const { rows } = await this.open(head)
    const row = rows.find(key)
    return row && change(row) ? this.#keepLate(head, rows) : undefined
  }

  /** Forgets the errors of the rows of an ended batch; their results stay. False if there is no such batch. */
  async dismissErrors(id: string): Promise<boolean> {
    const batch = await this.findEnded(id)
    if (!batch) return false
    for (const row of batch.rows.all) row.errors = undefined
    await this.#keepLate(batch.head, batch.rows, [])
    return true
  }

  async #keepLate(head: Head, rows: Rows, failures = failedRowsOf({ head, rows })): Promise<readonly FailedRow[]> {
    await keepEnds(this.#options.store, head, rows.all)
    const { done, failed, changed } = rows.counts
    await saveHead(this.#options.store, head, { done, failed, changed, ended: head.ended, failures })
    return failures
  }

  /** `progress` is for other instances to show. */
  async #setHead(batch: Batch, changes: Partial<Head>, progress = {}): Promise<void> {
    const head = { ...batch.head, ...changes }
    await saveHead(this.#options.store, head, progress)
    batch.head = head
  }
}

/** Throws EID_INVALID_INPUT if the earlier list of this name had another row key or other columns. */
function refuseOtherShape(before: Head | undefined, { id, list }: ReadList): void {
  if (before?.shape === undefined || list.shape === undefined || before.shape === list.shape) return
  throw inputError([{ path: 'rows', key: 'otherShape', params: { id } }])
}

/** Lists whose rows are stored, but whose head is missing or can't be read. */
class Headless {
  /** The items of these lists, by the names of their batches. */
  readonly #items = new Map<string, readonly string[]>()

  /** Adds lists without a head and returns the error to report; undefined if there are no such lists. */
  note(found: ReadonlyMap<string, readonly string[]>): EidError | undefined {
    for (const [name, items] of found) this.#items.set(name, items)
    return found.size > 0 ? headlessError(found.size) : undefined
  }

  /** Throws EID_FAILED if the batch with this id has no readable head. */
  check(id: string): void {
    if (this.#items.has(nameOfBatch(id))) throw headlessError(1)
  }

  /** Removes the items of the batch with this id or, without an id, of all such batches. */
  async forget(store: Store, id: string | undefined): Promise<void> {
    for (const [name, items] of this.#items) {
      if (id !== undefined && nameOfBatch(id) !== name) continue
      for (const item of items) await store.remove(item)
      this.#items.delete(name)
    }
  }
}

function headlessError(count: number): EidError {
  return nodeError('EID_FAILED', 'rows.headless', { count }, { outcome: 'unknown' })
}
