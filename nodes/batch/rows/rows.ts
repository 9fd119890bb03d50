/** Keeps the rows of one batch in memory: which is sent next, which are in flight, how many have ended. */
import { fileRowAt, type FileRows } from '../../../lib/runtime/files/file-rows'
import { addServices, countsAsFailed, hasEnded, type Result, type Row, type RowEnd } from './row'

export interface Counts {
  readonly total: number
  readonly done: number
  readonly failed: number
  /** How many rows are done, but have other content in the list now. They are not among `done`. */
  readonly changed: number
  readonly inFlight: number
}

/** How many rows have ended. */
export const endedOf = ({ done, failed, changed }: Pick<Counts, 'done' | 'failed' | 'changed'>): number =>
  done + failed + changed

/** Why a sent row was lost. */
export type LostBy = 'process' | 'deploy'

export class Rows {
  readonly all: readonly Row[]
  readonly #byKey = new Map<string, Row>()
  readonly #indexes = new Map<Row, number>()
  readonly #inFlight = new Set<Row>()
  /** Rows that count as *look first* because they did not come back in time. */
  readonly #givenUp = new Set<Row>()
  /** How many rows belong to the list; the others are only remembered. */
  readonly #total: number
  /** The rows to send, in this order. Rows that have come back meanwhile are skipped. */
  #queue: Row[]
  #next = 0
  #done = 0
  #failed = 0
  #changed = 0

  constructor(all: readonly Row[]) {
    this.all = all
    this.#total = all.filter(({ past }) => past === undefined).length
    for (const [index, row] of all.entries()) {
      this.#indexes.set(row, index)
      if (row.key !== '' && !this.#byKey.has(row.key)) this.#byKey.set(row.key, row)
      if (row.phase === 'in flight') this.#inFlight.add(row)
      if (hasEnded(row)) this.#count(row)
    }
    this.#queue = all.filter(({ phase }) => phase === 'waiting')
  }

  get counts(): Counts {
    const total = this.#total
    const done = this.#done
    const failed = this.#failed
    const changed = this.#changed
    return { total, done, failed, changed, inFlight: this.#inFlight.size }
  }

  get haveEnded(): boolean {
    return endedOf(this.counts) === this.#total
  }

  get inFlight(): Iterable<Row> {
    return this.#inFlight
  }

  find(key: string): Row | undefined {
    return this.#byKey.get(key)
  }

  /** The row's position in the list, from 0. */
  indexOf(row: Row): number {
    return this.#indexes.get(row) ?? -1
  }

  /** Returns the next row to send, and marks it as in flight. */
  take(): Row | undefined {
    for (;;) {
      const row = this.#queue[this.#next]
      if (!row) return undefined
      this.#next++
      // Drops handled entries, which frees memory after thousands of rows.
      if (this.#next > 1000) this.#queue = this.#queue.slice(this.#next)
      if (this.#next > 1000) this.#next = 0
      if (row.phase !== 'waiting') continue
      row.phase = 'in flight'
      row.sent++
      this.#inFlight.add(row)
      return row
    }
  }

  /** Undoes `take` for a row that was not sent after all. */
  putBack(row: Row): void {
    row.sent--
    this.#enqueue(row)
  }

  /**
   * Queues a row that was sent and will not come back, so that it is sent once more. Several deploys count as one loss,
   * because a deploy is no sign that the row crashes the process.
   */
  requeue(row: Row, lostBy: LostBy): void {
    row.lost = lostBy === 'deploy' ? Math.max(row.lost, 1) : row.lost + 1
    this.#enqueue(row)
  }

  /**
   * Records how a row came back; false if that changes nothing. `attempts` is the maximum number of attempts for a row
   * whose attempts had no effect. `isLatest` means that the row comes back from its latest attempt. If a row comes back
   * both with and without an error, only a part of the flow has succeeded.
   */
  end(row: Row, end: RowEnd, attempts: number, isLatest = true): boolean {
    addServices(row, end.services)
    if (hasEnded(row)) {
      const wasGivenUp = isLatest && this.#givenUp.delete(row)
      if (wasGivenUp && !end.failed) return this.#endBack(row, end)
      return end.failed && isLatest && row.phase === 'done' && this.#endPartly(row, end.result)
    }
    if (row.phase === 'waiting') {
      // The row is about to be sent once more anyway.
      if (end.failed) return false
      if (isLatest && row.failures > 0) return this.#endPartly(row, end.result)
    }
    this.#inFlight.delete(row)
    row.lost = 0
    row.result = end.result
    const mayRepeat = end.failed && (end.outcome === 'not-done' || end.isRepeatable !== undefined)
    const isHopeless = end.failed && (end.isRepeatable === 'later' || (end.isRefused && end.isRepeatable !== 'now'))
    if (mayRepeat && !isHopeless && ++row.failures < attempts) this.#enqueue(row)
    else this.close(row, !end.failed ? 'done' : mayRepeat ? 'failed' : 'look first')
    return true
  }

  /** Called before a row is closed that may still come back. If it then has no error, it is done. */
  giveUp(row: Row): Row {
    row.lost = Math.max(row.lost, 1)
    this.#givenUp.add(row)
    return row
  }

  #endBack(row: Row, { result }: RowEnd): true {
    this.#count(row, -1)
    row.lost = 0
    this.close(row, 'done', result)
    return true
  }

  #endPartly(row: Row, result: Result): true {
    if (hasEnded(row)) this.#count(row, -1)
    this.close(row, 'look first', { ...row.result, ...result, outcome: 'unknown' })
    return true
  }

  /** Ends a row with this phase. */
  close(row: Row, phase: 'done' | 'failed' | 'look first', result?: Result): void {
    this.#inFlight.delete(row)
    row.phase = phase
    row.calls = undefined
    if (result) row.result = result
    this.#count(row)
  }

  #enqueue(row: Row): void {
    this.#inFlight.delete(row)
    row.phase = 'waiting'
    this.#queue.push(row)
  }

  #count(row: Row, by: 1 | -1 = 1): void {
    if (row.past !== undefined) return
    if (countsAsFailed(row)) this.#failed += by
    else if (row.changed) this.#changed += by
    else this.#done += by
  }
}

/** Where people find a row: in the list, and in the file that the list came from. */
export interface RowPlace {
  readonly id: string
  /** The number of the row in the list, from 1. */
  readonly row: number
  /** The number that a spreadsheet shows beside the row. */
  readonly fileRow?: number
  readonly key: string
}

/** The part of a batch that is needed to find the place of a row. */
export interface Listed {
  readonly head: { readonly id: string; readonly fileRows?: FileRows }
  readonly rows: Rows
}

export function rowPlaceOf({ head, rows }: Listed, row: Row): RowPlace {
  const index = rows.indexOf(row)
  const fileRow = fileRowAt(head.fileRows, index)
  return { id: head.id, row: index + 1, ...(fileRow !== undefined && { fileRow }), key: row.key }
}

/**
 * Returns the number by which a person finds the row: the number in the file, if there is a file, otherwise the number
 * in the list.
 */
export function shownNumber({ row, fileRow = row }: RowPlace): number {
  return fileRow
}
