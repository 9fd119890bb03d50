/**
 * The connection to a shared store's database: lost and restored, opened by many callers at once, through a pooler, and
 * without the right to create tables.
 *
 * @rest
 */
import should from 'should'
import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { Client } from 'pg'
import { createDatabase, type Database, type LoadPg } from '../../../lib/store/drivers/postgres/database'
import { createSqlStore } from '../../../lib/store/sql-store'
import { createCipher } from '../../../lib/store/sql/cipher'
import type { Claim, StoreEvent } from '../../../lib/store/store'
import { startPostgres, type PostgresServer } from '../../support/servers/postgres-server'
import { until } from '../../support/time'
import { claimed, endSharedLeases, type Way } from './store-bench'
import { sharesOutWork } from './store-work.contract'

describe('the database of a shared store', () => {
  let server: PostgresServer
  const open: Database[] = []
  before(async () => {
    server = await startPostgres()
  })
  after(() => server.stop())
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())))

  const openDatabase = (url = server.url, namespace = 'database') => {
    const database = createDatabase({ config: { connectionString: url }, namespace })
    open.push(database)
    return database
  }
  const openStore = (database: Database, troubles: StoreEvent[] = []) =>
    createSqlStore(database, createCipher(''), 'n', {
      kind: 'items',
      onStoreEvent: (one) => void troubles.push(one),
    })
  const sql = async (text: string, url = server.url) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }

  it('gets its table once, of however many begin at once', async () => {
    await sql('drop table if exists eid_kept')
    const stores = Array.from({ length: 8 }, () => openStore(openDatabase()))
    should((await Promise.all(stores.map((store) => store.add('one', { body: 1 })))).filter(Boolean)).have.length(1)
  })

  it('needs no right to make tables where the table is there', async () => {
    await openStore(openDatabase()).count()
    await sql(`create role worker login; revoke create on schema public from public;
      grant select, insert, update, delete on eid_kept to worker`)
    const store = openStore(openDatabase(server.url.replace('eid@', 'worker@'), 'worker'))
    should(await store.add('one', { body: 1 })).be.true()
  })

  it('reports once that it is down, and once that it is back; what was stored is still there', async () => {
    const door = await startDoor(server.url)
    const troubles: StoreEvent[] = []
    const store = openStore(openDatabase(door.url), troubles)
    await store.put('one', { body: 1 })
    await door.shut()
    for (let time = 0; time < 3; time++) await should(store.get('one')).be.rejectedWith({ code: 'EID_NETWORK' })
    should(troubles).deepEqual(['away'])
    await door.open()
    should((await until(() => store.get('one').catch(() => undefined)))?.body).equal(1)
    should(troubles).deepEqual(['away', 'back'])
    await door.shut()
  })

  it('wakes those who wait for work when it is back', async () => {
    const door = await startDoor(server.url)
    const troubles: StoreEvent[] = []
    const store = openStore(openDatabase(door.url, 'back'), troubles)
    await store.count()
    await door.shut()
    const stop = new AbortController()
    const waiting = store.ready(stop.signal)
    await until(() => troubles.includes('away'))
    await openStore(openDatabase(server.url, 'back')).put('work', { body: 1, dueMs: 0 })
    await door.open()
    await waiting
    should(await until(async () => (await store.claim(1).catch(() => []))[0])).have.property('id', 'work')
    await door.shut()
  })

  it('queues a call behind many others, and does not mistake that for an outage', async () => {
    const config = { connectionString: server.url, connectionTimeoutMillis: 800 }
    const database = createDatabase({ config, namespace: 'crowd' })
    open.push(database)
    await database.run('select 1', [])
    const told: boolean[] = []
    database.watch((there) => void told.push(there))
    // Five run at a time, so the last one begins after 1.2 seconds.
    await Promise.all(Array.from({ length: 35 }, () => database.run('select pg_sleep(0.2)', [])))
    should(told).deepEqual([])
  })

  it('renews leases before it runs other statements', async () => {
    const database = openDatabase()
    const store = openStore(database)
    await store.put('one', { body: 1, dueMs: 0 })
    const claims = await claimed(store, 1)
    let left = 0
    const crowd = Array.from({ length: 50 }, async () => {
      left++
      await database.run('select pg_sleep(0.02)', [])
      left--
    })
    should(await store.renew(claims)).have.length(1)
    should(left).be.aboveOrEqual(40)
    await Promise.all(crowd)
    await store.clear()
  })

  it('stores what has come in before it looks for work', async () => {
    const database = openDatabase()
    const store = openStore(database)
    await store.put('one', { body: 1 })
    let left = 0
    const crowd = Array.from({ length: 50 }, async () => {
      left++
      await database.run('select pg_sleep(0.02)', [])
      left--
    })
    await store.put('two', { body: 2, dueMs: 0 })
    should(left).be.aboveOrEqual(40)
    await Promise.all(crowd)
    await store.clear()
  })

  it('ends everything that waits for its turn when it is down', async () => {
    const door = await startDoor(server.url)
    const database = openDatabase(door.url)
    await database.run('select 1', [])
    const crowd = Promise.allSettled(Array.from({ length: 50 }, () => database.run('select pg_sleep(3600)', [])))
    await door.shut()
    const ends = (await crowd).map((one) => one.status === 'rejected' && (one.reason as { code: string }).code)
    should(new Set(ends)).deepEqual(new Set(['EID_NETWORK']))
  })

  it('repeats a statement that others were in the way of', async () => {
    for (const code of ['40001', '40P01', '55P03']) {
      const { load, failures } = refusing(code, 3)
      const database = createDatabase({ config: { connectionString: server.url }, namespace: 'conflict', load })
      open.push(database)
      should(await database.run('select 1 as one', [])).deepEqual([{ one: 1 }])
      should(failures()).equal(0)
    }
  })

  it('is asked for the level of isolation that the statements are made for', async () => {
    const config = { connectionString: server.url, options: '-c default_transaction_isolation=serializable' }
    const database = createDatabase({ config, namespace: 'level' })
    open.push(database)
    const [row] = await database.run(`select current_setting('transaction_isolation') as level`, [])
    should(row?.level).equal('read committed')
  })

  it('is given a put again whose answer was lost: it is kept once, and not refused', async () => {
    const door = await startDoor(server.url)
    const store = openStore(openDatabase(door.url, 'lost answer'))
    await store.put('before', { body: 0 })
    const behind = openStore(openDatabase(server.url, 'lost answer'))
    door.swallowAnswers()
    const put = store.put('one', { body: 1, dueMs: 60_000 })
    // The item is stored, but the caller of `put` does not know it.
    await until(async () => (await behind.count()) === 2)
    await door.shut()
    await door.open()
    await put
    should(await behind.count()).equal(2)
    await door.shut()
  })

  it('does not get an item again that may be due and done by then', async () => {
    const door = await startDoor(server.url)
    const store = openStore(openDatabase(door.url, 'lost and due'))
    await store.put('before', { body: 0 })
    const behind = openStore(openDatabase(server.url, 'lost and due'))
    door.swallowAnswers()
    const put = store.put('one', { body: 1, dueMs: 0 })
    const [claim] = await claimed(behind, 1)
    await behind.complete(claim as Claim)
    await Promise.all([
      should(put).be.rejectedWith({ code: 'EID_NETWORK', cause: { outcome: 'unknown' } }),
      door.shut(),
    ])
    should(await behind.count()).equal(1)
  })

  describe('behind a pooler: every statement on another connection', () => {
    let number = 0
    const way: Way = {
      shared: true,
      newPlace: () =>
        Promise.resolve({ way: 'postgres', url: server.url, namespace: `pooled-${++number}`, key: '', maxUses: 1 }),
      corrupt: () => Promise.resolve(),
      endLeases: endSharedLeases,
    }
    sharesOutWork(way)
  })
})

