/** All batches of one node: takes lists, hands them to the sender, reports, and goes on after a restart. */
import { setMaxListeners } from 'node:events'
import { sleep } from '../../../lib/api/call/retry'
import type { Clock } from '../../../lib/store/clock'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { deserializeMessage, serializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Store } from '../../../lib/store/store'
import { BatchSet, createBatch, type Batch, type Origin } from './batch-state'
import type { List } from '../rows/parse-list'
import * as kept from './storage'
import type { Head } from './storage'
import { mergeList } from '../rows/merge-list'
import type { RowEnd } from '../rows/row'
import { Rows } from '../rows/rows'
import { createSender, type SenderOptions, type Standstill } from './dispatcher'

export interface BatchesOptions extends Omit<SenderOptions, 'batches' | 'signal' | 'ended'> {
  readonly store: Store
  readonly clock: Clock
  /** All rows of a batch have ended. `msg` is the message that brought the list. */
  report(batch: Batch, msg: FlowMessage): Promise<void>
}

export interface Batches {
  /** Goes on with what an earlier run has left. `flowGoesOn`: its rows that are out are still in the flow. */
  start(flowGoesOn?: boolean): Promise<void>
  /**
   * Takes a list. Rejects with an EidError when it can't be taken; then it is not part of anything. What came with a
   * `letter` is taken once: a letter is thrown away only when its list is taken, and a kill may come in between.
   */
  take(id: string, list: List, msg: FlowMessage, origin: Origin | undefined, letter?: string): Promise<void>
  /** Takes a row back: false when there is no such row. Resolves when that is written down. */
  end(id: string, key: string, sent: number | undefined, end: RowEnd): Promise<boolean>
  /** Without an id: all. */
  pause(id: string | undefined, paused: boolean): Promise<void>
  /** Writes down what others are to see of those that run. */
  note(progress: ReadonlyMap<string, object>): Promise<void>
  /** Forgets batches; their rows that are out are nobody's any more. Without an id: all. */
  reset(id: string | undefined): Promise<void>
  /** Those that have not ended. */
  all(): readonly Batch[]
  /** How many rows have ended since the node was started. */
  ended(): number
  /** Undefined while rows come back, or none is out. */
  standstill(): Standstill | undefined
  /** Sends nothing more; resolves when nothing is on its way to the store. */
  stop(): Promise<void>
}

const retryMs = 2_000
/** A letter is read for the last time soon after its list was taken. */
const keptLetters = 20

