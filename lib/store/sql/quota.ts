/** Keeps the rows of one node within the node's limits, with as few queries as possible. */
import { configError } from '../../api/errors/errors'
import { sumOf } from './estimate'
import type { Statements } from './statements'
import { defaultLimits, type Limits } from '../store'

type Run = (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>

/**
 * Milliseconds for which the result of a query is trusted. The time is short, because other instances store items too.
 */
const validMs = 10_000

/**
 * Creates the function that makes room for a number of bytes. The created function rejects with EID_CONFIG if there is
 * no room. `run` limits each statement to the node's own rows.
 */
export function createQuota(limits: Limits, statements: Statements, run: Run): (bytes: number) => Promise<void> {
  const { maxItems = defaultLimits.maxItems, maxBytes = defaultLimits.maxBytes } = limits
  /**
   * How many items and bytes may be stored without another query (a tenth of the free room), and the time until which
   * these numbers are valid.
   */
  let items = 0
  let bytes = 0
  let until = 0
  const forget = async (tooMany: number, tooMuch: number) => {
    for (let left = { items: tooMany, bytes: tooMuch }; left.items > 0 || left.bytes > 0;) {
      const gone = await run(statements.makeRoom, [Math.ceil(Math.max(0, left.items)), Math.max(0, left.bytes)])
      // If nothing was dropped, other instances have made room in the meantime.
      if (gone.length === 0) return
      const freed = gone.reduce((sum, { bytes: size }) => sum + Number(size), 0)
      left = { items: left.items - gone.length, bytes: left.bytes - freed }
    }
  }
  const ask = async (more: number) => {
    const found = await run(statements.usage)
    if (sumOf(found, 'work_size') + 1 > maxItems || sumOf(found, 'work_bytes') + more > maxBytes)
      throw configError('storeFull')
    const over = { items: sumOf(found, 'size') + 1 - maxItems, bytes: sumOf(found, 'bytes') + more - maxBytes }
    await forget(over.items, over.bytes)
    ;[items, bytes] = [Math.max(0, -over.items) / 10, Math.max(0, -over.bytes) / 10]
    until = performance.now() + validMs
  }
  return async (more) => {
    items--
    bytes -= more
    if (items < 0 || bytes < 0 || performance.now() > until) await ask(more)
  }
}
