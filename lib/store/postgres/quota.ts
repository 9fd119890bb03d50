/** Keeps one node's part of the table within its bounds, with as few questions as possible. */
import { configError } from '../../api/errors/errors'
import { sumOf } from './estimate'
import * as statements from './statements'
import { defaultLimits, type Limits } from '../store'

export type Run = (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** How long an answer stays valid, in milliseconds: others put, too. */
const validMs = 10_000

/**
 * Gives what makes room for so many bytes; rejects with EID_CONFIG when there is no room. `run` adds whose part it is.
 */
export function createQuota(limits: Limits, run: Run): (bytes: number) => Promise<void> {
  const { maxItems = defaultLimits.maxItems, maxBytes = defaultLimits.maxBytes } = limits
  /** May certainly be put before the next question: a tenth of the free room. */
  let [items, bytes, until] = [0, 0, 0]
  const forget = async (tooMany: number, tooMuch: number) => {
    for (let left = { items: tooMany, bytes: tooMuch }; left.items > 0 || left.bytes > 0;) {
      const [gone = {}] = await run(statements.makeRoom, [Math.ceil(Math.max(0, left.items)), Math.max(0, left.bytes)])
      // Others have made room meanwhile.
      if (!(Number(gone.size) > 0)) return
      left = { items: left.items - Number(gone.size), bytes: left.bytes - Number(gone.bytes) }
    }
  }
  const ask = async (more: number) => {
    const found = await run(statements.room)
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