/** A pool whose first statements fail with this code. */
function refusing(code: string, times: number) {
  let left = times
  const load: LoadPg = async () => {
    const { Pool } = (await import('pg')).default
    const Refusing = class extends Pool {
      override query(...values: [never]) {
        const isOurs = String(values[0]).startsWith('select 1 as one')
        if (!isOurs || left-- <= 0) return super.query(...values) as never
        return Promise.reject(Object.assign(new Error('in the way'), { code })) as never
      }
    }
    return { Pool: Refusing as unknown as typeof Pool }
  }
  return { load, failures: () => Math.max(0, left) }
}

/** A proxy in front of the database; while it is shut, it refuses new connections and has closed the open ones. */
async function startDoor(url: string) {
  const target = new URL(url)
  const beyondPort = Number(target.port)
  const inside = new Set<Socket>()
  let mute = false
  const door = createServer((socket) => {
    const beyond = connect(beyondPort, target.hostname)
    for (const [one, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      inside.add(one)
      one.on('data', (data) => void (mute && one === beyond ? undefined : other.write(data)))
      one.on('end', () => other.end())
      one.on('error', () => other.destroy()).on('close', () => inside.delete(one))
    }
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo
  target.port = String(port)
  return {
    url: target.href,
    /** From now on, queries reach the database, but no answers come back. */
    swallowAnswers() {
      mute = true
    },
    async shut() {
      mute = false
      for (const socket of inside) socket.destroy()
      await new Promise((resolve) => door.close(resolve))
    },
    async open() {
      door.listen(port, '127.0.0.1')
      await once(door, 'listening')
    },
  }
}
