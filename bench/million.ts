/**
 * Measures every statement on the table of the shared store, with 10,000 rows and with a million. The cost of a
 * statement should depend only on the rows that it touches.
 */
import { randomBytes } from 'node:crypto'
import { Pool } from 'pg'
import { newId } from '../lib/store/item-name'
import { listKind, ready, setUp, statements } from '../lib/store/drivers/postgres/statements'
import { startPostgres } from '../test/support/servers/postgres-server'
import { median, type Row, type Subject } from './report'
import { roundsOr } from './rounds'

const few = 10_000
const many = 1_000_000
const runs = 10 * roundsOr(3) + 1
/**
 * The maximum milliseconds for measuring one statement: slow statements run less often, because the measurement would
 * otherwise take minutes.
 */
const longestMs = 8_000
const leaseMs = 15_000
const page = 1_000

const part = ['bench', 'wait', 'waits'] as const

/**
 * A statement to measure. `values` prepares one run and returns the values for it; `rows` is the number of rows in the
 * table.
 */
interface Measured {
  readonly what: string
  readonly text: string
  readonly values: (pool: Pool, rows: number) => unknown[] | Promise<unknown[]>
  /** Set if the statement runs only when a user looks at a list. */
  readonly forPerson?: boolean
}

export async function benchMillion(): Promise<Subject[]> {
  const server = await startPostgres()
  const pool = new Pool({ connectionString: server.url, max: 1 })
  try {
    for (const statement of setUp) await pool.query(statement)
    const other = await measureAll(pool, few)
    const ours = await measureAll(pool, many)
    const rows = measured.map(({ what, forPerson }): Row => {
      const row = { what, ours: ours.get(what) ?? NaN, other: other.get(what), unit: 'ms' }
      return forPerson ? row : { ...row, aim: { atMost: 10, of: 'ours' } }
    })
    const subject = `one statement with ${many.toLocaleString('en')} rows of one node`
    return [{ subject, alternative: `with ${few.toLocaleString('en')} rows`, rows }]
  } finally {
    await pool.end()
    await server.stop()
  }
}

async function measureAll(pool: Pool, rows: number): Promise<Map<string, number>> {
  await pool.query('truncate eid_kept')
  await pool.query(fill, [...part, rows])
  await pool.query('vacuum analyze eid_kept')
  const found = new Map<string, number>()
  for (const one of measured) {
    const times: number[] = []
    const end = performance.now() + longestMs
    while (times.length < runs && (times.length < 3 || performance.now() < end)) {
      const values = await one.values(pool, rows)
      const start = performance.now()
      await pool.query(one.text, values)
      times.push(performance.now() - start)
    }
    found.set(one.what, median(times))
  }
  if (process.env.EID_BENCH_EXPLAIN && rows === many) await explainSlowest(pool, found)
  return found
}

const explained = 5

/** Prints the plans of the slowest statements; called if EID_BENCH_EXPLAIN is set. */
async function explainSlowest(pool: Pool, times: ReadonlyMap<string, number>): Promise<void> {
  const timeOf = ({ what }: Measured) => times.get(what) ?? 0
  const slowest = [...measured].sort((one, other) => timeOf(other) - timeOf(one)).slice(0, explained)
  for (const { what, text, values } of slowest) {
    const plan = await pool.query<Record<string, string>>(`explain (analyze) ${text}`, await values(pool, many))
    console.log(`${what}\n${plan.rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`)
  }
}

/**
 * Inserts waits like real ones: their names are random digits, one wait in a hundred is due now, the others within a
 * day.
 */
const fill = `insert into eid_kept (ns, node, kind, key, about, body, subject, due)
  select $1, $2, $3, 'w' || substr(md5(n::text || 'key'), 1, 22),
    '{"id":"w' || substr(md5(n::text || 'key'), 1, 22) || '","summary":{"title":"Contract ' || n
      || '","waitingFor":[{"name":"Ola Nordmann","since":"2026-11-23T08:00:00.000Z"}]},"subject":"c/document/' || n || '"}',
    '{"msg":"' || repeat(md5(n::text), 12) || '"}', 'e' || md5('subject' || n),
    case when n % 100 = 0 then now() - interval '1 minute' else now() + n % 86400 * interval '1 second' end
  from generate_series(1, $4::int) as n order by n`

