/** What "wait" stores about ended waits: what, who, when and how, for thirty days, up to a limit. */
import should from 'should'
import { openStore } from '../../../lib/store/open'
import type { Claim, Store } from '../../../lib/store/store'
import { endedKeepMs, endedLimits, listEnded, type EndedItem } from '../../../lib/runtime/monitor/ended'
import { listPending } from '../../../lib/runtime/monitor/pending'
import { noteSigner } from '../../../lib/runtime/monitor/signer-activity'
import pending from '../../../nodes/pending/pending'
import { createEndedLog } from '../../../nodes/wait/ended'
import type { PendingWait } from '../../../nodes/wait/stored-wait'
import node from '../../../nodes/wait/wait'
import { RED } from '../../support/errors'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { act, identify, type CreatedDocument, type Parties } from '../../support/parties'
import { createShare, receive } from '../../support/share-party'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

const day = 86_400_000

describe('wait, and what has ended', () => {
  let service: Service
  let parties: Parties
  let flow: Flow
  const start = async (settings: object = {}) => {
    const client = { baseUrl: service.url, retries: 0, name: 'Our company' }
    const all = { name: 'until signed', pollInterval: '0.05', maxInterval: '0.2', ...settings }
    flow = await startFlow({
      type: 'eid-wait',
      module: node,
      outputs: 3,
      settings: all,
      client,
      modules: [pending],
      more: [
        { id: 'p', z: 'f', type: 'eid-pending', wires: [['list']] },
        { id: 'list', z: 'f', type: 'helper' },
      ],
    })
  }
  const create = (title: string, names = ['Ola', 'Kari']) =>
    parties.call<CreatedDocument>('POST', '/signature/documents', {
      title,
      externalId: `key-${title}`,
      contactDetails: { email: 'post@example.com' },
      dataToSign: { fileName: 'lease.txt', base64Content: Buffer.from('agreed').toString('base64') },
      signers: names.map((firstName, at) => ({
        externalSignerId: `signer-${at}`,
        signerInfo: { firstName, lastName: 'Nordmann' },
        redirectSettings: { redirectMode: 'donot_redirect' },
        signatureType: { mechanism: 'pkisignature' },
      })),
    })
  const ended = async (): Promise<EndedItem[]> => {
    const { items, failures } = await listEnded(RED)
    should(failures).deepEqual([])
    return items
  }

  useParties((sides) => ({ service, parties } = sides))
  afterEach(removeFlow)

  it('knows how long the service keeps the document', async () => {
    const { documentId, signers } = await parties.createDocument('kept', 1, { timeToLive: { deleteAfterHours: 48 } })
    await start()
    flow.send({ documentId })
    await act(signers[0]?.url ?? '')
    await flow.next(0)
    should((await ended())[0]).have.property('keptHours', 48)
  })

  it('lists a signed document with its title, who signed, since when and when', async () => {
    const { documentId, signers } = await create('Lease 12')
    await start()
    flow.send({ documentId })
    await act(signers[0]?.url ?? '')
    await act(signers[1]?.url ?? '')
    await flow.next(0)
    const [item] = await ended()
    should(item).match({ what: 'document', kind: 'document', id: documentId, title: 'Lease 12', outcome: 'signed' })
    should(item).match({ client: 'c', node: { id: 'n', name: 'until signed', flow: 'test' } })
    should(item?.who).deepEqual([
      { name: 'Ola Nordmann', done: true },
      { name: 'Kari Nordmann', done: true },
    ])
    should(Date.now() - Date.parse(item?.when ?? '')).be.within(-1000, 60_000)
    should((item?.since ?? '') <= (item?.when ?? '')).be.true()
  })

  it('says who had not signed, and that one of them left without signing', async () => {
    const { documentId, signers } = await create('Lease 13')
    await start()
    flow.send({ documentId })
    await act(signers[0]?.url ?? '')
    noteSigner(RED, documentId, signers[1]?.url ?? '', 'left')
    await service.sandbox.clock.advance(46 * day)
    await flow.next(2)
    const [item] = await ended()
    should(item).match({ title: 'Lease 13', outcome: 'expired' })
    should(item?.who[0]).deepEqual({ name: 'Ola Nordmann', done: true })
    should(item?.who[1]).match({ name: 'Kari Nordmann', done: false, last: { what: 'left' } })
  })

  it('distinguishes canceled, its own limit, a missing document, and a state on the way', async () => {
    await start({ timeout: '0.4' })
    const { documentId } = await create('Slow')
    flow.send({ documentId })
    await flow.next(2)
    await flow.redeploy({ timeout: '' })
    const canceled = await create('Canceled')
    await parties.call('POST', `/signature/documents/${canceled.documentId}/cancel?reason=wrong`)
    flow.send({ documentId: canceled.documentId })
    await flow.next(1)
    flow.send({ documentId: 'none' })
    await flow.caught()
    await flow.redeploy({ what: 'first-signature' })
    const first = await create('First')
    await act(first.signers[0]?.url ?? '')
    flow.send({ documentId: first.documentId })
    await flow.next(0)
    const found = (await ended()).map(({ what, title, outcome }) => [what, title, outcome])
    should(found).deepEqual([
      ['first-signature', 'First', 'partialsigned'],
      ['document', '', 'gone'],
      ['document', 'Canceled', 'canceled'],
      ['document', 'Slow', 'timedOut'],
    ])
  })

  it('keeps who downloaded a share, but not who identified themselves', async () => {
    const { id, url } = await parties.createSession()
    await start({ what: 'session' })
    flow.send({ sessionId: id })
    await identify(url)
    await flow.next(0)
    should((await ended())[0]).match({ kind: 'session', id, outcome: 'success', who: [] })
    const shareId = await createShare(service, parties, 10)
    await flow.redeploy({ what: 'share' })
    flow.send({ shareId })
    await receive(service, shareId)
    await flow.next(0)
    const [share] = await ended()
    should(share).match({ kind: 'share', id: shareId, outcome: 'received' })
    should(share?.who.every(({ done }) => done)).be.true()
  })

  it('is listed by "pending", narrowed by kind and client, the latest first, after a deploy as well', async () => {
    await start()
    const documents = [await create('One'), await create('Two')]
    for (const { documentId, signers } of documents) {
      flow.send({ documentId })
      for (const { url } of signers) await act(url)
      await flow.next(0)
    }
    // If the node stops at the moment when a message leaves, the message is sent once more.
    await until(async () => (await listPending(RED)).items.length === 0)
    await flow.redeploy({ pollInterval: '0.07' })
    const listed = async (msg: object = {}) => {
      const list = new Promise<Record<string, unknown>>((resolve) =>
        flow.node('list').on('input', (found: Record<string, unknown>) => resolve(found)),
      )
      flow.send({ ...msg }, 'p')
      return list
    }
    const { payload, ended: list } = (await listed()) as { payload: unknown; ended: Record<string, unknown>[] }
    should(payload).deepEqual([])
    should(list.map(({ title, outcome, client }) => [title, outcome, client])).deepEqual([
      ['Two', 'signed', 'c'],
      ['One', 'signed', 'c'],
    ])
    const names = ['what', 'documentId', 'title', 'who', 'since', 'when', 'outcome', 'node', 'client']
    should(Object.keys(list[0] ?? {})).deepEqual(names)
  })

  it('does not list stopped waits', async () => {
    const { documentId } = await create('Stopped')
    await start()
    flow.send({ documentId })
    await until(async () => (await listPending(RED)).items.length === 1)
    flow.send({ documentId, reset: true })
    await until(async () => (await listPending(RED)).items.length === 0)
    should(await ended()).deepEqual([])
  })
})

