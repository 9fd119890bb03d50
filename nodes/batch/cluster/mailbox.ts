/**
 * Passes to the leader what any instance receives: lists, rows that came back, calls made for rows, and people's
 * commands.
 */
import { randomUUID } from 'node:crypto'
import { isPlainObject } from '../../../lib/common/plain-object'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { OwnedRow, RowError } from '../../../lib/runtime/monitor/row-owners'
import { deserializeMessage, serializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Claim, Item, Store } from '../../../lib/store/store'
import type { Control } from '../controller'
import type { ReadList } from '../rows/read-list'
import type { SentRow } from '../rows/row-message'
import type { RowEnd } from '../rows/row'

type Command =
  | ({ readonly what: 'list' } & ReadList)
  | ({ readonly what: 'end'; readonly end: RowEnd } & SentRow)
  | { readonly what: 'acted'; readonly row: OwnedRow; readonly calls: readonly RowCall[] }
  | { readonly what: 'failed'; readonly row: OwnedRow; readonly error: RowError }
  | { readonly what: 'reread' }
  | { readonly what: Control; readonly id: string | undefined }

/** The queue of the instance that leads. */
interface Leader {
  take(list: ReadList, origin: undefined, command: string): Promise<void>
  end(row: SentRow, end: RowEnd): Promise<boolean>
  acted(row: OwnedRow, calls: readonly RowCall[]): Promise<void>
  failed(row: OwnedRow, error: RowError): Promise<void>
  control(what: Control, id: string | undefined, since: number): Promise<void>
  reread(): Promise<void>
}

/** Resolves when the command is stored: from then on, a leader will process it. */
export async function sendCommand(mailbox: Store, command: Command): Promise<void> {
  const body = command.what === 'list' ? { ...command, msg: serializeMessage(command.msg) } : command
  await mailbox.put(randomUUID(), { body, dueMs: 0 })
}

/**
 * Carries out a command. A command may be read several times. Nevertheless, the list in it is taken only once, and a
 * reset ends no batch that is newer than the command. Rejects with an EidError if the command can't be carried out.
 */
export async function applyCommand(
  { id, body, since }: Pick<Item, 'id' | 'body' | 'since'>,
  queue: Leader,
): Promise<void> {
  if (!isPlainObject(body)) return
  // The cast is safe because only this package writes to the mailbox.
  const command = body as unknown as Command
  if (command.what === 'list') {
    return queue.take({ ...command, msg: deserializeMessage(command.msg) }, undefined, id)
  }
  if (command.what === 'end') return void (await queue.end(command, command.end))
  if (command.what === 'reread') return queue.reread()
  if (command.what === 'acted') return queue.acted(command.row, command.calls)
  if (command.what === 'failed') return queue.failed(command.row, command.error)
  await queue.control(command.what, command.id, since)
}

/** When an instance may no longer lead, every write to its store rejects with this error. */
export const notLeader = new Error('another Node-RED leads')

/** Milliseconds before a command is retried if it was uncertain who leads. */
const againMs = 1_000

/**
 * Carries out a command and completes it. The command stays in the mailbox if its effect may not have been stored:
 * after `ending` is aborted, or if another instance may lead. `failed` reports a command that can't be carried out.
 */
export async function processCommand(
  mailbox: Store,
  command: Claim,
  queue: Leader,
  ending: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  try {
    await applyCommand(command, queue)
  } catch (error) {
    if (ending.aborted) return
    if (error === notLeader) return void (await mailbox.reschedule(command, againMs))
    failed(error)
  }
  if (!ending.aborted) await mailbox.complete(command)
}
