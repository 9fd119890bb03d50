/** The last day to sign, to pay and to read, as it leaves on the wire: the same however the day was written. */
import should from 'should'
import create from '../../../nodes/create-document/create-document'
import deposit from '../../../nodes/deposit/deposit'
import document from '../../../nodes/document/document'
import share from '../../../nodes/share/share'
import shareCreate from '../../../nodes/share-create/share-create'
import { goodSettings } from '../../support/good-settings'
import type { FlowMessage, NodeModuleLike } from '../../support/node-types'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'

interface Case {
  readonly type: string
  readonly module: NodeModuleLike
  readonly name: string
  readonly operation?: string
  /** The place of the moment in the request. */
  readonly place: RegExp
  readonly begins?: true
}

const cases: readonly Case[] = [
  { type: 'create-document', module: create, name: 'deadline', place: /"deadline":"([^"]+)"/ },
  { type: 'document', module: document, operation: 'update', name: 'deadline', place: /"deadline":"([^"]+)"/ },
  {
    type: 'document',
    module: document,
    operation: 'list',
    name: 'fromDate',
    place: /"fromDate":"([^"]+)"/,
    begins: true,
  },
  { type: 'document', module: document, operation: 'list', name: 'toDate', place: /"toDate":"([^"]+)"/ },
  { type: 'share-create', module: shareCreate, name: 'expires', place: /"expires":"([^"]+)"/ },
  { type: 'share', module: share, operation: 'addRecipient', name: 'expires', place: /"expires":"([^"]+)"/ },
  {
    type: 'deposit',
    module: deposit,
    operation: 'create',
    name: 'paymentDeadline',
    place: /"paymentDeadline":"([^"]+)"/,
  },
  { type: 'deposit', module: deposit, operation: 'create', name: 'from', place: /"from":"([^"]+)"/, begins: true },
  { type: 'deposit', module: deposit, operation: 'create', name: 'to', place: /"to":"([^"]+)"/ },
  {
    type: 'deposit',
    module: deposit,
    operation: 'list',
    name: 'fromDate',
    place: /"fromDate":"([^"]+)"/,
    begins: true,
  },
]

const end = new Date(2090, 11, 8, 23, 59, 59).getTime()
const begin = new Date(2090, 11, 8).getTime()
const at = new Date(2090, 11, 8, 16).getTime()
const days = ['2090-12-08', '08.12.2090', new Date(2090, 11, 8)]
const moments = [
  '2090-12-08 16:00',
  '08.12.2090 16:00',
  '2090-12-08T16:00',
  new Date(at),
  at,
  new Date(at).toISOString(),
]

describe('a day', () => {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  const settingsOf = ({ type, operation }: Case) => {
    const good = goodSettings[type]?.find((one) => operation === undefined || one.operation === operation)
    // The rows must not have an expiry of their own.
    const text = JSON.stringify(good ?? {}, (name, value: unknown) =>
      /^expires(Type)?$/.test(name) ? undefined : value,
    )
    return JSON.parse(text) as object
  }

  for (const one of cases) {
    it(`leaves as one moment: ${one.type} ${one.operation ?? ''} ${one.name}`, async () => {
      const settings = { ...settingsOf(one), [one.name]: 'when', [`${one.name}Type`]: 'msg' }
      const client = { baseUrl: service.url }
      const flow = await startFlow({ type: `eid-${one.type}`, module: one.module, settings, client })
      const sent = async (msg: FlowMessage) => {
        const { out, caught } = flow.waiting()
        flow.send(msg)
        await until(() => flow.waiting().out + flow.waiting().caught > out + caught)
        const found = (await service.requests()).flatMap(
          ({ query, body }) => one.place.exec(JSON.stringify([query, body]))?.[1] ?? [],
        )
        return found.at(-1) ?? ''
      }
      for (const when of days) {
        const found = await sent({ when })
        should(found).match(/(Z|[+-]\d\d:\d\d)$/)
        should(Date.parse(found)).equal(one.begins ? begin : end, String(when))
        await service.reset()
      }
      for (const when of moments) {
        should(Date.parse(await sent({ when }))).equal(at, String(when))
        await service.reset()
      }
      should(await sent({ when: '12/08/2090' })).equal('')
      const caught = await flow.caught()
      should(caught).be.ok()
    })
  }

  it('leaves as one moment from a list of recipients in the message', async () => {
    const recipient = {
      firstName: 'Ola',
      lastName: 'Nordmann',
      email: 'ola.nordmann@example.com',
      expires: '08.12.2090',
    }
    const people = [
      { ...recipient, mobile: { countryCode: '47', number: '99999999' }, uploads: ['file-1'], authentication: [] },
    ]
    const settings = { ...goodSettings['share-create']?.[0], recipients: 'people', recipientsType: 'msg' }
    const flow = await startFlow({
      type: 'eid-share-create',
      module: shareCreate,
      settings,
      client: { baseUrl: service.url },
    })
    flow.send({ people })
    await until(() => flow.waiting().out + flow.waiting().caught > 0)
    const bodies = (await service.requests()).map(({ body }) => JSON.stringify(body))
    should(Date.parse(/"expires":"([^"]+)"/.exec(bodies.join())?.[1] ?? '')).equal(end)
  })
})
