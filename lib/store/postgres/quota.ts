/** Keeps one node's part of the table within its bounds, with as few questions as possible. */
import { configError } from '../../api/errors/errors'
import * as statements from './statements'
import { defaultLimits, type Limits } from '../store'

export type Run = (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** How long an answer stays valid, in milliseconds: others put, too. */
const validMs = 10_000

/**
 * Gives what makes room for so many bytes; rejects with EID_CONFIG when there is none. `run` adds whose part it is.
 */
export function createQuota(limits: Limits, run: Run): (bytes: number) => Promise<void> {
  const { maxItems = defaultLimits.maxItems, maxBytes = defaultLimits.maxBytes } = limits
  /** May surely be put before the next question: a tenth of what was free. */
  let [items, bytes, until] = [0, 0, 0]
  const ask = async (more: number) => {
    const [found = {}] = await run(statements.room)
    const over = { items: Number(found.size) + 1 - maxItems, bytes: Number(found.bytes) + more - maxBytes }
    if (Number(found.work_size) + 1 > maxItems || Number(found.work_bytes) + more > maxBytes)
      throw configError('storeFull')
    if (over.items > 0 || over.bytes > 0) {
      await run(statements.makeRoom, [Math.max(0, over.items), Math.max(0, over.bytes)])
    }
    ;[items, bytes] = [Math.max(0, -over.items) / 10, Math.max(0, -over.bytes) / 10]
    until = performance.now() + validMs
  }
  return async (more) => {
    items--
    bytes -= more
    if (items < 0 || bytes < 0 || performance.now() > until) await ask(more)
  }
}
