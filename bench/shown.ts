/** Measures the cost of showing a list of waits: reading all of it from a shared store, and showing it page by page. */
import { createCipher, type Cipher } from '../lib/store/sql/cipher'
import { createDatabase, type Database } from '../lib/store/drivers/postgres/database'
import { createRowCodec } from '../lib/store/sql/row-codec'
import { createSharedSource } from '../nodes/store/pending-source'
import { inOrder } from '../lib/runtime/people/waits'
import { viewOfWaiting } from '../plugins/sidebar/server/waiting'
import { startPostgres } from '../test/support/servers/postgres-server'
import { inChild, takeTurns, type Case, type Figures } from './child'
import { livingMemory, measure } from './memory'
import type { Row, Subject } from './report'
import { roundsOr } from './rounds'
import { watchTurns } from './turns'

const RED = {}

const rounds = roundsOr(3)
const many = 100_000
const few = 10_000
/** Number of rows that one statement inserts. */
const atOnce = 2_000
const hour = 3_600_000
/** How many pages are built to measure the time for one page. */
const looks = 20

export const cases: Readonly<Record<string, Case>> = {
  shown: ({ url = '', waits = '', key = '' }) => show(url, Number(waits), key),
}

export async function benchShown(): Promise<Subject[]> {
  const server = await startPostgres()
  try {
    const run = (waits: number, key: string) => () =>
      inChild('shown', 'shown', { url: server.url, waits: String(waits), key })
    const { all, tenth, encrypted } = await takeTurns(rounds, {
      all: run(many, ''),
      tenth: run(few, ''),
      encrypted: run(many, 'a key of its own'),
    })
    return [tableOf('', all, tenth), tableOf(', encrypted', encrypted, tenth)]
  } finally {
    await server.stop()
  }
}

function tableOf(how: string, ours: Figures, other: Figures): Subject {
  const row = (what: string, key: string, unit: string): Row => ({
    what,
    unit,
    ours: ours[key] ?? NaN,
    other: other[key] ?? NaN,
  })
  return {
    subject: `a list of ${many.toLocaleString('en')} waits in a shared store${how}`,
    alternative: `with ${few.toLocaleString('en')}`,
    rows: [
      row('read and put in order', 'seconds', 's'),
      row('CPU time of that', 'cpu', 's'),
      row('longest turn of the loop meanwhile', 'turn', 'ms'),
      row('peak memory growth', 'growth', 'MiB'),
      row('memory while it is shown', 'living', 'MiB'),
      row('CPU time of a page of 50', 'page', 'ms'),
      row('CPU time of a page of 50 with a search', 'search', 'ms'),
    ],
  }
}

async function show(url: string, waits: number, key: string): Promise<Figures> {
  const database = createDatabase({ config: { connectionString: url }, namespace: `shown-${waits}-${key}` })
  const cipher = createCipher(key)
  await fill(database, cipher, waits)
  const source = createSharedSource(RED, () => ({ database, cipher }))
  const before = livingMemory()
  const turns = watchTurns()
  const read = async () => inOrder(await source.list())
  const { result: items, seconds, growth, cpu } = await measure(read)
  const { turn } = await turns()
  const living = livingMemory() - before
  if (items.length !== waits) throw new Error(`${items.length} of ${waits} are listed`)
  const pageOf = async (find: string) => {
    const start = process.cpuUsage()
    for (let n = 0; n < looks; n++) await viewOfWaiting(RED, { items, failures: [] }, { rows: 50, find }, Date.now())
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 / looks
  }
  const [page, search] = [await pageOf(''), await pageOf('contract 99')]
  await database.close()
  return { seconds, cpu, growth, living, turn, page, search }
}

const insert = `insert into eid_kept (ns, node, kind, key, version, seal, about, body, subject, due)
  select $1, $2, $3, key, 1, seal, about, body, subject, now() + interval '1 day'
  from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) as t (key, seal, about, body, subject)`

/**
 * Inserts rows as the store writes them, many with one statement. This happens once for each number of waits; later
 * rounds find the rows.
 */
async function fill(database: Database, cipher: Cipher, waits: number): Promise<void> {
  const scope = [database.namespace, 'wait', 'waits'] as const
  const [there] = await database.run('select count(*)::int as count from eid_kept where ns = $1', [database.namespace])
  const { newRow } = createRowCodec(cipher, scope, 1)
  for (let from = Number(there?.count); from < waits; from += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, waits - from) }, (_none, n) => from + n)
    const rows = some.map((n) => newRow(`w${n}`, waitAt(n)))
    const column = (at: number) => rows.map((row) => row[at])
    await database.run(insert, [...scope, ...[0, 2, 3, 4, 5].map(column)])
  }
}

const waitAt = (n: number) => ({
  body: { msg: 'waits' },
  summary: {
    title: `Contract ${n}`,
    until: Date.now() + (n % 5000) * hour,
    node: { name: 'Wait', flow: 'Leases' },
    waitingFor: [{ name: 'Ola Nordmann', since: '2026-11-23T08:00:00.000Z', mark: 'signer-1' }],
  },
  subject: `c/document/${n}`,
})
