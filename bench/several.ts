/** Several processes on one PostgreSQL: waits ended a second, statements each costs, and what an idle store asks. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase } from '../lib/store/database'
import { createPostgresStore } from '../lib/store/postgres'
import { createSeal } from '../lib/store/seal'
import type { Counted, Sent, SeveralTask } from '../test/lib/several-child'
import { startPostgres, type PostgresServer } from '../test/postgres-server'
import type { Row, Subject } from './report'

const waits = 3_000
const leaseMs = 15_000
const idleSeconds = 5

export async function benchSeveral(): Promise<Subject[]> {
  const server = await startPostgres()
  try {
    const figures = [await endAll(server, 1), await endAll(server, 2), await endAll(server, 3)]
    const [alone] = figures
    const row = (count: number): Row => ({
      what: `waits ended a second, ${count} ${count === 1 ? 'process' : 'processes'}`,
      ...{ ours: figures[count - 1]?.perSecond ?? NaN, other: alone?.perSecond, unit: '/s' },
    })
    const plain = (what: string, ours: number | undefined, unit = ''): Row => ({ what, ours: ours ?? NaN, unit })
    return [
      {
        subject: `${waits.toLocaleString('en')} waits on one PostgreSQL, one question each and then the end`,
        alternative: 'one process',
        rows: [
          ...[row(1), row(2), row(3)],
          plain('statements per wait, 1 process', figures[0]?.statements),
          plain('statements per wait, 3 processes', figures[2]?.statements),
          plain('statements a second of an idle process', figures[0]?.idle, '/s'),
        ],
      },
    ]
  } finally {
    await server.stop()
  }
}

/** Lets so many processes end all waits. */
async function endAll(server: PostgresServer, count: number) {
  const namespace = `bench-${count}`
  const database = createDatabase({ config: { connectionString: server.url }, namespace })
  const troubled = () => undefined
  const store = createPostgresStore(database, createSeal(''), 'wait', { kind: 'waits', leaseMs, troubled })
  const task: SeveralTask = { url: server.url, namespace, leaseMs, questions: 1, pauseMs: 0 }
  const ids = Array.from({ length: waits }, (_none, n) => `wait-${n}`)
  for (let at = 0; at < waits; at += 100) {
    // Due when the processes are there.
    await Promise.all(
      ids.slice(at, at + 100).map((id) => store.put(id, { body: { asked: 0 }, subject: id, dueMs: 3_600_000 })),
    )
  }
  const statements = new Map<number, number>()
  let ended = 0
  let last = 0
  const children = await Promise.all(
    Array.from({ length: count }, async (_none, by) => {
      const child = fork(join(__dirname, '../test/lib/several-child.ts'), [JSON.stringify(task)], {
        ...{ execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] as const },
      })
      child.on('message', (word: Sent | Counted | { ready: true }) => {
        if (!('id' in word)) return
        ended++
        last = performance.now()
        statements.set(by, word.statements)
      })
      await once(child, 'message')
      return child
    }),
  )
  const idle = children[0] ? await statementsASecond(children[0]) : NaN
  const start = performance.now()
  await store.wake(ids)
  while (ended < waits) await pause(20)
  for (const child of children) child.kill('SIGKILL')
  await database.close()
  const all = [...statements.values()].reduce((sum, one) => sum + one, 0)
  return { perSecond: waits / ((last - start) / 1000), statements: all / waits, idle }
}

/** How much a process asks while nobody has anything to do. */
async function statementsASecond(child: ChildProcess): Promise<number> {
  const count = async () => {
    child.send('count')
    const [{ statements }] = (await once(child, 'message')) as [Counted]
    return statements
  }
  const [before, start] = [await count(), performance.now()]
  await pause(idleSeconds * 1000)
  return ((await count()) - before) / ((performance.now() - start) / 1000)
}
