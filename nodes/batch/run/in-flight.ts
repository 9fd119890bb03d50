/**
 * Rows that have left this process and have not come back. A deploy changes nothing about them: the list is that of the
 * process, by node.
 */
import type { RowPlace } from './late-end'
import type { Batch } from './batch-state'
import type { Row } from '../rows/row'

interface LeftRow {
  readonly id: string
  readonly key: string
  /** When it left. */
  readonly at: number
  /** The node that held it may have been stopped since it left. */
  possiblyLost?: boolean
}

/** Nothing comes back any more; the row is the one that has been in flight for longest. */
export interface Standstill extends RowPlace {
  /** Since when nothing has come back, by the clock of the dispatcher. */
  readonly since: number
}

/** What a node finds of its rows that were in flight when it was stopped. */
export interface Recovery {
  /** They left another process: they never come back. */
  readonly lost: readonly Row[]
  /** They have a while to come back. */
  readonly possiblyLost: readonly Row[]
}

const byNode = new Map<string, Map<string, LeftRow>>()

/** For a node that is removed. */
export function forgetNode(nodeId: string): void {
  byNode.delete(nodeId)
}

export class InFlight {
  /** The one that has been in flight for longest is the first. */
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

  /** What held it was stopped: should this node be stopped as well, it is not waited for without end. */
  markLost(id: string, { key }: Row): void {
    const left = this.#rows.get(markOf(id, key))
    if (left) left.possiblyLost = true
  }

  /** `flowGoesOn`: only the batch node itself was stopped, and the nodes that hold its rows keep running. */
  recover({ head: { id }, rows }: Batch, flowGoesOn: boolean): Recovery {
    const inFlight = [...rows.inFlight]
    const lost = inFlight.filter(({ key }) => !this.#rows.has(markOf(id, key)))
    const possiblyLost = inFlight.filter(({ key }) => {
      const left = this.#rows.get(markOf(id, key))
      return left && (left.possiblyLost ||= !flowGoesOn)
    })
    return { lost, possiblyLost }
  }

  /** `backAt`: when the last row came back. Undefined when none is in flight. */
  standstill(batches: ReadonlyMap<string, Batch>, backAt: number): Standstill | undefined {
    for (const { id, key, at } of this.#rows.values()) {
      const { rows } = batches.get(id) ?? {}
      const row = rows?.find(key)
      if (rows && row?.phase === 'in flight')
        return { id, key, row: rows.indexOf(row) + 1, since: Math.max(at, backAt) }
    }
    return undefined
  }
}

const markOf = (id: string, key: string) => JSON.stringify([id, key])
