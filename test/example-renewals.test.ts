/**
 * The example "yearly renewals": the table contains what was sent, and nothing is sent twice, even if the table fails.
 *
 * @rest
 */
import should from 'should'
import { readExample } from './support/house'
import { startLeaseDatabase, type LeaseDatabase } from './support/servers/lease-database'
import { runExample, type RunningExample } from './support/examples/running-example'
import type { FlowNode } from './support/examples/canvas'
import { until } from './support/time'

describe('the example of yearly renewals', () => {
  const name = 'Yearly renewals from PostgreSQL'
  let example: RunningExample
  let leases: LeaseDatabase
  before(async () => {
    leases = await startLeaseDatabase()
    example = await runExample(name, (flow) => leases.at(flow))
    await example.press('make the table', 'the table')
  })
  after(async () => {
    await example?.stop()
    await leases?.stop()
  })
  const all = (what: string) => leases.query(`select ${what} from example_leases order by number`)
  const moved = async () => (await leases.query('select from example_leases where ends_on > current_date + 300')).length

  it('sends a lease whose renewal could not be noted again the next night, as the same contract', async () => {
    await leases.query(`create function refuse() returns trigger as $$ begin raise 'no room'; end $$ language plpgsql`)
    await leases.query('create trigger full_disk before update on example_leases execute function refuse()')
    await example.press('now', 'report')
    const sent = await example.titles()
    should(sent.map((title) => title.slice(0, 9))).deepEqual(['Lease L-1', 'Lease L-2'])
    should((await all('renewal_id')).every((lease) => lease.renewal_id === null)).be.true()
    await leases.query('drop trigger full_disk on example_leases')
    await leases.query('drop function refuse')
    await example.press('now', 'report')
    await until(async () => (await moved()) === 2)
    should(await example.titles()).deepEqual(sent)
    should((await all('renewal_id')).map((lease) => typeof lease.renewal_id)).deepEqual(['string', 'string', 'object'])
  })

  it('sends nothing twice when two nights begin at once, and nothing the night after', async () => {
    await leases.query("update example_leases set ends_on = current_date + 30 where number = 'L-3'")
    await Promise.all([example.press('now'), example.press('now')])
    await until(async () => (await moved()) === 3)
    await example.press('now', 'nothing to renew')
    should(await example.titles()).have.length(3)
    should(example.times('problem')).equal(0)
  })

  it('moves the end of a lease once, however often its signature is noted', async () => {
    const [year] = (JSON.parse(readExample(name)) as FlowNode[]).filter((node) => node.name === 'a year more')
    const ends = await all('number, ends_on')
    const [lease] = await all('renewal_id')
    const props = [{ p: 'documentId', v: String(lease?.renewal_id), vt: 'str' }]
    await example.deploy({ renewed: { complete: 'payload' } }, [
      { id: 'again', type: 'inject', props, wires: [[year?.id]] },
    ])
    await example.press('again', 'renewed')
    should(example.red.output()).match(/noted before/)
    should(await all('number, ends_on')).deepEqual(ends)
  })
})
