/** Remembers the rows that this process has sent: which may be lost, which calls were made for each. */
import type { ListRow } from '../../../lib/runtime/monitor/pending'
import {
  callsFor,
  forgetRow,
  knowsAllOf,
  recallRow,
  trackRow,
  type RowCall,
  type RowName,
  type SentMessage,
} from '../../../lib/runtime/monitor/row-calls'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { actedFor, externalIdOf, type Row, type RowEnd } from '../rows/row'
import { hosted, type HostOwner } from '../../../lib/runtime/node-red/host'
import { rowPlaceOf, type Listed, type LostBy, type RowPlace, type Rows } from '../rows/rows'

/** A row that one of our nodes holds, with the attempt from which the node got it. */
export type HeldRow = Pick<ListRow, 'mark' | 'sent' | 'run'>

interface LeftRow {
  readonly id: string
  readonly key: string
  /** When the row was sent. */
  readonly at: number
  /** Whether the node that held the row may have been stopped since the row left. */
  possiblyLost?: boolean
  /** Whether a node was stopped that held this attempt or an earlier one; it is unknown which. */
  perhapsEarlier?: boolean
}

/** While no row comes back: the row that has been in flight longest. */
export interface Standstill extends RowPlace {
  /** The time, by the dispatcher's clock, since which nothing has come back. */
  readonly since: number
}

/** Rows that count as lost if they have not come back after a time. */
export interface LostRows {
  readonly id: string
  /** The rows, with the number of the attempt that may be lost: a row that has been sent again since is not lost. */
  readonly rows: ReadonlyMap<Row, number>
  readonly lostBy: LostBy
  /** True if perhaps only an earlier attempt was lost: the rows are not sent again, because this one may be running. */
  readonly perhapsEarlier?: boolean
  /** The end of these rows if they have failed: they are not sent again. */
  readonly end?: RowEnd | undefined
  readonly afterMs: number
}

/** A list, and the node that took it first. */
interface TakenList {
  readonly id: string
  readonly takenBy: string
}

/** Milliseconds until rows count as lost. */
interface Limits {
  /** For rows that were in flight at a deploy of other nodes: they may still come back. */
  readonly graceMs: number
  /** For rows that another process sent: the nodes that may hold them are still opening. */
  readonly settleMs: number
}

/** The rows in flight, by the id of their node. A deploy creates a new node object, and the rows remain. */
const createByNode = () => new Map<string, Map<string, LeftRow>>()

/** Forgets the rows of a node that is removed. */
export function forgetNode(RED: HostOwner, nodeId: string): void {
  hosted(RED, createByNode).delete(nodeId)
}

export class InFlight {
  readonly #RED: HostOwner
  readonly #nodeId: string
  /** The rows in flight; the one in flight longest comes first. */
  readonly #rows: Map<string, LeftRow>
  readonly #limits: Limits

  constructor(RED: HostOwner, nodeId: string, limits: Limits) {
    const byNode = hosted(RED, createByNode)
    this.#RED = RED
    this.#nodeId = nodeId
    this.#limits = limits
    this.#rows = byNode.get(nodeId) ?? new Map<string, LeftRow>()
    byNode.set(nodeId, this.#rows)
  }

  /** Called before the row leaves in this message. */
  track(id: string, row: Row, msg: FlowMessage & SentMessage): void {
    trackRow(this.#RED, this.#nameOf(id, row), msg, row.lost > 0)
  }

  add(id: string, { key }: Row, at: number): void {
    const mark = rowMark(id, key)
    this.#rows.delete(mark)
    this.#rows.set(mark, { id, key, at })
  }

  remove(id: string, { key }: Row): void {
    this.#rows.delete(rowMark(id, key))
  }

  /**
   * Notes that the node holding the row was stopped. If this node is stopped as well, it waits for the row only for a
   * limited time.
   */
  stopped(id: string, row: Row, perhapsEarlier: boolean, end?: RowEnd): LostRows {
    if (end) return { id, rows: attemptsOf([row]), lostBy: 'deploy', end, afterMs: this.#limits.graceMs }
    const left = this.#rows.get(rowMark(id, row.key))
    if (left) left[perhapsEarlier ? 'perhapsEarlier' : 'possiblyLost'] = true
    return { id, rows: attemptsOf([row]), lostBy: 'deploy', perhapsEarlier, afterMs: this.#limits.graceMs }
  }

  /** Returns the calls made for a row, both those in memory and those stored. */
  callsOf(id: string, row: Row): RowCall[] {
    return [...callsFor(this.#RED, this.#nameOf(id, row)), ...actedFor(row)]
  }

  /** Whether this process knows everything that was done for the row. */
  knowsAllOf(id: string, row: Row): boolean {
    return knowsAllOf(this.#RED, this.#nameOf(id, row))
  }

  /** Called when the row has ended. */
  forgetCalls(id: string, row: Row): void {
    forgetRow(this.#RED, this.#nameOf(id, row))
  }

  #nameOf(batch: string, { key }: Row): RowName {
    return { node: this.#nodeId, batch, key }
  }

  /**
   * Finds the rows of a batch that were in flight when the node was stopped. Rows sent by this process are waited for:
   * without limit if the flow kept running, otherwise for a limited time. All other rows never come back. `flowGoesOn`
   * means that only the batch node itself was stopped, so the nodes that hold its rows keep running.
   */
  recover({ id, takenBy }: TakenList, rows: Rows, flowGoesOn: boolean): readonly LostRows[] {
    const inFlight = [...rows.inFlight]
    // A message that another node held continues its row, so the calls already made for that row are restored in
    // memory.
    for (const row of inFlight)
      recallRow(this.#RED, this.#nameOf(id, row), externalIdOf(takenBy, id, row.key), actedFor(row))
    const lost = inFlight.filter(({ key }) => !this.#rows.has(rowMark(id, key)))
    const possiblyLost = inFlight.filter(({ key }) => {
      const left = this.#rows.get(rowMark(id, key))
      return left && (left.possiblyLost ||= !flowGoesOn)
    })
    const unclear = inFlight.filter(({ key }) => {
      const left = this.#rows.get(rowMark(id, key))
      return left?.perhapsEarlier && !left.possiblyLost
    })
    const { settleMs, graceMs } = this.#limits
    const all: readonly LostRows[] = [
      { id, rows: attemptsOf(lost), lostBy: 'process', afterMs: settleMs },
      { id, rows: attemptsOf(possiblyLost), lostBy: 'deploy', afterMs: graceMs },
      { id, rows: attemptsOf(unclear), lostBy: 'deploy', perhapsEarlier: true, afterMs: graceMs },
    ]
    return all.filter((one) => one.rows.size > 0)
  }

  /** Returns the standstill, undefined if no row is in flight; `backAt` is the time at which the last row came back. */
  standstill(batches: ReadonlyMap<string, Listed>, backAt: number): Standstill | undefined {
    for (const { id, key, at } of this.#rows.values()) {
      const batch = batches.get(id)
      const row = batch?.rows.find(key)
      if (batch && row?.phase === 'in flight') return { ...rowPlaceOf(batch, row), since: Math.max(at, backAt) }
    }
    return undefined
  }
}

const attemptsOf = (rows: readonly Row[]) => new Map(rows.map((row) => [row, row.sent]))

const rowMark = (id: string, key: string) => JSON.stringify([id, key])
