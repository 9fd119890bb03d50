/** Replaces a batch with a new list, and stores the result. */
import { randomUUID } from 'node:crypto'
import type { Translate } from '../../../lib/api/errors/texts'
import { serializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Store } from '../../../lib/store/store'
import { columnSets, keptColumns, mergeRows, type SandboxUse, type SentAgain } from '../rows/merge-rows'
import type { ReadList } from '../rows/read-list'
import { changedKeyOf, changedListOf } from '../rows/row'
import { Rows } from '../rows/rows'
import { createBatch, openBatch, type Batch, type Origin, type QueueOptions } from './batch-state'
import { findHead, saveList, type Content, type Head } from './storage'

interface NewList extends ReadList {
  readonly origin: Origin | undefined
  /** The batch that the new list replaces. */
  readonly before: Batch | undefined
  /** The id of the command with which another instance sent the list. */
  readonly command: string | undefined
}

type Target = SandboxUse & Pick<QueueOptions, 'store' | 'clock' | 'translate' | 'rehearsed'>

/** Finds the changed rows of this list that were sent as new contracts and are done. Rejects as the store does. */
async function sentAgain(store: Store, list: string, translate: Translate): Promise<SentAgain> {
  const head = await findHead(store, changedListOf(list))
  if (!head) return () => undefined
  const { rows } = await openBatch(store, head, translate)
  return (key, fingerprint) => {
    const row = rows.find(changedKeyOf(key, fingerprint))
    return row?.phase === 'done' && row.fingerprint === fingerprint ? row : undefined
  }
}

/** How many commands are remembered; a command is read for the last time soon after its list was taken. */
const keptCommands = 20

/** Replaces a batch with a new list and stores it. If this rejects, nothing of the new list remains. */
export async function takeOver(
  { store, clock, translate, rehearsed: report, ...now }: Target,
  { id, list, msg, origin, before, command }: NewList,
): Promise<Batch> {
  const previous = {
    ...before?.head,
    rows: before?.rows.all ?? [],
    sentAgain: before ? await sentAgain(store, id, translate) : () => undefined,
  }
  const { rows, listed, outdated, aliases, rehearsed } = mergeRows(list, previous, translate, now)
  const contents: (Content | undefined)[] = [...listed]
  for (const [index, row] of rows.entries()) {
    if (row.phase !== 'in flight') continue
    // While in flight, the row keeps the content with which it was sent.
    contents[index] = (await before?.journal.content(before.rows.indexOf(row))) ?? contents[index]
  }
  const running = before?.head.stage === 'running' ? before.head : undefined
  const head: Head = {
    id,
    stage: 'running',
    generation: (before?.head.generation ?? 0) + 1,
    total: rows.length,
    paused: running?.paused ?? false,
    started: running?.started ?? clock.epochNow(),
    run: before?.head.run ?? randomUUID(),
    msg: serializeMessage(msg),
    ...(list.text && { text: list.text }),
    ...(list.columns && { columns: list.columns }),
    ...(list.fileRows && { fileRows: list.fileRows }),
    ...(before && { earlierColumns: keptColumns(columnSets(before.head), list.columns) }),
    ...(list.keyedBy !== undefined && { keyedBy: list.keyedBy }),
    commands: [...(before?.head.commands ?? []), ...(command === undefined ? [] : [command])].slice(-keptCommands),
  }
  const inFlight = rows.filter(({ phase }) => phase === 'in flight')
  const flags = inFlight.map(({ changed, alias }) => ({ changed, alias }))
  // A row in flight is the same object in both lists, so its flags are set here and restored if the store fails.
  for (const row of inFlight) Object.assign(row, { changed: outdated.has(row), alias: aliases.get(row) })
  try {
    await saveList(store, head, rows, contents)
  } catch (error) {
    for (const [at, row] of inFlight.entries()) Object.assign(row, flags[at])
    throw error
  }
  if (rehearsed > 0) report(id, rehearsed)
  return createBatch(store, head, new Rows(rows), [...(before?.origins ?? []), ...(origin ? [origin] : [])])
}