const newRow = (id = newId()) => [id, 1, '', `{"id":"${id}"}`, '{"msg":"new"}', null, 3_600_000, null]

/** Claims rows, and returns what an owner needs to act on them: the key of each row, and the owner's id. */
async function claimed(pool: Pool, limit: number): Promise<[string[], string[]]> {
  const owner = randomBytes(8).toString('hex')
  const { rows } = await pool.query<{ key: string }>(statements.claim, [...part, 1, '', limit, owner, leaseMs, 0])
  return [rows.map(({ key }) => key), rows.map(() => owner)]
}

async function anyKey(pool: Pool): Promise<string | undefined> {
  const key = `w${randomBytes(11).toString('hex')}`
  const near = 'select key from eid_kept where ns = $1 and node = $2 and kind = $3 and key > $4 order by key limit 1'
  const { rows } = await pool.query<{ key: string }>(near, [...part, key])
  return rows[0]?.key
}

const positionAt = async (pool: Pool, share: number) => {
  const ends = `select (select min(seq) from eid_kept)::float8 as first, (select max(seq) from eid_kept)::float8 as last`
  const { rows } = await pool.query<{ first: number; last: number }>(ends)
  const { first = 0, last = 0 } = rows[0] ?? {}
  return Math.floor(first - 1 + share * (last - first))
}

const measured: readonly Measured[] = [
  { what: 'put', text: statements.put, values: () => [...part, ...newRow()] },
  { what: 'add', text: statements.add, values: () => [...part, ...newRow()] },
  { what: 'get', text: statements.get, values: async (pool) => [...part, await anyKey(pool), 1, ''] },
  { what: 'remove', text: statements.remove, values: async (pool) => [...part, await anyKey(pool)] },
  { what: 'claim of 8', text: statements.claim, values: () => [...part, 1, '', 8, newId(), leaseMs, 0] },
  {
    what: 'renew of 8',
    text: statements.renew,
    values: async (pool) => [...part, ...(await claimed(pool, 8)), leaseMs],
  },
  {
    what: 'mark 8 as delivered',
    text: statements.markDelivered,
    values: async (pool) => [...part, ...(await claimed(pool, 8)), leaseMs],
  },
  {
    what: 'put back 8',
    text: statements.reschedule,
    async values(pool) {
      const [keys, owners] = await claimed(pool, 8)
      const abouts = keys.map((key) => `{"id":"${key}"}`)
      const unchanged = keys.map(() => null)
      return [...part, keys, owners, abouts, ...[1, 2, 3, 4].map(() => unchanged), keys.map(() => 60_000)]
    },
  },
  { what: 'finish 8', text: statements.complete, values: async (pool) => [...part, ...(await claimed(pool, 8))] },
  {
    what: 'give back 8',
    text: statements.returnClaims,
    values: async (pool) => [...part, ...(await claimed(pool, 8))],
  },
  {
    what: 'wake by a subject',
    text: statements.makeDue,
    values: async (pool) => {
      const { rows } = await pool.query<{ subject: string }>(
        'select subject from eid_kept where ns = $1 and node = $2 and kind = $3 and key = $4',
        [...part, await anyKey(pool)],
      )
      return [part[0], [rows[0]?.subject]]
    },
  },
  {
    what: 'is there work',
    text: ready,
    values: () => [part[0], ['wait', 'other', 'third'], ['waits', 'waits', 'waits']],
  },
  { what: 'count', text: statements.count, values: () => [...part] },
  { what: 'room', text: statements.usage, values: () => [...part] },
  {
    what: 'make room for 1',
    text: statements.makeRoom,
    values: async (pool) => {
      // The statement drops only rows without a due time, so the due times of the oldest rows are removed.
      const oldest = `update eid_kept set due = null where ctid = any(array(
        select ctid from eid_kept where ns = $1 and node = $2 and kind = $3 order by eid_kept.seq limit 100))`
      await pool.query(oldest, [...part])
      return [...part, 1, 0]
    },
  },
  { what: 'sweep', text: statements.sweep, values: () => [] },
  {
    what: 'page of a list, in the middle',
    text: statements.list,
    values: async (pool) => [...part, 1, '', await positionAt(pool, 0.5), page],
  },
  {
    what: 'page of a list of all nodes',
    text: listKind,
    values: async (pool) => [part[0], part[2], '', await positionAt(pool, 0.5), page],
  },
]