export function createBatches(options: BatchesOptions): Batches {
  const { store, clock, changed, failed } = options
  const batches = new BatchSet()
  const stop = new AbortController()
  const { signal } = stop
  // While nothing can be written down, every row that is out waits for that.
  setMaxListeners(0, signal)
  let started = false
  let queue = Promise.resolve()

  /** Whatever changes which rows there are happens one after the other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.then(
      () => undefined,
      () => undefined,
    )
    return result
  }
  const ended = (batch: Batch) => void inTurn(() => finish(batch)).catch(failed)
  const sender = createSender({ ...options, batches, signal, ended })
  const pump = () => void (started && sender.pump())

  const setHead = async (batch: Batch, changes: Partial<Head>) => {
    const head = { ...batch.head, ...changes }
    await kept.saveHead(store, head)
    batch.head = head
  }
  /** In its turn: otherwise it would undo what is just being written down of the head. */
  const note = async (batch: Batch, progress: ReadonlyMap<string, object>) => {
    const { head } = batch
    const runs = batches.get(head.id) === batch && head.stage === 'running' && !signal.aborted
    if (runs) await kept.saveHead(store, head, progress.get(head.id))
  }
  const finish = async (batch: Batch): Promise<void> => {
    const { id } = batch.head
    if (batches.get(id) !== batch || !batch.rows.haveEnded || signal.aborted) return
    try {
      await setHead(batch, { stage: 'reporting' })
      if (!batch.reported) await report(batch)
      await kept.keepEnds(store, batch.head, batch.rows.all)
      await setHead(batch, { stage: 'ended' })
      batches.delete(id)
      changed()
    } catch (error) {
      failed(error)
      sleep(retryMs, signal)
        .then(() => ended(batch))
        .catch(() => undefined)
    }
  }
  const report = async (batch: Batch) => {
    const msg = batch.origins.at(-1)?.msg ?? deserializeMessage(batch.head.msg)
    if (batch.wasReporting) msg.redelivered = true
    await options.report(batch, msg)
    batch.reported = true
    for (const origin of batch.origins.splice(0)) origin.done()
  }

  const open = async (head: Head) => createBatch(store, head, new Rows(await kept.loadStates(store, head)), [])
  const find = async (id: string): Promise<Batch | undefined> => {
    const head = batches.has(id) ? undefined : await kept.findHead(store, id)
    return head ? open(head) : batches.get(id)
  }
  /** From now on it is worked on; its rows are written down. */
  const begin = (batch: Batch, isNew: boolean, flowGoesOn = false) => {
    batches.set(batch.head.id, batch)
    if (isNew) sender.recover(batch, flowGoesOn)
    changed()
    if (batch.rows.haveEnded) ended(batch)
  }
  const take = async (id: string, list: List, msg: FlowMessage, origin: Origin | undefined, letter?: string) => {
    const isNew = !batches.has(id)
    const before = await find(id)
    if (letter !== undefined && before?.head.letters?.includes(letter)) return
    if (before) before.replaced = true
    try {
      const { head, rows } = await keep(id, list, msg, before, letter)
      const origins = [...(before?.origins ?? []), ...(origin ? [origin] : [])]
      begin(createBatch(store, head, new Rows(rows), origins), isNew)
    } catch (error) {
      if (before) before.replaced = false
      throw error
    } finally {
      // Also when it was not taken: meanwhile nothing was sent from the one before.
      pump()
    }
    if (before) await kept.forgetRows(store, before.head).catch(failed)
  }
  /** Writes the list down, together with what has happened to the one before. Leaves nothing behind when it rejects. */
  const keep = async (id: string, list: List, msg: FlowMessage, before: Batch | undefined, letter?: string) => {
    const { rows, listed } = await mergeList(before, list, options.translate)
    const running = before?.head.stage === 'running' ? before.head : undefined
    const head: Head = {
      ...{ id, stage: 'running', generation: (before?.head.generation ?? 0) + 1, total: rows.length },
      ...{
        paused: running?.paused ?? false,
        started: running?.started ?? clock.epochNow(),
        msg: serializeMessage(msg),
      },
      letters: [...(before?.head.letters ?? []), ...(letter === undefined ? [] : [letter])].slice(-keptLetters),
    }
    try {
      await kept.saveRows(store, head, rows, listed)
      await kept.saveHead(store, head)
    } catch (error) {
      await kept.forgetRows(store, head).catch(failed)
      throw error
    }
    return { head, rows }
  }
  const forget = async (batch: Batch) => {
    batches.delete(batch.head.id)
    sender.forget(batch)
    await kept.forgetHead(store, batch.head.id)
    await kept.forgetRows(store, batch.head)
    for (const origin of batch.origins.splice(0)) origin.done()
  }

  return {
    all: () => [...batches.values()],
    ended: () => sender.count(),
    standstill: () => sender.standstill(),
    start: (flowGoesOn) =>
      inTurn(async () => {
        for (const head of await kept.unfinished(store)) {
          if (!signal.aborted && !batches.has(head.id)) begin(await open(head), true, flowGoesOn)
        }
        started = true
        pump()
      }),
    take: (id, list, msg, origin, letter) => inTurn(() => take(id, list, msg, origin, letter)),
    async note(progress) {
      for (const batch of [...batches.values()]) await inTurn(() => note(batch, progress))
    },
    async end(id, key, sent, end) {
      // A list may just be taking the place of the one before.
      await queue
      const batch = batches.get(id)
      const row = batch?.rows.find(key)
      if (batch && row) await sender.end(batch, row, sent, end)
      return row !== undefined
    },
    pause: (id, paused) =>
      inTurn(async () => {
        for (const batch of batches.values()) {
          const isMeant = id === undefined || batch.head.id === id
          if (isMeant && batch.head.paused !== paused) await setHead(batch, { paused })
        }
        changed()
        pump()
      }),
    reset: (id) =>
      inTurn(async () => {
        const found = id === undefined ? [...batches.values()] : [await find(id)]
        for (const batch of found) if (batch) await forget(batch)
        changed()
        pump()
      }),
    async stop() {
      stop.abort()
      await queue
      await sender.stop()
    },
  }
}
