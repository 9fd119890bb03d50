/** Reminds the signers of several documents after one press, and counts the results. */
import { mayHaveActed, nodeError } from '../../../lib/api/errors/errors'
import { askNow, findPending, type PendingItem } from '../../../lib/runtime/monitor/pending'
import { findClient } from '../../../lib/runtime/node-red/client-node'
import { toEidError } from '../../../lib/runtime/node-red/errors'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import type { Translate } from '../../../lib/runtime/node-red/texts'
import { remind } from '../../../lib/runtime/service/reminder'
import { maxReminded, type RemindedAnswer, type RemindedCounts } from '../view'

/** Number of documents handled at the same time; the client limits the calls further. */
const parallel = 8

type Outcome = keyof RemindedCounts

/** The ids of the waits in a request; undefined if the request contains no ids, or more than allowed. */
export function waitsIn(said: unknown): string[] | undefined {
  if (!Array.isArray(said) || said.length === 0 || said.length > maxReminded) return undefined
  return said.every((one) => typeof one === 'string') ? [...new Set<string>(said)] : undefined
}

/**
 * Reminds the signers of each document once, even if several waits have the same document. `by` is the name of the user
 * who pressed the button. Never rejects.
 */
export async function remindMany(
  RED: Runtime,
  waits: readonly string[],
  by: string,
  translate: Translate,
): Promise<RemindedAnswer> {
  const counts: Partial<Record<Outcome, number>> = {}
  const reasons = new Set<string>()
  const failed = (thrown: unknown): Outcome => {
    const error = toEidError(thrown, translate, 1)
    reasons.add(error.message)
    return mayHaveActed(error.cause) ? 'unsure' : 'failed'
  }
  const seen = new Set<string>()
  const left = [...waits]
  const work = async () => {
    for (let wait = left.shift(); wait !== undefined; wait = left.shift()) {
      const outcome = await remindOne(RED, wait, by, seen).catch(failed)
      if (outcome) counts[outcome] = (counts[outcome] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return { ok: true, counts, reasons: [...reasons].slice(0, maxReasons) }
}

/** Maximum number of different reasons for failure in the answer. */
const maxReasons = 3

/** Handles one wait; undefined if another wait with the same document was handled before. */
async function remindOne(RED: Runtime, wait: string, by: string, seen: Set<string>): Promise<Outcome | undefined> {
  const item = await findPending(RED, wait)
  if (!item) return 'gone'
  const document = JSON.stringify([item.client, item.kind, item.id])
  if (seen.has(document)) return undefined
  seen.add(document)
  return reminderOf(RED, item, by)
}

async function reminderOf(RED: Runtime, item: PendingItem, by: string): Promise<Outcome> {
  if (item.kind !== 'document') return 'otherKind'
  // The client now uses a different service from the one that has the document.
  if (item.service !== undefined) return 'elsewhere'
  const api = await findClient(RED, item.client).connect()
  const found = await remind(RED, api, { id: item.id, wait: item.wait, by })
  if (found.state === 'sent') return 'reminded'
  if (found.state === 'earlier') return found.isSure ? 'earlier' : 'unsure'
  if (found.state === 'notOpen') throw nodeError('EID_REFUSED', 'notOpen', {}, { attempts: 0, outcome: 'not-done' })
  // If the document has ended, its wait is polled now; if that fails, the wait ends at its next poll.
  if (found.state === 'ended') await askNow(RED, item.wait).catch(() => undefined)
  return found.state
}
