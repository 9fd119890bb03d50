/** The example "yearly renewals": what was sent is in the table, and nothing is sent twice, even when the table fails. @first */
import should from 'should'
import { deployFlows, resetSandbox, startNodeRed, type NodeRed } from './support/node-red/editor'
import { read } from './support/house'
import { startLeaseDatabase, type LeaseDatabase } from './support/lease-database'
import type { FlowNode } from './support/canvas'
import { until } from './support/time'

describe('the example of yearly renewals', function () {
  this.timeout(90_000)
  const flow = JSON.parse(read('examples', '20-yearly-renewals-from-postgresql.json')) as FlowNode[]
  let red: NodeRed
  let leases: LeaseDatabase
  before(async () => {
    leases = await startLeaseDatabase()
    red = await startNodeRed({ modules: ['pg'] })
    await resetSandbox(red)
    const heard = flow.map((node) => (node.type === 'debug' ? { ...node, console: true } : node))
    const count = { id: 'count', z: flow[0]?.id, type: 'eid-document', client: 'e1d0c11e47000001', operation: 'list' }
    await deployFlows(red, [
      ...leases.at(heard),
      { id: 'asked', z: flow[0]?.id, type: 'http in', url: '/documents', method: 'get', wires: [['count']] },
      { ...count, limit: '100', limitType: 'num', wires: [['answer']] },
      { id: 'answer', z: flow[0]?.id, type: 'http response', wires: [] },
    ])
    await press('make the table', 'the table')
  })
  after(async () => {
    await red?.stop()
    await leases?.stop()
  })

  it('sends a lease whose renewal could not be noted again the next night, as the same contract', async () => {
    await leases.query(`create function refuse() returns trigger as $$ begin raise 'no room'; end $$ language plpgsql`)
    await leases.query('create trigger full_disk before update on example_leases execute function refuse()')
    await press('now', 'report')
    should(await titles()).deepEqual(sent)
    should(await noted()).deepEqual([])
    await leases.query('drop trigger full_disk on example_leases')
    await press('now', 'report')
    await until(async () => (await moved()) === 2)
    should(await titles()).deepEqual(sent)
    should((await noted()).map(({ number }) => number)).deepEqual(['L-1', 'L-2'])
  })

  it('sends nothing twice when two nights begin at once, and nothing the night after', async () => {
    await leases.query("update example_leases set ends_on = current_date + 30 where number = 'L-3'")
    const since = red.output().length
    await Promise.all([inject('now'), inject('now')])
    await until(async () => (await moved()) === 3, 30)
    await press('now', 'nothing to renew')
    should(await titles()).have.length(3)
    should(red.output().slice(since)).not.match(/\[error\]|\[debug:problem\]/)
  })

  it('moves the end of a lease once, however often its signature is noted', async () => {
    const [year] = flow.filter(({ name }) => name === 'a year more')
    const before = await leases.query('select number, ends_on from example_leases order by number')
    const [lease] = await noted()
    const again = [{ p: 'documentId', v: String(lease?.renewal_id), vt: 'str' }]
    const button = { id: 'button', z: flow[0]?.id, type: 'inject', name: 'again', props: again, wires: [[year?.id]] }
    const heard = flow.map((node) => (node.type === 'debug' ? { ...node, console: true } : node))
    await deployFlows(red, leases.at([...heard, button]))
    const since = red.output().length
    await inject('again', 'button')
    await until(() => red.output().slice(since).includes('noted before'))
    should(await leases.query('select number, ends_on from example_leases order by number')).deepEqual(before)
  })

  const sent = ['Lease L-1 from ', 'Lease L-2 from ']
  async function titles(): Promise<string[]> {
    const { data } = (await (await fetch(`${red.url}/documents`)).json()) as { data: { title: string }[] }
    return data.map(({ title }) => title.slice(0, 15)).sort()
  }
  const noted = () =>
    leases.query('select number, renewal_id from example_leases where renewal_id is not null order by number')
  const moved = async () => (await leases.query('select from example_leases where ends_on > current_date + 300')).length
  async function inject(name: string, id = flow.find((one) => one.name === name)?.id) {
    const answer = await fetch(`${red.url}/inject/${id}`, { method: 'POST' })
    should(answer.status).equal(200, red.output().slice(-600))
  }
  async function press(name: string, heard: string) {
    const since = red.output().length
    await inject(name)
    await until(() => red.output().slice(since).includes(`[debug:${heard}]`), 30)
  }
})
