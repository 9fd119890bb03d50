/**
 * Several processes on one database: killed, paused, or with the database down for a while. Nothing is lost, and what
 * is sent twice is marked.
 *
 * @rest
 */
import should from 'should'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createDatabase, type Database } from '../../../lib/store/drivers/postgres/database'
import { createSqlStore } from '../../../lib/store/sql-store'
import { createCipher } from '../../../lib/store/sql/cipher'
import type { Store } from '../../../lib/store/store'
import { startPostgres, type PostgresServer } from '../../support/servers/postgres-server'
import { programOf } from '../../support/program'
import { pause, until } from '../../support/time'
import type { Sent, SeveralTask } from './several-child'

const leaseMs = 3_000
const hour = 3_600_000
const waits = Number(process.env.EID_SEVERAL_WAITS ?? 120)

describe('several processes on one database', () => {
  let server: PostgresServer
  let database: Database
  let store: Store
  let number = 0
  let namespace = ''
  const children: ChildProcess[] = []
  const sent: (Sent & { readonly by: number; readonly at: number })[] = []

  before(async () => {
    server = await startPostgres()
  })
  after(() => server.stop())
  beforeEach(() => {
    namespace = `several-${++number}`
    database = createDatabase({ config: { connectionString: server.url }, namespace })
    store = openIn(database)
    sent.length = 0
  })
  afterEach(async () => {
    const running = children.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    await Promise.all(running.map((child) => kill(child)))
    await database.close()
  })

  const openIn = (one: Database, ms = leaseMs) =>
    createSqlStore(one, createCipher(''), 'wait', { kind: 'waits', leaseMs: ms, onStoreEvent: () => undefined })

  const startChildren = async (count: number, questions = 3, pauseMs = 300, ms = leaseMs) => {
    const task: SeveralTask = { url: server.url, namespace, leaseMs: ms, questions, pauseMs }
    const program = await programOf(join(__dirname, 'several-child.ts'))
    const ready = Array.from({ length: count }, async () => {
      const by = children.length
      const child = fork(program, [JSON.stringify(task)], {
        execArgv: [],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      children.push(child)
      child.on('message', (word: Sent | { ready: true }) => {
        if ('id' in word) sent.push({ ...word, by, at: performance.now() })
      })
      await once(child, 'message')
    })
    await Promise.all(ready)
  }
  const putWaits = async (count = waits, first = 0) => {
    const ids = Array.from({ length: count }, (_, n) => `wait-${first + n}`)
    for (let at = 0; at < count; at += 200) {
      await Promise.all(ids.slice(at, at + 200).map((id) => store.put(id, { body: { asked: 0 }, dueMs: 0 })))
    }
    return ids
  }
  /** Checks that every wait was sent at least once, and at most once without a mark. */
  const check = async (ids: readonly string[]) => {
    await until(async () => (await store.count()) === 0)
    await until(() => new Set(sent.map(({ id }) => id)).size === ids.length)
    const unmarked = new Map<string, number>()
    for (const { id, redelivered } of sent) unmarked.set(id, (unmarked.get(id) ?? 0) + (redelivered ? 0 : 1))
    should([...unmarked].filter(([, count]) => count > 1)).deepEqual([])
    return { doubled: sent.length - ids.length, statements: statementsPerWait(ids.length) }
  }
  const statementsPerWait = (count: number) => {
    const last = new Map(sent.map(({ by, statements }) => [by, statements]))
    return [...last.values()].reduce((sum, one) => sum + one, 0) / count
  }
  const tell = (what: string, figures: object) => {
    if (process.env.EID_FIGURES) console.log(what, JSON.stringify(figures))
  }

  it('end every wait once, while nothing dies', async () => {
    // With these pauses, each process looks for work at least once between two polls. No lease ends meanwhile.
    await startChildren(3, 3, 1_500, hour)
    const start = performance.now()
    const ids: string[] = []
    const busy = () => new Set(sent.map(({ by }) => by)).size
    // On a busy machine, a process that looks for work late gets its share in a later round.
    for (let round = 1; busy() < 3 && round <= 20; round++) {
      ids.push(...(await putWaits(waits, ids.length)))
      const { doubled, statements } = await check(ids)
      should(doubled).equal(0)
      tell('undisturbed', { seconds: (performance.now() - start) / 1000, statements })
    }
    should(busy()).equal(3)
  })

  it('continue when one is killed after a third', async () => {
    await startChildren(3)
    const ids = await putWaits()
    await until(() => sent.length > waits / 3)
    const owned = await database.run(
      'select key from eid_kept where ns = $1 and owner is not null and leased > now()',
      [namespace],
    )
    const killed = performance.now()
    await kill(children[0] as ChildProcess)
    const { doubled } = await check(ids)
    const last = Math.max(...sent.map(({ at }) => at))
    tell('killed', { doubled, owned: owned.length, done: (last - killed) / 1000 })
    // When everything has ended, nothing is left to claim.
    should(await store.claim(5)).deepEqual([])
  })

  it('take over what a killed one had in its hands, but not before its lease has ended', async () => {
    const dead = openIn(database)
    await store.put('held', { body: { asked: 9 }, dueMs: 0 })
    const claimedAt = performance.now()
    const [claim] = await dead.claim(1)
    should(claim?.id).equal('held')
    await startChildren(1, 3, 300)
    await until(() => sent.length > 0)
    const took = (sent[0]?.at ?? 0) - claimedAt
    tell('takeover', { milliseconds: took, leaseMs })
    should(took).be.aboveOrEqual(leaseMs)
  })

  it('let one that was paused for three leases send nothing that others have sent', async () => {
    const short = leaseMs / 2
    await startChildren(3, 8, 200, short)
    const ids = await putWaits()
    await until(async () => ((await store.list({ limit: 1 })).length > 0 ? true : undefined))
    const stopped = children[1] as ChildProcess
    stopped.kill('SIGSTOP')
    await pause(short * 3)
    stopped.kill('SIGCONT')
    tell('stopped', await check(ids))
  })

  it('continue when the database has crashed and is back', async () => {
    await startChildren(3)
    const ids = await putWaits()
    await until(() => sent.length > waits / 10)
    await server.crash()
    await server.start()
    tell('database crashed', await check(ids))
  })

  it('lose nothing and mark what is doubled, whatever the statement at which one dies', async () => {
    const endLeases = 'update eid_kept set leased = now() where ns = $1 and owner is not null'
    let maxCount = 0
    for (let last = 0; last <= maxCount + 1; last++) {
      for (const executed of [false, true]) {
        const word: boolean[] = []
        const dying = mortal(database, last, executed)
        const id = `${last}-${String(executed)}`
        await store.put(id, { body: 1, dueMs: 0 })
        // Both run at the same time; the one that dies stops after its last statement.
        await Promise.race([oneRound(openIn(dying.database, hour), word), dying.death])
        maxCount = Math.max(maxCount, dying.count())
        await database.run(endLeases, [namespace])
        const other = openIn(database, hour)
        await until(async () => {
          await oneRound(other, word)
          return (await store.get(id)) === undefined
        })
        should(word.length).be.within(1, 2, id)
        should(word.slice(1).every((redelivered) => redelivered)).be.true(`${id}: ${String(word)}`)
      }
    }
    should(maxCount).be.aboveOrEqual(3)
  })
})

/** Claims, marks as delivered, sends, and completes. */
async function oneRound(store: Store, sent: boolean[]): Promise<void> {
  for (const claim of await store.claim(1)) {
    if (!(await store.markDelivered(claim))) continue
    sent.push(claim.deliveryCount > 0)
    await store.complete(claim)
  }
}

/**
 * A process that dies at its statement number `last`: before the statement is executed, or before its answer arrives.
 */
function mortal(database: Database, last: number, executed: boolean) {
  let count = 0
  let die = () => {}
  const death = new Promise<void>((resolve) => (die = resolve))
  const never = new Promise<never>(() => undefined)
  const run: Database['run'] = async (text, values) => {
    const dies = count++ >= last
    const rows = dies && !executed ? [] : await database.run(text, values)
    if (!dies) return rows
    die()
    return never
  }
  return { database: { ...database, run }, death, count: () => count }
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
