/**
 * Measures several processes on one PostgreSQL: the waits ended per second, the statements per wait, and the statements
 * of an idle store.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'pg'
import { createDatabase } from '../lib/store/drivers/postgres/database'
import { createSqlStore } from '../lib/store/sql-store'
import { createCipher } from '../lib/store/sql/cipher'
import type { Sent, SeveralTask } from '../test/lib/store/several-child'
import { startPostgres, type PostgresServer } from '../test/support/servers/postgres-server'
import { inChild, type Case, type Figures } from './child'
import { startHost } from './host'
import type { Row, Subject } from './report'

const waits = 3_000
const leaseMs = 15_000
/** More than a minute, because an idle store makes some of its statements once a minute. */
const idleSeconds = 61

export const cases: Readonly<Record<string, Case>> = { idle: ({ url = '' }) => idle(url) }

export async function benchSeveral(): Promise<Subject[]> {
  const server = await startPostgres()
  try {
    const figures = [await endAll(server, 1), await endAll(server, 2), await endAll(server, 3)]
    const { statements } = await inChild('several', 'idle', { url: server.url })
    const [alone] = figures
    const row = (count: number): Row => ({
      what: `waits ended a second, ${count} ${count === 1 ? 'process' : 'processes'}`,
      ours: figures[count - 1]?.perSecond ?? NaN,
      other: alone?.perSecond,
      unit: '/s',
    })
    const plain = (what: string, ours: number | undefined, unit = ''): Row => ({ what, ours: ours ?? NaN, unit })
    return [
      {
        subject: `${waits.toLocaleString('en')} waits on one PostgreSQL, one question each and then the end`,
        alternative: 'one process',
        rows: [
          row(1),
          row(2),
          row(3),
          plain('statements per wait, 1 process', figures[0]?.statements),
          plain('statements per wait, 3 processes', figures[2]?.statements),
          plain('statements of an idle Node-RED', statements, '/min'),
        ],
      },
    ]
  } finally {
    await server.stop()
  }
}

/** Starts this many processes, and measures until they have ended all waits. */
async function endAll(server: PostgresServer, count: number) {
  const namespace = `bench-${count}`
  const database = createDatabase({ config: { connectionString: server.url }, namespace })
  const troubled = () => undefined
  const store = createSqlStore(database, createCipher(''), 'wait', {
    kind: 'waits',
    leaseMs,
    onStoreEvent: troubled,
  })
  const task: SeveralTask = { url: server.url, namespace, leaseMs, questions: 1, pauseMs: 0 }
  const ids = Array.from({ length: waits }, (_none, n) => `wait-${n}`)
  for (let at = 0; at < waits; at += 100) {
    // The waits become due only when all processes have started.
    await Promise.all(
      ids.slice(at, at + 100).map((id) => store.put(id, { body: { asked: 0 }, subject: id, dueMs: 3_600_000 })),
    )
  }
  const statements = new Map<number, number>()
  let ended = 0
  let last = 0
  const children = await Promise.all(
    Array.from({ length: count }, async (_none, by) => {
      const child = fork(join(__dirname, '../test/lib/store/several-child.ts'), [JSON.stringify(task)], {
        execArgv: ['--require', join(__dirname, '../scripts/sources.cjs')],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as const,
      })
      child.on('message', (word: Sent | { ready: true }) => {
        if (!('id' in word)) return
        ended++
        last = performance.now()
        statements.set(by, word.statements)
      })
      await once(child, 'message')
      return child
    }),
  )
  const start = performance.now()
  await store.makeDue(ids)
  while (ended < waits) await pause(20)
  for (const child of children) child.kill('SIGKILL')
  await database.close()
  const all = [...statements.values()].reduce((sum, one) => sum + one, 0)
  return { perSecond: waits / ((last - start) / 1000), statements: all / waits }
}

/** The statements per minute of a Node-RED whose only "wait" node has no waits. */
async function idle(url: string): Promise<Figures> {
  const count = countStatements()
  const host = await startHost([
    { id: 'f', type: 'tab' },
    { id: 'c', type: 'eid-client', baseUrl: 'http://127.0.0.1:9' },
    { id: 's', type: 'eid-store', address: url, namespace: 'bench-idle' },
    { z: 'f', x: 1, y: 1, id: 'wait', type: 'eid-wait', client: 'c', shared: 's', wires: [[], [], []] },
  ])
  // After this pause, the statements that a start makes are done.
  await pause(3_000)
  const [before, start] = [count(), performance.now()]
  await pause(idleSeconds * 1000)
  const statements = ((count() - before) / (performance.now() - start)) * 60_000
  await host.stop()
  return { statements }
}

/** Starts counting; the returned function gives the number of statements that this process has made since then. */
function countStatements(): () => number {
  const pool = Pool.prototype as unknown as { query: (this: unknown, ...given: unknown[]) => unknown }
  const { query } = pool
  let count = 0
  pool.query = function (...given) {
    count++
    return query.apply(this, given)
  }
  return () => count
}
