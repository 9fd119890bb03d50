/** The sandbox's clock: tasks that are due at the same time run in the order in which they were scheduled. */
import should from 'should'
import { once } from 'node:events'
import { startSandbox, type Sandbox } from '../../sandbox'
import { Clock } from '../../sandbox/state/clock'
import { until } from '../support/time'
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

  it('adds up moves that are asked for at once', async () => {
    const clock = new Clock()
    const before = clock.now()
    clock.after(day / 2, () => new Promise<void>((resolve) => void setTimeout(resolve, 10)))
    await Promise.all([clock.advance(day), clock.advance(day)])
    should(clock.now() - before).be.within(2 * day, 2 * day + 60_000)
    clock.clear()
  })

  it('does not run a canceled task', async () => {
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

  it('does what is due after the clock is moved, by itself, and reports only failures', async () => {
    const clock = new Clock()
    const warned = once(process, 'warning')
    const done: string[] = []
    clock.after(day + 20, () => void done.push('first'))
    clock.after(day + 30, () => Promise.reject(new Error('fails by itself')))
    clock.after(day + 40, () => void done.push('second'))
    await clock.advance(day)
    await until(() => done.length === 2)
    should(((await warned) as Error[])[0]).have.property('message', 'fails by itself')
    should(done).deepEqual(['first', 'second'])
  })

  describe('and tokens', () => {
    let sandbox: Sandbox
    beforeEach(async () => void (sandbox = await startSandbox({ port: 0 })))
    afterEach(() => sandbox.close())
    const answerTo = async (token: string) =>
      (await fetch(`${sandbox.url}/share/buckets`, { headers: { Authorization: `Bearer ${token}` } })).status
    const minute = 60_000

    it('one that was given while the time was being moved lives its hour from where that ends', async () => {
      let token = ''
      sandbox.clock.after(2 * day, async () => void (token = await fetchToken(sandbox)))
      await sandbox.clock.advance(10 * day)
      should(await answerTo(token)).equal(200)
      await sandbox.clock.advance(59 * minute)
      should(await answerTo(token)).equal(200)
      await sandbox.clock.advance(minute)
      should(await answerTo(token)).equal(401)
    })

    it('one from a time that was put back is rejected', async () => {
      sandbox.clock.after(day, () => Promise.reject(new Error('on the way')))
      let token = ''
      sandbox.clock.after(day / 2, async () => void (token = await fetchToken(sandbox)))
      await sandbox.clock.advance(10 * day).should.be.rejectedWith('on the way')
      should(await answerTo(token)).equal(401)
      token = await fetchToken(sandbox)
      should(await answerTo(token)).equal(200)
      sandbox.clock.putBack()
      should(await answerTo(token)).equal(401)
      should(await answerTo(await fetchToken(sandbox))).equal(200)
    })
  })
})
