/**
 * Rows that have left this process and have not come back. They are kept per process, keyed by node, so a deploy does
 * not affect them.
 */
import type { Row } from '../rows/row'
import { placeOf, type Listed, type RowPlace, type Rows } from '../rows/rows'

interface LeftRow {
  readonly id: string
  readonly key: string
  /** When the row was sent. */
  readonly at: number
  /** Whether the node that held the row may have been stopped since the row left. */
  possiblyLost?: boolean
}

/** No row comes back any more; this is the row that has been in flight longest. */
export interface Standstill extends RowPlace {
  /** The time, by the dispatcher's clock, since which nothing has come back. */
  readonly since: number
}

/** A node's rows that were in flight when it was stopped. */
export interface Recovery {
  /** Rows that another process sent: they never come back. */
  readonly lost: readonly Row[]
  /** Rows that have a limited time to come back. */
  readonly possiblyLost: readonly Row[]
}

const byNode = new Map<string, Map<string, LeftRow>>()

/** Forgets the rows of a node that is removed. */
export function forgetNode(nodeId: string): void {
  byNode.delete(nodeId)
}

export class InFlight {
  /** The rows in flight; the one in flight longest comes first. */
  readonly #rows: Map<string, LeftRow>

  constructor(nodeId: string) {
    this.#rows = byNode.get(nodeId) ?? new Map<string, LeftRow>()
    byNode.set(nodeId, this.#rows)
  }

  add(id: string, { key }: Row, at: number): void {
    const mark = markOf(id, key)
    this.#rows.delete(mark)
    this.#rows.set(mark, { id, key, at })
  }

  remove(id: string, { key }: Row): void {
    this.#rows.delete(markOf(id, key))
  }

  /**
   * Notes that the node holding the row was stopped. If this node is stopped as well, it waits for the row only for a
   * limited time.
   */
  markLost(id: string, { key }: Row): void {
    const left = this.#rows.get(markOf(id, key))
    if (left) left.possiblyLost = true
  }

  /** `flowGoesOn` means that only the batch node itself was stopped, and the nodes that hold its rows keep running. */
  recover(id: string, rows: Rows, flowGoesOn: boolean): Recovery {
    const inFlight = [...rows.inFlight]
    const lost = inFlight.filter(({ key }) => !this.#rows.has(markOf(id, key)))
    const possiblyLost = inFlight.filter(({ key }) => {
      const left = this.#rows.get(markOf(id, key))
      return left && (left.possiblyLost ||= !flowGoesOn)
    })
    return { lost, possiblyLost }
  }

  /** Returns the standstill, undefined if no row is in flight; `backAt` is the time at which the last row came back. */
  standstill(batches: ReadonlyMap<string, Listed>, backAt: number): Standstill | undefined {
    for (const { id, key, at } of this.#rows.values()) {
      const batch = batches.get(id)
      const row = batch?.rows.find(key)
      if (batch && row?.phase === 'in flight') return { ...placeOf(batch, row), since: Math.max(at, backAt) }
    }
    return undefined
  }
}

const markOf = (id: string, key: string) => JSON.stringify([id, key])
