/**
 * What people do to a node with something pending: disable it or its tab, move it to another tab, delete it and undo
 * that. Node-RED closes the node as removed each time, and nothing may be lost or happen twice.
 */
import helper from 'node-red-node-test-helper'
import { createHmac } from 'node:crypto'
import should from 'should'
import alerts from '../../../nodes/alerts/alerts'
import batch from '../../../nodes/batch/batch'
import embed from '../../../nodes/embed/embed'
import events from '../../../nodes/events/events'
import wait from '../../../nodes/wait/wait'
import webhook from '../../../nodes/webhook/webhook'
import { registerEnded } from '../../../lib/runtime/monitor/ended'
import { RED } from '../../support/errors'
import { inMemory, removeFlow, startFlow } from '../../support/flow'
import type { FlowMessage, NodeModuleLike } from '../../support/node-types'
import { act, type Parties } from '../../support/parties'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'
import { until } from '../../support/time'

type Config = Record<string, unknown>
type Gesture = readonly [name: string, ...deploys: ((flow: readonly Config[]) => Config[])[]]

const change = (id: string, settings: Config) => (flow: readonly Config[]) =>
  flow.map((one) => (one.id === id ? { ...one, ...settings } : one))
const without =
  (...ids: string[]) =>
  (flow: readonly Config[]) =>
    flow.filter(({ id }) => !ids.includes(String(id)))
const asBefore = (flow: readonly Config[]) => [...flow]
const moved = (flow: readonly Config[]) => [
  { id: 'g', type: 'tab', label: 'other' },
  ...flow.map((one) => ('z' in one ? { ...one, z: 'g' } : one)),
]

const gestures: readonly Gesture[] = [
  ['disabled and enabled', change('n', { d: true }), asBefore],
  ['on a tab that is disabled and enabled', change('f', { disabled: true }), asBefore],
  ['moved to another tab while the old one is deleted', (flow) => without('f')(moved(flow))],
  ['moved to another tab before the old one is deleted', moved, (flow) => without('f')(moved(flow))],
  ['deleted and brought back by undo', without('n'), asBefore],
  [
    'deleted with its tab and brought back by undo',
    (flow) => flow.filter(({ id, z }) => ![id, z].includes('f')),
    asBefore,
  ],
]

