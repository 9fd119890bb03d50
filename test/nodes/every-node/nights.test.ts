/**
 * Twenty nights, each with what people find in the morning: which errors are there, and why. An error disappears when the
 * same subject succeeds in the same node, when a person dismisses it, or after thirty days; if something may have been
 * done, only when its key succeeds, or when a person has it looked up or dismisses it.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { listBatches, listEndedBatches } from '../../../lib/runtime/monitor/batches'
import { listEnded } from '../../../lib/runtime/monitor/ended'
import batch from '../../../nodes/batch/batch'
import createDocument from '../../../nodes/create-document/create-document'
import document from '../../../nodes/document/document'
import wait from '../../../nodes/wait/wait'
import { RED, dismissError, listErrors } from '../../support/errors'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { startParties, type Parties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

interface Night {
  readonly flow: Flow
  readonly parties: Parties
  /** Sends a message to this node, which passes it. */
  pass(node: string, msg: FlowMessage): Promise<FlowMessage>
  /** Sends a message to this node, which fails: the service answers this call with an error. */
  fail(node: string, msg: FlowMessage, fault?: Record<string, unknown>): Promise<FlowMessage>
  /** Sends a list with these rows, and returns the messages of the rows. */
  list(...keys: string[]): Promise<FlowMessage[]>
  /** Sends the message of a row back to its list. */
  back(row: FlowMessage): void
  report(): Promise<void>
}

const refused = (operation: string) => ({ operation, kind: 'status', status: 400 })
const unanswered = (operation: string) => ({ operation, kind: 'close-after' })
const lease = (more: object = {}) => ({
  payload: {
    title: 'Lease',
    contactDetails: { email: 'kari.nordmann@example.com' },
    dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
    signers: [
      {
        externalSignerId: 'tenant-1',
        redirectSettings: { redirectMode: 'donot_redirect' },
        signatureType: { mechanism: 'pkisignature' },
        signerInfo: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' },
      },
    ],
    ...more,
  },
})
const { path: folder, remove } = temporaryFolder()
const blocked = join(folder, 'nas')
const open = () => {
  rmSync(blocked, { recursive: true, force: true })
  mkdirSync(blocked)
}

/** What happened in the night, and what is there in the morning: `<node> <outcome>` or, for a row, `<key> <state>`. */
const nights: Readonly<Record<string, readonly [play: (night: Night) => Promise<unknown>, ...morning: string[]]>> = {
  'a document could not be read, and was read later: it is over': [
    async ({ fail, pass }) => {
      await fail('read', { documentId: 'one' })
      await pass('read', { documentId: 'one' })
    },
  ],
  'a document could not be read, and another one was read later: the first is still not read': [
    async ({ fail, pass }) => {
      await fail('read', { documentId: 'one' })
      await pass('read', { documentId: 'two' })
    },
    'read not-done',
  ],
  'a document could not be read, and another node has read it: this node has not': [
    async ({ fail, pass }) => {
      await fail('read', { documentId: 'one' })
      await pass('again', { documentId: 'one' })
    },
    'read not-done',
  ],
  'the same document failed three times with two reasons: it is one error': [
    async ({ fail }) => {
      await fail('read', { documentId: 'one' })
      await fail('read', { documentId: 'one' }, refused('getDocument'))
      await fail('read', { documentId: 'one' })
    },
    'read not-done',
  ],
  'two documents could not be read: each is an error': [
    async ({ fail }) => {
      for (const documentId of ['one', 'two']) await fail('read', { documentId })
    },
    'read not-done',
    'read not-done',
  ],
  'a lease with a key was refused, and passed with the same key and another title: it is over': [
    async ({ fail, pass }) => {
      await fail('create', { ...lease(), externalId: 'lease-1' }, refused('createDocument'))
      await pass('create', { ...lease({ title: 'Lease 1' }), externalId: 'lease-1' })
    },
  ],
  'a lease without a key was refused, and the same button was pressed again: it is over': [
    async ({ fail, pass }) => {
      await fail('create', lease(), refused('createDocument'))
      await pass('create', lease())
    },
  ],
  'a lease without a key was refused, and another lease passed: the first is still missing': [
    async ({ fail, pass }) => {
      await fail('create', lease(), refused('createDocument'))
      await pass('create', lease({ title: 'Another lease' }))
    },
    'create not-done',
  ],
  'the answer to a lease with a key was lost, and the key passed later: it is known to exist': [
    async ({ fail, pass }) => {
      await fail('create', { ...lease(), externalId: 'lease-2' }, unanswered('createDocument'))
      await pass('create', { ...lease(), externalId: 'lease-2' })
    },
  ],
  'the answer to a lease was lost, and a Catch node sent the same message again: its key passed': [
    async ({ fail, pass }) => {
      const { error: _error, ...again } = await fail('create', lease(), unanswered('createDocument'))
      await pass('create', again)
    },
  ],
  'the answer to a lease was lost, and the button was pressed again: there may be two leases': [
    async ({ fail, pass }) => {
      await fail('create', lease(), unanswered('createDocument'))
      await pass('create', lease())
    },
    'create unknown',
  ],
  'the answers to two presses of the same button were lost: there may be two leases': [
    async ({ fail }) => {
      for (let press = 0; press < 2; press++) await fail('create', lease(), unanswered('createDocument'))
    },
    'create unknown',
    'create unknown',
  ],
  'the answer to a cancellation was lost, and it was refused later: it is still unknown who has canceled': [
    async ({ fail }) => {
      await fail('cancel', { documentId: 'one' }, unanswered('cancelDocument'))
      await fail('cancel', { documentId: 'one' }, refused('cancelDocument'))
    },
    'cancel not-done',
    'cancel unknown',
  ],
  'the disk was full for two files, and one was saved later: one is missing': [
    async ({ fail, pass }) => {
      for (const documentId of ['one', 'two']) {
        await fail('save', { documentId }, {})
      }
      open()
      await pass('save', { documentId: 'one' })
    },
    'save not-done',
  ],
  'a node had no client, and has one now: it is over when it has done its work': [
    async ({ flow, fail, pass }) => {
      await fail('lost', { documentId: 'one' }, {})
      await flow.redeploy({ client: 'c' }, 'lost')
      await pass('lost', { documentId: 'one' })
    },
  ],
  'a row failed and passed at the second attempt: it is over': [
    async ({ list, fail, pass, back, report }) => {
      const [row = {}] = await list('A')
      await fail('read', { ...row, documentId: 'one' })
      await pass('read', { ...row, documentId: 'one' })
      back(row)
      await report()
    },
  ],
  'a row failed and its message is still in the flow: it is shown with its list': [
    async ({ list, fail }) => {
      const [row = {}] = await list('A', 'B')
      await fail('read', { ...row, documentId: 'one' })
    },
    'A out',
  ],
  'a row failed and came back with its error: it is shown with its list, and nowhere else': [
    async ({ list, fail, back, report }) => {
      const [one = {}, two = {}] = await list('A', 'B')
      back(two)
      const { error } = await fail('read', { ...one, documentId: 'one' })
      back({ ...one, error })
      await report()
    },
    'A failed',
  ],
  'a row came back although it may have been canceled: it is done, and this stays': [
    async ({ list, fail, back, report }) => {
      const [row = {}] = await list('A')
      await fail('cancel', { ...row, documentId: 'one' }, unanswered('cancelDocument'))
      back(row)
      await report()
    },
    'A done',
  ],
  'a wait ended with an error: it is shown with the ended waits, and nowhere else': [
    async ({ flow, parties }) => {
      const { documentId } = await parties.createDocument('canceled lease')
      flow.send({ documentId }, 'wait')
      await parties.call('POST', `/signature/documents/${documentId}/cancel?reason=moved`, {})
      await flow.caught()
      const { items } = await listEnded(RED)
      should(items.find(({ id }) => id === documentId)?.problem?.text).match(/canceled/)
    },
  ],
}

