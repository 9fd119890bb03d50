/** A list for people is read at a limited pace, and kept only while people look at it. */
import { mock } from 'node:test'
import should from 'should'
import { createPacedList } from '../../../lib/runtime/monitor/paced-list'

const RED = {}

describe('a list that is read at its pace', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  function countedList() {
    const reads: string[] = []
    const list = createPacedList(RED, () => {
      reads.push('read')
      return Promise.resolve({ items: reads.slice(), failures: [] })
    })
    return { reads, list }
  }

  it('is read once for all who ask at the same time, and for those who ask soon after', async () => {
    const { reads, list } = countedList()
    const [one, other] = await Promise.all([list(), list()])
    should(one).equal(other)
    should((await list()).items).deepEqual(['read'])
    should(reads).have.length(1)
  })

  it('is forgotten after a minute in which no one has asked', async () => {
    const { reads, list } = countedList()
    await list()
    mock.timers.tick(59_000)
    await list()
    mock.timers.tick(59_000)
    should((await list()).items).deepEqual(['read'])
    mock.timers.tick(60_000)
    should((await list()).items).deepEqual(['read', 'read'])
    should(reads).have.length(2)
  })
})
