/** What Node-REDs with a shared store report to each other: each about itself, and only while it runs. */
import should from 'should'
import { hostname } from 'node:os'
import { openMetrics } from '../../../lib/runtime/monitor/client-metrics'
import { joinReplicas, otherReplicas } from '../../../lib/runtime/monitor/replicas'
import type { Listed, NewItem } from '../../../lib/store/store'

const RED = {}

/** A store with the descriptions of these other Node-REDs. */
function storeOf(others: Readonly<Record<string, unknown>>) {
  const items = new Map(Object.entries(others))
  return {
    items,
    list: () => Promise.resolve([...items.keys()].map((id) => ({ id }) as Listed)),
    get: (id: string) => Promise.resolve(items.has(id) ? ({ body: items.get(id) } as never) : undefined),
    put: (id: string, { body }: NewItem) => Promise.resolve(void items.set(id, body)),
    remove: (id: string) => Promise.resolve(items.delete(id)),
  }
}

const trouble = { id: 't', subject: 's', at: 1, text: 'Refused.', node: { places: [] } }
const report = {
  name: 'other-machine',
  process: 7,
  clients: [{ id: 'c', calls: 3 }],
  troubles: [trouble, { text: 'of another version' }],
}

describe('Node-REDs that share a store', () => {
  it('read the reports of the others, and not their own', async () => {
    const activity = openMetrics(RED, { id: 'mine', name: '', environment: 'sandbox' })
    const store = storeOf({
      other: report,
      same: { ...report, name: hostname() },
      broken: { name: 1 },
      none: undefined,
    })
    const leave = joinReplicas(RED, 'place', store, () => [])
    const replicas = await otherReplicas(RED)
    should(replicas.map(({ name }) => name)).deepEqual(['other-machine', `${hostname()} (7)`])
    should(replicas[0]).match({ clients: [{ calls: 3 }], troubles: [trouble] })
    should(replicas[0]?.troubles).have.length(1)
    const own = [...store.items.values()].at(-1)
    should(own).match({ name: hostname(), process: process.pid, clients: [{ id: 'mine' }], troubles: [] })
    await leave()
    activity.close(true)
    should([...store.items.keys()]).deepEqual(['other', 'same', 'broken', 'none'])
    should(await otherReplicas(RED)).be.empty()
  })

  it('show the rest when a store cannot be reached', async () => {
    const away = {
      ...storeOf({}),
      list: () => Promise.reject(new Error('away')),
      put: () => Promise.reject(new Error()),
    }
    const leave = [
      joinReplicas(RED, 'away', away, () => []),
      joinReplicas(RED, 'there', storeOf({ other: report }), () => []),
    ]
    should((await otherReplicas(RED)).map(({ name }) => name)).deepEqual(['other-machine'])
    for (const one of leave) await one()
  })
})
