/** The sandbox's clock: what is due at the same moment happens in the order in which it was planned. */
import should from 'should'
import { startSandbox } from '../../sandbox'
import { Clock } from '../../sandbox/state/clock'
import { fetchToken } from './caller'

const day = 86_400_000

describe('sandbox: the clock', () => {
  it('does what is due by time, and at the same time in the order of planning', async () => {
    const clock = new Clock()
    const done: string[] = []
    const { now } = Date
    const frozen = now()
    Date.now = () => frozen
    try {
      for (const [name, wait] of [
        ['first', 20],
        ['second', 20],
        ['earlier', 10],
        ['third', 20],
        ['late', 30],
      ] as const)
        clock.after(wait, () => void done.push(name))
      await clock.advance(20)
    } finally {
      Date.now = now
      clock.clear()
    }
    should(done).deepEqual(['earlier', 'first', 'second', 'third'])
  })

  it('does not do what was taken back', async () => {
    const clock = new Clock()
    const done: string[] = []
    const takeBack = clock.after(10, () => void done.push('taken back'))
    clock.after(10, () => void done.push('kept'))
    takeBack()
    await clock.advance(20)
    should(done).deepEqual(['kept'])
  })

  it('stays put back, whatever move was under way, and stops where something fails', async () => {
    const clock = new Clock()
    clock.after(day, () => clock.putBack())
    await clock.advance(2 * day)
    should(clock.now()).be.approximately(Date.now(), 60_000)
    should(clock.arrival()).be.approximately(Date.now(), 60_000)
    clock.after(day, () => Promise.reject(new Error('on the way')))
    await clock.advance(2 * day).should.be.rejectedWith('on the way')
    should(clock.now()).be.approximately(Date.now() + day, 60_000)
    should(clock.arrival()).be.approximately(Date.now() + day, 60_000)
    clock.clear()
  })

  it('lets a token that was given while the time was being moved live on from where it ends', async () => {
    const sandbox = await startSandbox({ port: 0 })
    try {
      let token = ''
      sandbox.clock.after(2 * day, async () => void (token = await fetchToken(sandbox)))
      await sandbox.clock.advance(10 * day)
      const headers = { Authorization: `Bearer ${token}` }
      should((await fetch(`${sandbox.url}/share/buckets`, { headers })).status).equal(200)
      await sandbox.clock.advance(day)
      should((await fetch(`${sandbox.url}/share/buckets`, { headers })).status).equal(401)
    } finally {
      await sandbox.close()
    }
  })
})
