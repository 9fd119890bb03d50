/** How "approve" ends an approval when Node-RED was killed or the store failed at the worst moment. */
import should from 'should'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Claim, Store } from '../../../lib/store/store'
import { approvalFor } from '../../../nodes/approve/approval'
import { approversIn } from '../../../nodes/approve/approvers'
import { marksOf } from '../../../nodes/approve/identity'
import { tally, type Vote } from '../../../nodes/approve/votes'
import { createWork } from '../../../nodes/approve/work'
import { approverRow, idsOf, nins, ola } from '../../support/approve-flow'
import { until } from '../../support/time'

const key = Buffer.alloc(32, 1)
const clock = { epochNow: () => Date.now() }
const approvers = approversIn({
  rows: [approverRow('per', 'Per Hansen'), approverRow('kari', 'Kari Nordmann')],
  offered: undefined,
  ids: idsOf({ per: nins.per, kari: nins.kari }),
  invents: false,
  nodeId: 'n',
  key,
})
const values = {
  name: '',
  client: 'c',
  what: 'Release the deposit',
  details: undefined,
  approvers: undefined,
  identityProviders: undefined,
  proposer: ola,
  required: '1',
  mayApproveOwn: false,
  timeout: undefined,
  timeoutUnit: 'days',
  remindAfter: undefined,
  remindAt: '08:00',
  remindDays: 'everyDay',
  language: 'auto',
  path: '/approve',
  publicUrl: '',
  shared: '',
} as const
const read = { values, problems: [], later: () => undefined }
const body = approvalFor({ msg: { payload: 1 }, read, approvers, key, service: 's', clock })
const vote = (answer: Vote['answer']): Vote => ({
  answer,
  row: 'per',
  name: 'Per Hansen',
  at: '2031-05-02T08:00:00.000Z',
  provider: 'no_eid',
  sessionId: 's1',
  reason: '',
  marks: marksOf(key, { provider: 'no_eid', providerId: 'x', nin: nins.per }),
})

describe('the end of an approval', () => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => void (await Promise.all(stops.splice(0).map((stop) => stop()))))

  /** Lets the node work on one approval that was delivered this often, with a store whose `complete` fails at first. */
  const run = (votes: Vote[], deliveryCount: number, stored: unknown = body, failing = 0, withdrawn = false) => {
    let dropped = 0
    const sent: FlowMessage[] = []
    const errors: { code: string; cause: { outcome: string } }[] = []
    let completed = 0
    let count = deliveryCount
    let due = true
    const claim = (): Claim => ({
      id: 'a1',
      summary: { isNotified: true },
      subject: 'c/approval/a1',
      since: 0,
      position: 1,
      body: stored,
      version: 1,
      ageMs: 1000,
      owner: 'o',
      deliveryCount: count,
    })
    const store = {
      leaseMs: 15_000,
      claim: () => {
        const now = due
        due = false
        return Promise.resolve(now ? [claim()] : [])
      },
      ready: (signal: AbortSignal) =>
        new Promise<void>((resolve) => (signal.aborted || due ? resolve() : setTimeout(resolve, 1))),
      markDelivered: () => Promise.resolve((count += 1) > 0),
      complete: () => {
        if (failing-- > 0) return Promise.reject(new Error('the disk is full'))
        return Promise.resolve((completed += 1) > 0)
      },
      reschedule: () => Promise.resolve((due = true)),
      returnClaims: () => Promise.resolve(),
      renew: (claims: readonly Claim[]) => Promise.resolve([...claims]),
    } as unknown as Store
    const work = createWork({
      store,
      notes: { add: () => Promise.resolve(true) },
      sessions: { isOpen: () => Promise.resolve(false) },
      key,
      clock,
      votes: () => Promise.resolve(votes),
      approvers: () => approvers,
      service: () => Promise.resolve({ service: 's' }),
      notify: () => undefined,
      end: (_id, _outcome, msg) => void sent.push(msg),
      addressOf: () => '',
      withdrawnBy: () => Promise.resolve(withdrawn ? 'kari' : undefined),
      ended: { note: () => Promise.resolve() },
      drop: () => void dropped++,
      fail: (_id, error) => void errors.push(error as (typeof errors)[number]),
      changed: () => undefined,
      unreadable: () => undefined,
      failed: () => undefined,
    })
    stops.push(() => work.stop())
    work.start()
    return { sent, errors, dropped: () => dropped, ended: () => until(() => completed > 0) }
  }

  it('is sent once', async () => {
    const { sent, errors, ended } = run([vote('approve')], 0)
    await ended()
    should(sent).have.length(1)
    should(errors).have.length(0)
  })

  it('is not sent again when the store could not record it at once', async () => {
    const { sent, errors, ended } = run([vote('approve')], 0, body, 2)
    await ended()
    should(sent).have.length(1)
    should(errors).have.length(0)
  })

  it('is an error with the outcome unknown if an approved message may have left before a kill', async () => {
    const { sent, errors, ended } = run([vote('approve')], 1)
    await ended()
    should(sent).have.length(0)
    should(errors).have.length(1)
    should(errors[0]).have.property('code', 'EID_FAILED')
    should(errors[0]?.cause).have.property('outcome', 'unknown')
  })

  it('is sent again, and says so, if a rejected message may have left before a kill', async () => {
    const { sent, ended } = run([vote('reject')], 1)
    await ended()
    should(sent).have.length(1)
    should(sent[0]).have.property('redelivered', true)
  })

  it('does not come from the answer of a person whose row has got the id of another person since', () => {
    const [own] = approvers
    const others = approvers.map((one) =>
      one === own ? { ...one, marks: { ...one.marks, byNin: 'of another' } } : one,
    )
    const options = { required: 1, proposer: undefined }
    should(tally([vote('approve')], { ...options, approvers }).isApproved).equal(true)
    should(tally([vote('approve')], { ...options, approvers: others }).isApproved).equal(false)
    // Nor from the proposer, nor from a person who might be the proposer.
    const { marks } = vote('approve')
    for (const proposer of [marks, { ...marks, provider: 'x', byNin: '', byProvider: 'y' }])
      should(tally([vote('approve')], { ...options, proposer, approvers }).isApproved).equal(false)
  })

  it('does not come after it was withdrawn, but an approved message that may have left is still an error', async () => {
    const first = run([vote('approve')], 0, body, 0, true)
    await first.ended()
    should(first).have.properties({ sent: [], errors: [] })
    should(first.dropped()).equal(1)
    const again = run([vote('approve')], 1, body, 0, true)
    await again.ended()
    should(again.dropped()).equal(0)
    should(again.errors).have.length(1)
  })

  it('is an error if the stored message is another one than was shown', async () => {
    const { sent, errors, ended } = run([vote('approve')], 0, { ...body, message: { payload: 2 } })
    await ended()
    should(sent).have.length(0)
    should(errors[0]?.cause).have.property('outcome', 'not-done')
  })
})
