/**
 * "wait" for all four kinds: every end, brought about by the sandbox's clock and by people; also the pace and the
 * timers.
 */
import should from 'should'
import { defaultPauses } from '../../../nodes/wait/pauses'
import node from '../../../nodes/wait/wait'
import { removeFlow, startFlow } from '../../support/flow'
import { act, identify, type Parties } from '../../support/parties'
import { createShare, receive } from '../../support/share-party'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'
import { until } from '../../support/time'

const minute = 60_000
const day = 24 * 60 * minute

/** An object to wait for, and the action that ends it. */
interface Subject {
  readonly id: string
  end(): Promise<unknown>
}

interface Case {
  readonly what: 'document' | 'session' | 'share' | 'deposit'
  readonly ended: string
  readonly output: 0 | 1 | 2
  readonly status: string
  readonly settings?: object
  make(parties: Parties, service: Service): Promise<Subject>
}

const advance = ({ sandbox }: Service, milliseconds: number) => sandbox.clock.advance(milliseconds)

const document = async (parties: Parties, signers: number, end: (urls: string[], id: string) => Promise<unknown>) => {
  const created = await parties.createDocument('ends', signers)
  const urls = created.signers.map(({ url }) => url)
  return { id: created.documentId, end: () => end(urls, created.documentId) }
}

/** A session whose user answers on the phone after three seconds of simulated time; the number decides how. */
const headless = async (parties: Parties, service: Service, phoneNumber: string) => {
  const { id } = await parties.call<{ id: string }>('POST', '/identification/v2/sessions', {
    flow: 'headless',
    allowedProviders: ['no_eid_mobile'],
    prefilledInput: { phoneNumber, dateOfBirth: '2000-01-01' },
  })
  return { id, end: () => advance(service, 4000) }
}

const share = async (parties: Parties, service: Service, days: number[], end: (id: string) => Promise<unknown>) => {
  const id = await createShare(service, parties, ...days)
  return { id, end: () => end(id) }
}

const deposit = (id: string, end: () => Promise<unknown>) => Promise.resolve({ id, end })

/** Answers like the service in cases that do not occur in the sandbox. */
const answerWith = (service: Service, operation: string, body: object, count = 1) =>
  service.fault({ kind: 'status', operation, status: 200, body, count })

const cases: readonly Case[] = [
  {
    what: 'document',
    ended: 'signed by both, a day before its deadline',
    output: 0,
    status: 'signed',
    make: (parties, service) =>
      document(parties, 2, async ([first = '', second = '']) => {
        await act(first)
        await advance(service, 20 * day)
        await act(second)
      }),
  },
  {
    what: 'document',
    ended: 'canceled after one has signed',
    output: 1,
    status: 'canceled',
    make: (parties) =>
      document(parties, 2, async ([first = ''], id) => {
        await act(first)
        await parties.call('POST', `/signature/documents/${id}/cancel?reason=wrong`)
      }),
  },
  {
    what: 'document',
    ended: 'deleted',
    output: 1,
    status: 'deleted',
    make: (parties, service) =>
      document(parties, 1, () => answerWith(service, 'getDocumentStatus', { documentStatus: 'deleted' })),
  },
  {
    what: 'document',
    ended: 'past its deadline after one has signed',
    output: 2,
    status: 'expired',
    make: (parties, service) =>
      document(parties, 2, async ([first = '']) => {
        await act(first)
        await advance(service, 100 * day)
      }),
  },
  {
    what: 'session',
    ended: 'confirmed on the phone',
    output: 0,
    status: 'success',
    make: (parties, service) => headless(parties, service, '+4799999999'),
  },
  {
    what: 'session',
    ended: 'declined on the phone',
    output: 1,
    status: 'user_aborted',
    make: (parties, service) => headless(parties, service, '+4790000001'),
  },
  {
    what: 'session',
    ended: 'failed on the phone',
    output: 1,
    status: 'failed',
    make: (parties, service) => headless(parties, service, '+4790000002'),
  },
  {
    what: 'session',
    ended: 'left alone on the phone',
    output: 2,
    status: 'timed_out',
    make: (parties, service) => headless(parties, service, '+4790000003'),
  },
  {
    what: 'session',
    ended: 'finished in the ninth minute',
    output: 0,
    status: 'success',
    async make(parties, service) {
      const { id, url } = await parties.createSession()
      return { id, end: () => advance(service, 9 * minute).then(() => identify(url)) }
    },
  },
  {
    what: 'share',
    ended: 'received by both, by one of them on the last day',
    output: 0,
    status: 'received',
    make: (parties, service) =>
      share(parties, service, [2, 9], async (id) => {
        await receive(service, id, 0)
        await advance(service, 8 * day)
        await receive(service, id, 1)
      }),
  },
  {
    what: 'share',
    ended: 'deleted',
    output: 1,
    status: 'deleted',
    make: (parties, service) =>
      share(parties, service, [2], (id) => answerWith(service, 'getBucket', { id, deleted: true, done: true })),
  },
  {
    what: 'share',
    ended: 'over for the second recipient before that one had everything',
    output: 2,
    status: 'expired',
    make: (parties, service) =>
      share(parties, service, [2, 9], async (id) => {
        await receive(service, id, 0)
        await advance(service, 10 * day)
      }),
  },
  {
    what: 'deposit',
    ended: 'split, when the tenant has signed',
    output: 0,
    status: 'TERMINATED',
    make: (parties, service) =>
      deposit('deposit-funded-1', async () => {
        const amount = { tenant: 25_000, landlord: 2000 }
        const landlord = { kid: '1234567897', description: 'Damage' }
        const body = { category: 'SPLIT', username: 'ops', amount, transactionInfo: { landlord } }
        await parties.call('POST', '/deposit/personal/deposit-funded-1/terminate', body)
        await advance(service, 3 * day)
        const [token = ''] = [...service.sandbox.world.deposit.pages.keys()]
        should((await fetch(`${service.url}/deposit/sign/${token}`, { method: 'POST' })).ok).be.true()
      }),
  },
  {
    what: 'deposit',
    ended: 'canceled before it was funded',
    output: 1,
    status: 'CANCELED',
    make: (parties) =>
      deposit('deposit-unfunded-2', () => parties.call('POST', '/deposit/personal/deposit-unfunded-2/cancel')),
  },
  ...['CANCELED', 'CANCELLED'].map((status): Case => ({
    what: 'deposit',
    ended: `canceled, in a service that says ${status}`,
    output: 1,
    status,
    make: (_parties, service) =>
      deposit('deposit-unfunded-1', () => answerWith(service, 'getDeposit', { status: { depositStatus: status } })),
  })),
  {
    what: 'deposit',
    ended: 'still open when the time of the wait is up',
    output: 2,
    status: 'PAID',
    settings: { timeout: '0.4' },
    make: () => deposit('deposit-funded-2', () => Promise.resolve()),
  },
]

