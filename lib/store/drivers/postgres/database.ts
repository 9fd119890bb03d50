/** A PostgreSQL database shared by several nodes: queues statements, tracks availability, and watches for work. */
import type { PoolConfig } from 'pg'
import { configError } from '../../../api/errors/errors'
import { nextTurn } from '../../../common/event-loop'
import { createTurns } from '../../../common/turns'
import { createAvailability } from '../../sql/availability'
import type { Database as SqlDatabase } from '../../sql/database'
import { createConnections, maxConnections, type LoadPg } from './connections'
import { databaseError, isAnswerLost, isAway, isConflict, isGone } from './database-errors'
import { priorities, priorityOf, ready, statements } from './statements'
import { createWorkWatch } from './work-watch'

export type { LoadPg }

interface DatabaseOptions {
  readonly config: PoolConfig
  readonly namespace: string
  readonly load?: LoadPg
}

/** `close` ends the connections. */
export interface Database extends SqlDatabase {
  close(): Promise<void>
}

const sweepMs = 60_000

export function createDatabase({ config, namespace, load }: DatabaseOptions): Database {
  const queue = createTurns(maxConnections, priorities)
  const connections = createConnections(config, load)
  const availability = createAvailability(() => void run('select 1', []).catch(() => undefined))
  let closed = false

  const execute = async (text: string, values: readonly unknown[]) => {
    if (closed) throw configError('storeClosed')
    try {
      const rows = await withoutConflict(() => connections.query(text, values))
      availability.set(true)
      return rows
    } catch (error) {
      const known = databaseError(error)
      // A database that rejects the connection now may accept it later, so it counts as unavailable.
      if (known.code === 'EID_NETWORK' || /^config\.store(Refused|Pg)$/.test(known.text.key)) {
        availability.set(false, known)
      }
      // All waiting calls fail at once; otherwise each of them would run into its own timeout, one after another.
      if (isGone(error)) queue.fail(() => databaseError(error))
      throw isAnswerLost(error) ? new AnswerLost(known) : known
    }
  }
  // Statements are queued here rather than in the pool, because the pool's connection timeout would be mistaken for an
  // outage.
  const run: Database['run'] = (text, values, repeatForMs = 0) =>
    repeated(() => queue.run(priorityOf(text), () => execute(text, values)), repeatForMs)
  const work = createWorkWatch(async (nodes) => {
    const values = [namespace, nodes.map(([node]) => node), nodes.map(([, kind]) => kind)]
    const rows = await run(ready, values)
    return rows.map(({ node, kind }) => [String(node), String(kind)] as const)
  })
  const sweep = setInterval(() => void run(statements.sweep, []).catch(() => undefined), sweepMs).unref()
  return {
    namespace,
    statements,
    run,
    collect: nextTurn,
    ready: work.ready,
    // Work that is due later is found by the query that runs each second.
    notify: (node, kind, dueMs) => void (dueMs <= 0 && work.notify(node, kind)),
    watch: availability.watch,
    async close() {
      closed = true
      clearInterval(sweep)
      availability.close()
      queue.fail(() => configError('storeClosed'))
      work.close()
      await connections.close()
    },
  }
}

/** How often a statement is repeated after a conflict. A statement that was rolled back has done nothing. */
const conflicts = 10
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function withoutConflict<T>(task: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time++) {
    try {
      return await task()
    } catch (error) {
      if (!isConflict(error) || time > conflicts) throw error
    }
    await pause(Math.random() * 10 * time)
  }
}

/** Thrown if the connection broke before the response arrived. The statement may have been executed. */
class AnswerLost extends Error {
  constructor(readonly known: Error) {
    super(known.message)
  }
}

/** Repeats a statement whose response was lost, until a response arrives or the time is over. */
async function repeated<T>(task: () => Promise<T>, forMs: number): Promise<T> {
  const end = performance.now() + forMs
  let lost = false
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    try {
      return await task()
    } catch (error) {
      lost ||= error instanceof AnswerLost
      const known = error instanceof AnswerLost ? error.known : error
      if (!lost || !isAway(known) || performance.now() + pauseMs > end) throw known
    }
    await pause(pauseMs)
  }
}
