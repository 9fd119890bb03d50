/** Stores a new list together with what has happened to the previous one. */
import { randomUUID } from 'node:crypto'
import type { Translate } from '../../../lib/api/errors/texts'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { serializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Clock } from '../../../lib/store/clock'
import type { Store } from '../../../lib/store/store'
import type { List } from '../rows/parse-list'
import type { Row } from '../rows/row'
import type { Batch } from './batch-state'
import { mergeList, type MergeContext } from './merge-list'
import { saveList, type Head } from './storage'

interface NewList {
  readonly id: string
  readonly list: List
  readonly msg: FlowMessage
  /** The batch that it replaces. */
  readonly before: Batch | undefined
  /** Another instance sent it with this command. */
  readonly command: string | undefined
}

interface Target extends Omit<MergeContext, 'translate'> {
  readonly store: Store
  readonly clock: Pick<Clock, 'epochNow'>
  readonly translate: Translate
  /** This many rows of a list are sent again because they were only done in the sandbox. */
  rehearsed(id: string, count: number): void
}

/** A command is last read soon after its list was taken. */
const keptCommands = 20

/** Leaves nothing behind if it rejects. */
export async function takeOver(
  { store, clock, translate, rehearsed: report, ...now }: Target,
  { id, list, msg, before, command }: NewList,
): Promise<{ head: Head; rows: Row[] }> {
  const { rows, listed, outdated, aliases, rehearsed } = await mergeList(before, list, { translate, ...now })
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
    ...(list.keyedBy !== undefined && { keyedBy: list.keyedBy }),
    commands: [...(before?.head.commands ?? []), ...(command === undefined ? [] : [command])].slice(-keptCommands),
  }
  const inFlight = rows.filter(({ phase }) => phase === 'in flight')
  const flags = inFlight.map(({ changed, alias }) => ({ changed, alias }))
  // A row in flight is the same object in both lists.
  for (const row of inFlight) Object.assign(row, { changed: outdated.has(row), alias: aliases.get(row) })
  try {
    await saveList(store, head, rows, listed)
  } catch (error) {
    for (const [at, row] of inFlight.entries()) Object.assign(row, flags[at])
    throw error
  }
  if (rehearsed > 0) report(id, rehearsed)
  return { head, rows }
}