const operations = {
  document: 'getDocumentStatus',
  session: 'getSession',
  share: 'getBucket',
  deposit: 'getDeposit',
} as const

describe('wait, every end of every kind', () => {
  let service: Service
  let parties: Parties
  const start = (settings: object = {}) => {
    const client = { baseUrl: service.url, retries: 0 }
    return startFlow({ type: 'eid-wait', module: node, outputs: 3, settings, client })
  }
  const asked = async (operation: string) => (await service.requests(operation)).length

  useParties((sides) => ({ service, parties } = sides))
  afterEach(removeFlow)

  for (const { what, ended, output, status, settings, make } of cases) {
    it(`${what} ${ended}: output ${output + 1}`, async () => {
      const { id, end } = await make(parties, service)
      const flow = await start({ what, pollInterval: '0.05', maxInterval: '0.2', ...settings })
      flow.send({ [`${what}Id`]: id, kept: ended })
      await until(async () => ((await asked(operations[what])) > 0 ? true : undefined))
      should(flow.waiting().out).equal(0)
      await end()
      const late = settings !== undefined
      should(await flow.next(output)).have.properties({ status, [`${what}Id`]: id, kept: ended, timedOut: late })
      await flow.completed()
      should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
    })
  }

  it('puts who identified on the message, and never leaves the person of an earlier session there', async () => {
    const settings = { what: 'session', pollInterval: '0.05', maxInterval: '0.2' }
    const flow = await start(settings)
    for (const [action, output] of [
      ['success', 0],
      ['abort', 1],
    ] as const) {
      const { id, url } = await parties.createSession()
      await identify(url, action)
      flow.send({ sessionId: id, identity: { provider: 'no_eid', providerId: 'of-another-session' } })
      const { identity, payload } = await flow.next(output)
      const { providerId } = (payload as { identity?: { providerId: string } }).identity ?? {}
      should(identity).deepEqual(providerId && { provider: 'no_eid_mobile', providerId })
      should(providerId !== undefined).equal(action === 'success')
    }
  })

  it('asks a second time only after the default pause', async () => {
    const { documentId } = await parties.createDocument('pace')
    const flow = await start()
    const begun = Date.now()
    flow.send({ documentId })
    await until(async () => ((await asked('getDocumentStatus')) > 0 ? true : undefined))
    await until(async () => ((await asked('getDocumentStatus')) > 1 ? true : undefined))
    should(Date.now() - begun).be.aboveOrEqual(defaultPauses.pauseMs)
  })

  it('keeps a thousand waits with one timer', async () => {
    const { documentId, signers } = await parties.createDocument('timer')
    const flow = await start({ pollInterval: '5', maxInterval: '5' })
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
    const before = timers()
    for (let number = 0; number < 1000; number++) flow.send({ documentId, number })
    await until(() => flow.statuses.find(({ text }) => text === 'waiting (1000)'))
    // A timer for the node, and those of the few calls in flight.
    should(timers() - before).be.below(60)
    await act(signers[0]?.url ?? '')
    const numbers = new Set<unknown>()
    while (numbers.size < 1000) numbers.add((await flow.next(0)).number)
    should(flow.waiting().out).equal(0)
  })
})
