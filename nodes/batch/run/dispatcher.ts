/** Sends the rows of a node's batches at their pace, and takes them back: every row that leaves is written down first. */
import { inputError } from '../../../lib/api/errors/errors'
import { sleep } from '../../../lib/api/call/retry'
import type { Clock } from '../../../lib/store/clock'
import { tooOften } from '../../../lib/runtime/node-red/errors'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { maxDeliveries } from '../../../lib/store/store'
import type { Batch, BatchSet } from './batch-state'
import type { TellRow } from '../rows/merge-list'
import type { Pace } from './rate-limit'
import { externalIdOf, hasEnded, idsIn, type Row, type RowEnd } from '../rows/row'

export interface SenderOptions {
  readonly batches: BatchSet
  readonly nodeId: string
  readonly pace: Pace
  readonly parallel: number
  readonly attempts: number
  readonly clock: Pick<Clock, 'now'>
  /** Milliseconds for which the rows that were out at a deploy of other nodes may still come back. */
  readonly graceMs?: number
  readonly signal: AbortSignal
  emit(msg: FlowMessage): void
  changed(): void
  /** All rows of this batch have ended. */
  ended(batch: Batch): void
  readonly translate: TellRow
  failed(error: unknown): void
}

export interface Sender {
  /** Sends what may be sent now. */
  pump(): void
  /**
   * Takes back rows that were out when this node was stopped. Those that left this process are waited for: for as long
   * as it takes when the flow goes on (`flowGoesOn`), otherwise for a while; all others never come back.
   */
  recover(batch: Batch, flowGoesOn: boolean): void
  /** Takes a row back. Resolves when that is written down. */
  end(batch: Batch, row: Row, sent: number | undefined, end: RowEnd): Promise<void>
  /** The rows of this batch are nobody's any more. */
  forget(batch: Batch): void
  /** How many rows have ended so far. */
  count(): number
  /** Undefined while rows come back, or none is out. */
  standstill(): Standstill | undefined
  /** Resolves when nothing is on its way to the store; the signal has been aborted before. */
  stop(): Promise<void>
}

/** Nothing comes back any more. */
export interface Standstill {
  /** The number of the row that has been out for longest, from 1. */
  readonly row: number
  /** Since when nothing has come back, by the clock of the sender. */
  readonly since: number
}

/**
 * Rows that have left this process and have not come back, with when they left; a deploy in between changes nothing. The
 * one that has been out for longest is the first.
 */
const inFlow = new Map<string, Map<string, LeftRow>>()

interface LeftRow {
  readonly id: string
  readonly key: string
  readonly at: number
  /** Since it left, whatever held it may have been stopped. */
  doubtful?: boolean
}

/** For a node that is removed. */
export function forgetFlow(nodeId: string): void {
  inFlow.delete(nodeId)
}

/** A row that is about to leave. */
interface Taken {
  readonly id: string
  readonly row: Row
}

const defaultGraceMs = 15_000
const retryMs = 2_000
const longestTimerMs = 60_000

