/** What one Node-RED hands over to the one that leads: lists, rows that have come back, and what the person tells. */
import { randomUUID } from 'node:crypto'
import { isPlainObject } from '../../../lib/common/plain-object'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { deserializeMessage, serializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Claim, Item, Store } from '../../../lib/store/store'
import type { Batches } from '../run/queue'
import { controlBatches, type Control } from '../controller'
import type { List } from '../rows/parse-list'
import type { RowEnd } from '../rows/row'

type Letter =
  | { readonly what: 'list'; readonly id: string; readonly list: List; readonly msg: FlowMessage }
  | {
      readonly what: 'end'
      readonly id: string
      readonly key: string
      readonly sent: number | undefined
      readonly end: RowEnd
    }
  | { readonly what: Control; readonly id: string | undefined }

/** Resolves when it is kept: from then on somebody takes care of it. */
export async function handOver(post: Store, letter: Letter): Promise<void> {
  const body = letter.what === 'list' ? { ...letter, msg: serializeMessage(letter.msg) } : letter
  await post.put(randomUUID(), { body, dueMs: 0 })
}

/**
 * Does what was handed over; a list only once, however often its letter is read. Rejects with an EidError when it can't
 * be done.
 */
export async function handedOver({ id, body }: Pick<Item, 'id' | 'body'>, batches: Batches): Promise<void> {
  if (!isPlainObject(body)) return
  // This package alone writes there.
  const letter = body as unknown as Letter
  if (letter.what === 'list') {
    return batches.take(letter.id, letter.list, deserializeMessage(letter.msg), undefined, id)
  }
  if (letter.what === 'end') return void (await batches.end(letter.id, letter.key, letter.sent, letter.end))
  await controlBatches(batches, letter.what, letter.id)
}

/** What the store of one that may no longer lead says to whatever it would write. */
export const leadsNoMore = new Error('another Node-RED leads')

/** Milliseconds before a letter is opened again that could not be done because nobody was sure to lead. */
const againMs = 1_000

/**
 * Does what a letter says, and ends it. What may not have been written down stays: after `ending`, and where another
 * one may lead. `failed` is told of a letter that can't be done.
 */
export async function workOff(
  post: Store,
  letter: Claim,
  batches: Batches,
  ending: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  try {
    await handedOver(letter, batches)
  } catch (error) {
    if (ending.aborted) return
    if (error === leadsNoMore) return void (await post.reschedule(letter, againMs))
    failed(error)
  }
  if (!ending.aborted) await post.complete(letter)
}
