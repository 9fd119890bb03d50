/** An ended wait is dated by when its object ended at the service, not by when Node-RED noticed that. */
import should from 'should'
import { deletionTime } from '../../../nodes/wait/end-time'
import { listEnded } from '../../../lib/runtime/monitor/ended'
import { wakeByEvent } from '../../../lib/runtime/monitor/wake'
import { deletionOf } from '../../../nodes/alerts/scan'
import node from '../../../nodes/wait/wait'
import type { Goal } from '../../../nodes/wait/wait.fields'
import { RED } from '../../support/errors'
import { removeFlow, startFlow } from '../../support/flow'
import { startServer, type TestServer } from '../../support/servers/server'

const at = (time: string) => `2026-03-02T${time}:00.000Z`
const signers = ['09:00', '10:00'].map((time) => ({ documentSignature: { signedTime: at(time) } }))
const timeToLive = { deadline: at('11:00'), deleteAfterHours: 48 }
const document = (documentStatus: string, more: object = {}) =>
  Object.assign({ documentId: 'one', status: { documentStatus }, signers: [], advanced: { timeToLive } }, more)
const event = (type: string, payload: object) => ({ type, timestamp: at('13:00'), payload })

const cases: readonly [title: string, Goal, record: object, when: string | undefined, event?: object][] = [
  ['a signed document by the last signature', 'document', document('signed', { signers }), '10:00'],
  ['a first signature by the first one', 'first-signature', document('signed', { signers }), '09:00'],
  ['an expired document by its deadline', 'document', document('expired'), '11:00'],
  ['a canceled document by its last change', 'document', document('canceled'), '12:00'],
  [
    'a canceled document by its event',
    'document',
    document('canceled'),
    '13:00',
    event('document_canceled', { documentId: 'one' }),
  ],
  [
    'a session by its audit trail',
    'session',
    { id: 'one', status: 'success', auditTrail: { events: [{ timestamp: at('09:00') }, { timestamp: at('09:30') }] } },
    '09:30',
  ],
  [
    'a session that nobody used by its end',
    'session',
    { id: 'one', status: 'timed_out', expires: at('10:30') },
    '10:30',
  ],
  [
    'a share by the last opening',
    'share',
    {
      id: 'one',
      done: true,
      recipients: ['14:00', '15:00'].map((time) => ({ content: [{ opened: true, openedDate: at(time) }] })),
    },
    '15:00',
  ],
  [
    'an expired share by its last expiry',
    'share',
    { id: 'one', done: true, recipients: [{ expires: at('16:00'), content: [{ opened: false }] }] },
    '16:00',
  ],
  [
    'a deposit by its event',
    'deposit',
    { id: 'one', status: { depositStatus: 'TERMINATED' } },
    '13:00',
    event('deposit_terminated', { depositId: 'one' }),
  ],
  [
    'a deposit without an event by when it was noticed',
    'deposit',
    { id: 'one', status: { depositStatus: 'TERMINATED' } },
    undefined,
  ],
]

describe('the end of a wait', () => {
  let server: TestServer
  beforeEach(async () => (server = await startServer()))
  afterEach(async () => {
    await removeFlow()
    await server.close()
  })

  let count = 0
  for (const [title, what, record, when, reported] of cases) {
    it(`dates ${title}`, async () => {
      // An event of another case must not date this one.
      const id = `one-${(count += 1)}`
      const own = <T>(value: T) => JSON.parse(JSON.stringify(value).replaceAll('"one"', `"${id}"`)) as T
      if (reported) await wakeByEvent(RED, 'c', own(reported))
      server.answer(({ path }) => {
        if (path.endsWith('/status')) return { body: own((record as { status: object }).status) }
        return { body: path.endsWith('/summary') ? { documentId: id, lastUpdated: at('12:00') } : own(record) }
      })
      const began = Date.now()
      const client = { baseUrl: server.url, sharePaths: 'buckets' }
      const settings = { what, resourceId: id, resourceIdType: 'str', store: 'memory' }
      const flow = await startFlow({ type: 'eid-wait', module: node, outputs: 3, settings, client })
      flow.send({})
      await Promise.race([0, 1, 2].map((output) => flow.next(output)))
      const [item] = (await listEnded(RED)).items.filter((one) => one.id === id)
      if (when === undefined) return should(Date.parse(item?.when ?? '')).be.aboveOrEqual(began)
      should(item?.when).equal(at(when))
      should(Date.parse(item?.noticed ?? '')).be.aboveOrEqual(began)
    })
  }

  it('decides when the service deletes the document', async () => {
    server.answer(({ path }) => ({
      body: path.endsWith('/status')
        ? { documentStatus: 'signed' }
        : document('signed', { signers, documentId: 'kept' }),
    }))
    const settings = { resourceId: 'kept', resourceIdType: 'str', store: 'memory' }
    const client = { baseUrl: server.url }
    const flow = await startFlow({ type: 'eid-wait', module: node, outputs: 3, settings, client })
    flow.send({})
    await flow.next(0)
    const [item] = (await listEnded(RED)).items.filter(({ id }) => id === 'kept')
    should(item && deletionOf(item)).equal(Date.parse('2026-03-04T10:00:00.000Z'))
    // A record that does not say how long the files are kept.
    should(deletionTime({ signers })).equal(Date.parse('2026-03-09T10:00:00.000Z'))
  })
})