describe('a node that is', () => {
  let service: Service
  let parties: Parties
  let site: PublicSide
  let arrived: Map<string, FlowMessage[]>
  useSides((sides) => ({ service, parties, site } = sides))
  afterEach(removeFlow)

  const watched = new WeakSet<object>()
  const watch = () => {
    for (const output of ['out0', 'out1', 'out2']) {
      const node = helper.getNode(output)
      if (!node || watched.has(node)) continue
      watched.add(node)
      node.on('input', (msg: FlowMessage) => void arrived.get(output)?.push(msg))
    }
  }
  /** Starts a flow of this node; returns the function that performs a gesture. */
  const start = async (type: string, module: NodeModuleLike, settings: object, secrets: object = {}) => {
    arrived = new Map(['out0', 'out1', 'out2'].map((id) => [id, []]))
    const modules = [site.module]
    const client = { baseUrl: service.url, retries: 0 }
    await startFlow({ type, module, modules, outputs: 3, settings, client, secrets })
    const flow = helper._redNodes.getFlows().flows
    watch()
    return async ([, ...deploys]: Gesture) => {
      for (const deploy of deploys) {
        const started = new Promise((resolve) => helper._events.once('flows:started', resolve))
        await helper._redNodes.setFlows(deploy(flow), { n: secrets }, 'nodes')
        await started
        watch()
      }
    }
  }
  const send = (msg: FlowMessage) => helper.getNode('n')?.receive(msg)
  const next = async (output = 0): Promise<FlowMessage> => {
    await until(() => (arrived.get(`out${output}`)?.length ?? 0) > 0)
    return arrived.get(`out${output}`)?.shift() ?? {}
  }
  const asked = (operation: string) => until(async () => (await service.requests(operation)).length > 0)

  for (const [what, settings, id] of [
    ['disabled', { d: true }, 'n'],
    ['on a disabled tab', { disabled: true }, 'f'],
  ] as const) {
    it(`${what} answers 503 to its pages and calls, and 404 once it is deleted`, async () => {
      for (const [type, module, path, method] of [
        ['eid-embed', embed, '/eid/page/x', 'GET'],
        ['eid-webhook', webhook, '/hooks/one', 'POST'],
      ] as const) {
        const perform = await start(type, module, path.startsWith('/hooks') ? { path: 'hooks/one' } : {})
        await perform(['', change(id, settings)])
        const paused = await fetch(site.url + path, { method, headers: { 'Accept-Language': 'nb-NO,nb;q=0.9' } })
        should([paused.status, paused.headers.get('retry-after')]).deepEqual([503, '60'])
        const said = await paused.text()
        if (method === 'POST') should(said).equal('paused')
        else {
          should(said).containEql('lang="nb"').and.containEql('La den stå åpen, eller åpne lenken igjen senere.')
          should(paused.headers.get('refresh')).equal('60')
          should(paused.headers.get('content-security-policy')).startWith("default-src 'none'")
        }
        should((await fetch(`${site.url}/eid/other`)).status).equal(404)
        await perform(['', without('n')])
        should((await fetch(site.url + path, { method })).status).equal(404)
        await removeFlow()
      }
    })
  }

  it('not open yet asks its callers to come back in a moment', async () => {
    // With this setting the node never opens, which is the state of every node while the flows start.
    await start('eid-webhook', webhook, { register: true, publicUrl: 'no address' })
    const { status, headers } = await fetch(`${site.url}/eid/webhook`, { method: 'POST' })
    should([status, headers.get('retry-after')]).deepEqual([503, '2'])
  })

  for (const gesture of gestures) {
    describe(gesture[0], () => {
      it('waits on, and the message comes out once', async () => {
        const perform = await start('eid-wait', wait, { pollInterval: '0.05' })
        const { documentId, signers } = await parties.createDocument('gesture')
        send({ documentId, kept: 1 })
        await asked('getDocumentStatus')
        await perform(gesture)
        await act(signers[0]?.url ?? '')
        should(await next()).have.properties({ documentId, status: 'signed', kept: 1 })
        should(arrived.get('out0')).deepEqual([])
      })

      it('sends no row of its list twice', async () => {
        const settings = { key: 'payload.name', keyType: 'msg', parallel: '1' }
        const perform = await start('eid-batch', batch, settings)
        const list = () => ({ batchId: 'May', payload: ['Ola', 'Kari', 'Per'].map((name) => ({ name })) })
        const nameOf = ({ payload }: FlowMessage) => (payload as { name: string }).name
        send(list())
        const first = await next()
        send({ ...first })
        const second = await next()
        await perform(gesture)
        send(list())
        send({ ...second })
        const names = [nameOf(first), nameOf(second)]
        for (let left = 1; left > 0; left--) {
          const row = await next()
          // A row that was in flight may come out again, which its message then says.
          if (row.redelivered === true) left++
          else names.push(nameOf(row))
          send({ ...row })
        }
        should(names).deepEqual(['Ola', 'Kari', 'Per'])
        await until(() => arrived.get('out1')?.some(({ status }) => status === 'ended'))
        const report = arrived.get('out1')?.find(({ status }) => status === 'ended')
        should(report?.payload).have.properties({ total: 3, done: 3, failed: 0 })
      })

      it('still serves the pages whose addresses were sent', async () => {
        const perform = await start('eid-embed', embed, { url: 'url' })
        const { documentId, signers } = await parties.createDocument('gesture-page')
        send({ documentId, url: signers[0]?.url })
        const { embedUrl } = await next(2)
        const page = site.url + new URL(String(embedUrl), site.url).pathname.replace('/nr/', '/')
        await perform(gesture)
        should((await fetch(page)).status).equal(200)
      })

      it('still recognizes the events that it has received', async () => {
        const secret = 'first secret'
        const perform = await start('eid-webhook', webhook, {}, { secret })
        const post = async (id: string) => {
          const body = JSON.stringify({ id, type: 'document_signed', payload: { documentId: 'doc-1' }, tags: null })
          const signature = createHmac('sha256', secret).update(body).digest('hex')
          const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature }
          return (await fetch(`${site.url}/eid/webhook`, { method: 'POST', headers, body })).status
        }
        should(await post('one')).equal(204)
        should(await next()).have.property('eventId', 'one')
        await perform(gesture)
        should([await post('one'), await post('two')]).deepEqual([204, 204])
        should(await next()).have.property('eventId', 'two')
      })

      it('still knows which events it has sent', async () => {
        const perform = await start('eid-events', events, { interval: '0.05', acknowledge: 'when-returned' })
        await parties.createDocument('gesture-event')
        await next()
        const before = await inMemory('n', 'events').count()
        should(before).be.above(0)
        await perform(gesture)
        should(await inMemory('n', 'events').count()).equal(before)
      })

      it('reports nothing a second time', async () => {
        const about = (id: string) => ({
          wait: id,
          what: 'document',
          kind: 'document',
          id,
          title: id,
          who: [],
          since: '2026-11-01T08:00:00.000Z',
          outcome: 'expired',
          node: { id: 'w', name: '', flow: '' },
          client: 'c',
        })
        const items: object[] = []
        const forget = registerEnded(RED, 'w', { list: () => Promise.resolve(items as never) })
        try {
          const perform = await start('eid-alerts', alerts, { client: '' })
          items.push({ ...about('one'), when: new Date().toISOString() })
          should((await next()).payload).have.property('title', 'one')
          await perform(gesture)
          items.push({ ...about('two'), when: new Date().toISOString() })
          should((await next()).payload).have.property('title', 'two')
        } finally {
          forget()
        }
      })
    })
  }
})
