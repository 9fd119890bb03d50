/**
 * The embedded database of one Node-RED: a file in a folder, which is opened in a thread of its own, or memory only. It
 * is opened with the first statement.
 */
import { configError } from '../../../api/errors/errors'
import type { Clock } from '../../clock'
import { createAvailability } from '../../sql/availability'
import type { Database } from '../../sql/database'
import { openMemory, openThread } from './connection'
import type { Notice } from './files'
import { createDueSignal } from './due-signal'
import type { Row, SqlValue } from './engine'
import { nextDue, noteClock, release, statements } from './statements'
import { createTransactions } from './transactions'

export interface SqliteDatabase extends Database {
  /** Ends the claims that a node of this process has not returned. */
  release(node: string, kind: string): void
  /** Resolves when everything is written and the file is closed. */
  close(): Promise<void>
}

interface SqliteOptions {
  /** The folder of the file; undefined for a database in memory. */
  readonly folder: string | undefined
  readonly clock: Clock
  /** Resolves when the file may be opened. */
  readonly before?: Promise<void> | undefined
  /** Called with what people must know about the file. */
  tell?(notices: readonly Notice[]): void
}

const sweepMs = 60_000

export function createSqliteDatabase({ folder, clock, before, tell = () => undefined }: SqliteOptions): SqliteDatabase {
  const start = { epoch: clock.epochNow(), now: clock.now() }
  /** The present moment in milliseconds since 1970. If the clock of the machine is set, this does not change. */
  const now = () => start.epoch + clock.now() - start.now
  /** By how many milliseconds the clock of the machine was set, in whole seconds. */
  const set = () => Math.round((clock.epochNow() - now()) / 1000) * 1000
  let isClosed = false
  const availability = createAvailability(() => void run(noteClock, []).catch(() => undefined))
  const transactions = createTransactions({
    clock,
    judged: (error) => availability.set(error === undefined, error),
    async connect() {
      await before
      return folder === undefined ? openMemory(now()) : openThread(folder, now(), tell)
    },
  })
  const run = async (text: string, values: readonly unknown[]): Promise<Row[]> => {
    if (isClosed) throw configError('storeClosed')
    return transactions.run({ text, values: parametersOf(text, values, { now: now(), set: set() }) })
  }
  const due = createDueSignal(clock, async (node, kind) => {
    const [row] = await run(nextDue, ['', node, kind])
    return typeof row?.span === 'number' ? row.span : undefined
  })
  const sweep = setInterval(() => {
    for (const text of [statements.sweep, noteClock]) void run(text, []).catch(() => undefined)
  }, sweepMs).unref()
  return {
    namespace: '',
    statements,
    run,
    collect: () => Promise.resolve(),
    ready: due.ready,
    notify: due.notify,
    watch: availability.watch,
    release: (node, kind) => void run(release, ['', node, kind]).catch(() => undefined),
    async close() {
      clearInterval(sweep)
      isClosed = true
      availability.close()
      due.close()
      await transactions.close()
    },
  }
}

interface Moment {
  readonly now: number
  readonly set: number
}

/** The parameters that a statement names. The arrays among the values are the columns of `$rows`. */
function parametersOf(text: string, values: readonly unknown[], { now, set }: Moment): Record<string, SqlValue> {
  const columns = values.filter((one) => Array.isArray(one)) as unknown[][]
  const named: Record<string, SqlValue> = {}
  for (const [name, place] of text.matchAll(/\$(\w+)/g)) {
    if (place === 'now') named[name] = now
    else if (place === 'set') named[name] = set
    else if (place === 'rows')
      named[name] = JSON.stringify(columns[0]?.map((_one, at) => columns.map((all) => all[at])))
    else named[name] = (values[Number(place) - 1] ?? null) as SqlValue
  }
  return named
}