describe('the ended list', () => {
  const folder = temporaryFolder()
  const opened: Store[] = []
  const open = (more: object = {}) => {
    const host = { nodeId: 'n', userDir: folder.path }
    const store = openStore(host, { kind: 'ended', onStoreEvent: () => undefined, ...more })
    opened.push(store)
    return store
  }
  const place = { id: 'n', name: 'until signed', flow: 'Leases' }
  const claim = (id: string) => ({ id, subject: `c/document/${id}`, since: 1_000 }) as Claim
  const wait = (resourceId: string) => ({ what: 'document', resourceId }) as PendingWait
  const state = { status: 'signed', outcome: 'done', answer: { status: 200, headers: {}, data: {} } } as const
  const note = (store: Store, id: string) =>
    createEndedLog(RED, { store, node: place }).note(claim(id), wait(id), { state, late: false }, undefined)

  after(async () => {
    await Promise.all(opened.map((store) => store.close()))
    folder.remove()
  })

  it('keeps the latest thousand of a node, for thirty days', async () => {
    should([endedLimits.maxItems, endedKeepMs / day]).deepEqual([1000, 30])
    const store = open({ maxItems: 3 })
    for (const id of ['a', 'b', 'c', 'd', 'e']) await note(store, id)
    const log = createEndedLog(RED, { store, node: place })
    should((await log.list()).map(({ id }) => id).sort()).deepEqual(['c', 'd', 'e'])
  })

  it('notes a wait that ends again after a crash once', async () => {
    const store = open({ kind: 'endedAgain' })
    await note(store, 'same')
    await note(store, 'same')
    should(await createEndedLog(RED, { store, node: place }).list()).have.length(1)
  })

  it('lets no message fail because it cannot be written', async () => {
    const broken = { put: () => Promise.reject(new Error('the disk is full')) } as unknown as Store
    await note(broken, 'x')
  })
})
