/** An item enters the flow once per process, even if the store can't record it. */
import should from 'should'
import { createDeliverOnce } from '../../../lib/store/deliver-once'
import type { Changes, Claim } from '../../../lib/store/store'
import { turn } from '../../support/time'

const claimOf = (id: string, deliveryCount = 0): Claim => ({
  id,
  deliveryCount,
  owner: 'o',
  summary: undefined,
  subject: '',
  since: 0,
  position: 1,
  body: {},
  version: 1,
  ageMs: 0,
})

describe('delivering work once', () => {
  let calls: string[]
  let isOurs: boolean
  let delivered: () => Promise<void>
  let fails: Error | undefined
  let stop: AbortController
  const record = (what: string) => void calls.push(what)
  const store = {
    markDelivered: ({ id }: Claim) => (record(`mark ${id}`), Promise.resolve(isOurs)),
    complete({ id }: Claim, remain?: Changes) {
      record(`complete ${id} ${JSON.stringify(remain)}`)
      return fails ? Promise.reject(fails) : Promise.resolve(true)
    },
  }
  const once = () => createDeliverOnce(store, () => delivered())
  const leaveRest = (claim: Claim) => store.complete(claim, { body: 'rest' })
  beforeEach(() => {
    ;[calls, isOurs, delivered, fails, stop] = [[], true, () => Promise.resolve(), undefined, new AbortController()]
  })
  const send = () => record('send')

  it('marks it first, and completes it when the next nodes have received it', async () => {
    delivered = () => turn().then(() => record('received'))
    should(await once().deliver(claimOf('w'), stop.signal, send, leaveRest)).be.true()
    should(calls).deepEqual(['mark w', 'send', 'received', 'complete w {"body":"rest"}'])
  })

  it('sends nothing if it belongs to another owner by now, or if the flow was stopped before or meanwhile', async () => {
    isOurs = false
    should(await once().deliver(claimOf('w'), stop.signal, send)).be.false()
    isOurs = true
    const stopsMeanwhile = once().deliver(claimOf('w'), stop.signal, send)
    stop.abort()
    should(await stopsMeanwhile).be.false()
    should(calls).deepEqual(['mark w', 'mark w'])
    should(await once().deliver(claimOf('w'), stop.signal, send)).be.false()
    should(calls).deepEqual(['mark w', 'mark w'])
  })

  it('leaves it to the next deploy if the flow is stopped before the next nodes have received it', async () => {
    delivered = () => turn().then(() => stop.abort())
    should(await once().deliver(claimOf('w'), stop.signal, send)).be.true()
    should(calls).deepEqual(['mark w', 'send'])
  })

  it('completes it later if the store could not do so, without sending it again', async () => {
    fails = new Error('disk full')
    const delivers = once()
    await should(delivers.deliver(claimOf('w'), stop.signal, send, leaveRest)).be.rejectedWith('disk full')
    await should(delivers.completeDelivered(claimOf('w', 1))).be.rejectedWith('disk full')
    fails = undefined
    calls = []
    should(await delivers.completeDelivered(claimOf('w', 2))).be.true()
    should(calls).deepEqual(['complete w {"body":"rest"}'])
    should(await delivers.completeDelivered(claimOf('w', 2))).be.false()
    should(await delivers.completeDelivered(claimOf('other', 1))).be.false()
    should(calls).have.length(1)
  })

  it('does not take an item for delivered that was stored again under the same id', async () => {
    fails = new Error('disk full')
    const delivers = once()
    await should(delivers.deliver(claimOf('w'), stop.signal, send)).be.rejectedWith('disk full')
    should(await delivers.completeDelivered(claimOf('w', 0))).be.false()
    should(await delivers.completeDelivered(claimOf('w', 1))).be.false()
  })
})
