/**
 * A very large shared store: its statements read no more than they need, and a table of the previous version gets its
 * index while all processes use it.
 *
 * @rest
 */
import should from 'should'
import { Client } from 'pg'
import { createCipher } from '../../../lib/store/sql/cipher'
import { createDatabase, type Database } from '../../../lib/store/drivers/postgres/database'
import { createSqlStore } from '../../../lib/store/sql-store'
import {
  findKind,
  isSetUp,
  listKind,
  ready,
  schemaVersion,
  statements,
} from '../../../lib/store/drivers/postgres/statements'
import type { Limits } from '../../../lib/store/store'
import { createSharedSource } from '../../../nodes/store/pending-source'
import { startPostgres, type PostgresServer } from '../../support/servers/postgres-server'
import { until } from '../../support/time'

const RED = {}

const sampleSize = 2_000
const rows = 50_000

interface Plan {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly Plan[]
}

describe('a shared store that holds very much', () => {
  let server: PostgresServer
  let client: Client
  const open: Database[] = []
  before(async () => {
    server = await startPostgres()
    client = new Client({ connectionString: server.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await server.stop()
  })
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())))

  const openStore = (node: string, limits: Limits = {}) => {
    const database = createDatabase({ config: { connectionString: server.url }, namespace: 'many' })
    open.push(database)
    return createSqlStore(database, createCipher(''), node, {
      kind: 'items',
      onStoreEvent: () => undefined,
      ...limits,
    })
  }
  const fill = async (node: string, count: number, due: string, isAnalyzed = true) => {
    await openStore(node).count()
    await client.query(
      `insert into eid_kept (ns, node, kind, key, about, due)
        select 'many', $1, 'items', case when n % 5 = 0 then 'e' else 'w' end || substr(md5(n::text), 1, 22),
          '{"id":"' || n || '"}', ${due}
        from generate_series(1, $2::int) as n order by n`,
      [node, count],
    )
    if (isAnalyzed) await client.query('analyze eid_kept')
  }
  /** How many rows the statement goes through, in the step with the most rows. */
  const readBy = async (text: string, values: unknown[]) => {
    const { rows: found } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${text}`,
      values,
    )
    return largestOf(found[0]?.['QUERY PLAN'][0].Plan)
  }
  const exact = async (node: string) => {
    const { rows: found } = await client.query<{ count: number }>(
      `select count(*)::int from eid_kept where ns = 'many' and node = $1`,
      [node],
    )
    return found[0]?.count ?? 0
  }

  it('is counted exactly while that is quick, and then to two digits', async () => {
    await fill('few', 1_500, 'null')
    should(await openStore('few').count()).equal(1_500)
    await fill('counted', rows, 'null')
    const count = await openStore('counted').count()
    should(count).be.within(rows * 0.93, rows * 1.07)
    should(count % 1_000).equal(0)
  })

  it('forgets the oldest when it is full, about as many as it must', async () => {
    await fill('full', 12_000, 'null')
    const store = openStore('full', { maxItems: 10_000 })
    await store.put('new', { body: 1 })
    should(await exact('full')).be.within(9_300, 10_700)
    const [oldest] = await store.list({ limit: 1 })
    should(Number(oldest?.id)).be.above(1_000)
    should((await store.get('new'))?.body).equal(1)
  })

  it('takes no more work when it is full of it', async () => {
    await fill('busy', 12_000, `now() + interval '1 day'`)
    const full = openStore('busy', { maxItems: 10_000 })
    await should(full.put('new', { body: 1, dueMs: 60_000 })).be.rejectedWith({ code: 'EID_CONFIG' })
    should(await exact('busy')).equal(12_000)
  })

  it('reads only the requested part of a long list', async () => {
    await fill('read', rows, `now() - n * interval '1 second'`)
    const part = ['many', 'read', 'items']
    const asked: readonly (readonly [string, unknown[]])[] = [
      [statements.count, part],
      [statements.usage, part],
      [statements.list, [...part, 1, '', 100, 50]],
      [listKind, ['many', 'items', '', 100, 50]],
      [findKind, ['many', 'items', '', 'w']],
      [statements.claim, [...part, 1, '', 8, 'somebody', 1_000, 0]],
      [ready, ['many', ['read'], ['items']]],
      [statements.sweep, []],
    ]
    for (const [text, values] of asked) should(await readBy(text, values)).be.belowOrEqual(2 * sampleSize, text)
  })

  it('reads no more of a node that the statistics of the database do not know yet', async () => {
    await fill('known', 1_000, `now() + interval '1 day'`)
    await readsLittleOfUnknown()
  })

  it('reads no more where there are no statistics at all', async () => {
    await openStore('unknown').count()
    for (const statement of [
      'truncate eid_kept',
      `delete from pg_statistic where starelid = 'eid_kept'::regclass`,
      `update pg_class set reltuples = -1, relpages = 0 where relname like 'eid_kept%'`,
    ]) {
      await client.query(statement)
    }
    await readsLittleOfUnknown()
  })

  const readsLittleOfUnknown = async () => {
    await fill('unknown', rows / 4, `now() - n * interval '1 second'`, false)
    await client.query(`update eid_kept set subject = 's' || seq where node = 'unknown' and seq % 5 < 4`)
    const { rows: last } = await client.query<{ key: string; subject: string }>(
      `select key, subject from eid_kept where node = 'unknown' and subject is not null order by seq desc limit 8`,
    )
    const part = ['many', 'unknown', 'items']
    const keys = last.map(({ key }) => key)
    const of = (value: unknown) => keys.map(() => value)
    const changes = [keys, of('me'), keys, of(null), of(null), of(null), of(null), of(1)]
    const asked: readonly (readonly [string, unknown[]])[] = [
      [statements.get, [...part, keys[0], 1, '']],
      [statements.exists, [...part, keys[0]]],
      [findKind, ['many', 'items', '', keys[0]]],
      [statements.makeDue, ['many', last.map(({ subject }) => subject)]],
      [ready, ['many', ['unknown'], ['items']]],
      [statements.claim, [...part, 1, '', 8, 'me', 60_000, 0]],
      [statements.renew, [...part, keys, of('me'), 60_000]],
      [statements.markDelivered, [...part, keys, of('me'), 60_000]],
      [statements.reschedule, [...part, ...changes]],
      [statements.remain, [...part, ...changes]],
      [statements.returnClaims, [...part, keys, of('me')]],
      [statements.complete, [...part, keys, of('me')]],
      [statements.setAside, [...part, keys[0], 'me']],
      [statements.remove, [...part, keys[0]]],
      [statements.list, [...part, 1, '', 0, 50]],
      [listKind, ['many', 'items', '', 0, 50]],
      [statements.count, part],
      [statements.usage, part],
    ]
    for (const [text, values] of asked) should(await readBy(text, values)).be.belowOrEqual(2 * sampleSize, text)
  }

  it('finds the wait of a button without reading the others, whichever node keeps it', async () => {
    const database = createDatabase({ config: { connectionString: server.url }, namespace: 'buttons' })
    open.push(database)
    const cipher = createCipher('of the test')
    const waitsOf = (node: string) =>
      createSqlStore(database, cipher, node, { kind: 'waits', onStoreEvent: () => undefined })
    for (const node of ['first', 'second']) {
      for (const n of [1, 2, 3]) {
        await waitsOf(node).put(`${node}-${n}`, { subject: `c/document/${n}`, body: n, dueMs: 3_600_000 })
      }
    }
    let read = 0
    const counting: Database = {
      ...database,
      async run(...statement) {
        const found = await database.run(...statement)
        read += found.length
        return found
      },
    }
    const source = createSharedSource(RED, () => ({ database: counting, cipher }))
    should(await source.askNow('gone')).be.false()
    should(await source.stopWaiting('second-2', '')).be.true()
    should(await source.stopWaiting('second-2', '')).be.false()
    // Only two rows are read: the one that shows which node has the wait, and the one that was removed.
    should(read).equal(2)
    should(await source.find('second-2')).be.undefined()
    should(await source.find('second-1')).have.properties({
      wait: 'second-1',
      id: '1',
      node: { id: 'second', name: '', flow: '' },
    })
    should(read).equal(3)
    should(await source.askNow('second-3')).be.true()
    should(await waitsOf('second').claim(5)).have.length(1)
    should((await source.list()).map(({ wait }) => wait).sort()).deepEqual([
      'first-1',
      'first-2',
      'first-3',
      'second-1',
      'second-3',
    ])
  })

  it('gets its index while several processes start and work, also after an interrupted attempt', async () => {
    const index = async () =>
      (
        await client.query<{ valid: boolean }>(
          `select indisvalid as valid from pg_index where indexrelid = to_regclass('eid_kept_list')`,
        )
      ).rows.map(({ valid }) => valid)
    const version = async () => (await client.query<{ version: number }>(isSetUp)).rows[0]?.version
    const asBefore = `update eid_kept set count = 1 where ns = '' and key = 'version'`
    await openStore('old').put('first', { body: 0 })
    for (const change of [
      'drop index eid_kept_list',
      `update pg_index set indisvalid = false where indexrelid = to_regclass('eid_kept_list')`,
    ]) {
      await client.query(change)
      await client.query(asBefore)
      const stores = [openStore('old'), openStore('old'), openStore('old')]
      await Promise.all(stores.map((store, n) => store.put(`${change} ${n}`, { body: n })))
      await until(async () => (await version()) === schemaVersion)
      should(await index()).deepEqual([true])
    }
    should((await openStore('old').list()).map(({ id }) => id)).have.length(7)
    const left = `select 1 from eid_kept where ns = '' and key = 'upgrade'`
    await until(async () => (await client.query(left)).rowCount === 0)
  })
})

/** The most rows that one step of the plan has gone through. */
function largestOf(plan: Plan | undefined): number {
  if (!plan) return 0
  const { 'Rows Removed by Filter': byFilter = 0, 'Rows Removed by Join Filter': byJoin = 0 } = plan
  return Math.max(
    (plan['Actual Rows'] + byFilter + byJoin) * plan['Actual Loops'],
    ...(plan.Plans ?? []).map(largestOf),
  )
}
