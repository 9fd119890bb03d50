/** The sandbox's clock: what is due at the same moment happens in the order in which it was planned. */
import should from 'should'
import { Clock } from '../../sandbox/state/clock'

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
})