describe('in the morning', () => {
  let service: Service
  let parties: Parties
  let flow: Flow
  const ids: Record<string, string> = {}
  before(async () => {
    service = await startService()
    parties = await startParties(service)
  })
  beforeEach(async () => {
    dismissError()
    rmSync(blocked, { recursive: true, force: true })
    // A file in the place of the folder: nothing can be saved there.
    writeFileSync(blocked, '')
    for (const name of ['one', 'two'])
      ids[name] = (await parties.createDocument(`lease ${name} ${Math.random()}`)).documentId
    const place = { z: 'f', client: 'c', wires: [['out0']] }
    const get = { ...place, type: 'eid-document', operation: 'get' }
    flow = await startFlow({
      type: 'eid-batch',
      module: batch,
      modules: [document, createDocument, wait],
      outputs: 3,
      settings: { key: 'payload.number', keyType: 'msg', attempts: 1, wires: [['out1'], ['out2']] },
      client: { baseUrl: service.url },
      credentials: { clientId: 'sandbox', clientSecret: 'sandbox' },
      more: [
        { ...get, id: 'read' },
        { ...get, id: 'again' },
        { ...get, id: 'lost', client: '' },
        { ...place, id: 'cancel', type: 'eid-document', operation: 'cancel' },
        {
          ...place,
          id: 'save',
          type: 'eid-document',
          operation: 'download',
          fileFormat: 'unsigned',
          saveTo: join(blocked, '{documentId}.txt'),
        },
        { ...place, id: 'create', type: 'eid-create-document' },
        { ...place, id: 'wait', type: 'eid-wait', pullInterval: '0.2', raiseFailed: true, wires: [[], [], []] },
      ],
    })
  })
  afterEach(removeFlow)
  after(() => service.close())
  after(remove)

  const named = (msg: FlowMessage) => {
    const id = ids[String(msg.documentId)]
    return { ...msg, ...(id !== undefined && { documentId: id }) }
  }
  const night = (): Night => ({
    flow,
    parties,
    pass(node, msg) {
      flow.send(named(msg), node)
      return flow.next(0)
    },
    async fail(node, msg, fault = { operation: 'getDocument', kind: 'status', status: 503 }) {
      if ('operation' in fault) await service.fault(fault)
      // Without this fault, the node itself would look the document up.
      if (node === 'create') await service.fault({ operation: 'listDocuments', kind: 'status', status: 503 })
      flow.send(named(msg), node)
      return flow.caught()
    },
    async list(...keys) {
      flow.send({ payload: keys.map((number) => ({ number })), batchId: 'night' })
      const rows: FlowMessage[] = []
      for (const _key of keys) rows.push(await flow.next(1))
      return rows
    },
    back: (row) => flow.send(row),
    async report() {
      while ((await flow.next(2)).status !== 'ended');
    },
  })
  /** What people see: the errors, and the rows of lists that have one. */
  const morning = async () => {
    const errors = listErrors().map(({ node, outcome }) => `${node.id} ${outcome}`)
    const lists = [...(await listBatches(RED)), ...listEndedBatches(RED)].filter(({ node }) => node.id === 'n')
    const [latest] = lists
    return [...errors, ...(latest?.failures ?? []).map(({ key, state }) => `${key} ${state}`)]
  }

  for (const [what, [play, ...expected]] of Object.entries(nights)) {
    it(what, async () => {
      await play(night())
      const found = await until(async () => {
        const seen = await morning()
        return seen.length === expected.length ? seen : undefined
      }).catch(morning)
      should(found).deepEqual(expected)
    })
  }
})