export function createSender(options: SenderOptions): Sender {
  const {
    batches,
    nodeId,
    pace,
    parallel,
    attempts,
    clock,
    graceMs = defaultGraceMs,
    signal,
    changed,
    failed,
  } = options
  const inOurFlow = inFlow.get(nodeId) ?? new Map<string, LeftRow>()
  inFlow.set(nodeId, inOurFlow)
  const mark = (id: string, { key }: Row) => JSON.stringify([id, key])
  const working = new Set<Promise<unknown>>()
  let count = 0
  let backAt = clock.now()
  let turn = 0
  let timer: NodeJS.Timeout | undefined

  const during = (work: Promise<void>) => {
    const ended = work.catch(failed).then(() => void working.delete(ended))
    working.add(ended)
    return ended
  }
  const later = (milliseconds: number, act: () => void) => {
    const waiting = sleep(milliseconds, signal).then(act, () => undefined)
    waiting.catch(failed)
  }

  const pump = () => {
    if (signal.aborted) return
    clearTimeout(timer)
    const taken: Taken[] = []
    for (let out = batches.out; out < parallel; out++) {
      const waitMs = pace.waitMs()
      const next = waitMs > 0 ? undefined : takeNext()
      if (waitMs > 0) timer = setTimeout(pump, Math.min(waitMs, longestTimerMs))
      if (!next) break
      pace.take()
      taken.push(next)
    }
    if (taken.length > 0) void during(send(taken))
  }
  /** Each batch in its turn. */
  const takeNext = (): Taken | undefined => {
    const all = [...batches.values()]
    for (let tried = 0; tried < all.length; tried++) {
      const batch = all[turn++ % all.length]
      const row = batch && maySend(batch) ? batch.rows.take() : undefined
      if (batch && row) return { id: batch.head.id, row }
    }
    return undefined
  }
  const send = async (taken: readonly Taken[]) => {
    try {
      // Before it leaves: who goes on after a crash must know that it may have been in the flow.
      await Promise.all(taken.map(({ id, row }) => batches.save(id, row)))
    } catch (error) {
      failed(error)
      for (const { id, row } of taken) if (row.phase === 'out') batches.holderOf(id, row)?.rows.putBack(row)
      return later(retryMs, pump)
    }
    for (const { id, row } of taken) await sendOne(id, row)
    changed()
  }
  const sendOne = async (id: string, row: Row) => {
    const from = batches.holderOf(id, row)
    const said = await from?.journal.content(from.rows.placeOf(row)).catch(failed)
    const batch = batches.holderOf(id, row)
    if (signal.aborted || row.phase !== 'out' || !batch) return
    if (!said) return close(batch, row, 'unreadable')
    inOurFlow.delete(mark(id, row))
    inOurFlow.set(mark(id, row), { id, key: row.key, at: clock.now() })
    const msg = deserializeMessage(batch.head.msg)
    options.emit({
      ...msg,
      payload: deserializeMessage({ row: said.content }).row,
      batch: { id, key: row.key, row: batch.rows.placeOf(row) + 1, of: batch.rows.all.length },
      externalId: externalIdOf(nodeId, id, row.key),
      _batch: { node: nodeId, sent: row.sent, ids: idsIn(msg) },
      ...(row.lost > 0 && { redelivered: true }),
    })
  }
  /** Ends a row that will not be sent: nobody knows what it says, or it ends the process each time. */
  const close = async (batch: Batch, row: Row, why: 'unreadable' | 'tooOften') => {
    const error = why === 'tooOften' ? tooOften() : inputError([{ path: 'msg', key: 'unreadable' }])
    failed(error)
    const { outcome } = error.cause
    const result = { code: error.code, outcome, problem: options.translate(`rows.${why}`, { count: maxDeliveries }) }
    batch.rows.close(row, outcome === 'unknown' ? 'look first' : 'failed', result)
    await settle(batch, row)
  }

  /** Goes on, and writes down how a row now is, until that works. */
  const settle = async ({ head: { id } }: Batch, row: Row): Promise<void> => {
    if (hasEnded(row)) count++
    changed()
    // The next ones are written down together with this one.
    pump()
    await write(id, row)
    const batch = batches.holderOf(id, row)
    if (batch?.rows.haveEnded) options.ended(batch)
  }
  const write = async (id: string, row: Row): Promise<void> => {
    for (;;) {
      try {
        return await batches.save(id, row)
      } catch (error) {
        if (signal.aborted) return
        failed(error)
        await sleep(retryMs, signal).catch(() => undefined)
      }
    }
  }
  const again = (id: string, row: Row) => {
    const batch = batches.holderOf(id, row)
    if (!batch) return
    inOurFlow.delete(mark(id, row))
    if (row.lost + 1 < maxDeliveries) batch.rows.sendAgain(row)
    else void during(close(batch, row, 'tooOften'))
  }

  return {
    pump,
    count: () => count,
    standstill() {
      for (const { id, key, at } of inOurFlow.values()) {
        const { rows } = batches.get(id) ?? {}
        const row = rows?.find(key)
        if (rows && row?.phase === 'out') return { row: rows.placeOf(row) + 1, since: Math.max(at, backAt) }
      }
      return undefined
    },
    recover({ head: { id }, rows }, flowGoesOn) {
      const all = [...rows.out]
      const mine = all.filter((row) => inOurFlow.has(mark(id, row)))
      for (const row of all) if (!mine.includes(row)) again(id, row)
      const doubtful = mine.filter((row) => {
        const left = inOurFlow.get(mark(id, row))
        return left && (left.doubtful ||= !flowGoesOn)
      })
      if (doubtful.length === 0) return
      later(graceMs, () => {
        for (const row of doubtful) if (row.phase === 'out') again(id, row)
        pump()
      })
    },
    async end(batch, row, times, end) {
      inOurFlow.delete(mark(batch.head.id, row))
      backAt = clock.now()
      // It failed when it was sent before this time; how it fares this time is not known yet.
      if (end.failed && times !== undefined && times !== row.sent) return
      if (batch.rows.end(row, end, attempts)) await during(settle(batch, row))
    },
    forget({ head: { id }, rows }) {
      for (const row of rows.all) inOurFlow.delete(mark(id, row))
    },
    async stop() {
      clearTimeout(timer)
      while (working.size > 0) await Promise.all(working)
    },
  }
}

function maySend({ head, replaced }: Batch): boolean {
  return head.stage === 'running' && !head.paused && !replaced
}
