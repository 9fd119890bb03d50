/** Calls that are sent together in one statement. */
import should from 'should'
import { configError } from '../../../lib/api/errors/errors'
import { nextTurn } from '../../../lib/common/event-loop'
import { createTogether } from '../../../lib/store/sql/together'
import { turn } from '../../support/time'

describe('calls that go together', () => {
  /** The keys of each statement. */
  const statements: unknown[][] = []
  let answer: (keys: string[]) => Promise<string[]>
  let call: ReturnType<typeof createTogether>
  beforeEach(() => {
    statements.length = 0
    answer = (keys) => Promise.resolve(keys)
    call = createTogether(([keys = [], ...others]) => {
      statements.push([...keys, ...others])
      return answer(keys as string[])
    }, nextTurn)
  })

  it('are one statement when they come in one turn, each with an answer of its own', async () => {
    answer = (keys) => Promise.resolve(keys.filter((key) => key !== 'lost'))
    const found = await Promise.all([call(['a', 1]), call(['lost', 2]), call(['b', 3])])
    should(found).deepEqual([true, false, true])
    should(statements).deepEqual([['a', 'lost', 'b', [1, 2, 3]]])
  })

  it('wait for the statement before, and then go together', async () => {
    let end = () => {}
    answer = (keys) => new Promise((resolve) => (end = () => resolve(keys)))
    const first = call(['a'])
    await turn()
    const others = Promise.all([call(['b']), call(['c'])])
    await turn()
    should(statements).deepEqual([['a']])
    end()
    should(await first).be.true()
    await turn()
    end()
    should(await others).deepEqual([true, true])
    should(statements).deepEqual([['a'], ['b', 'c']])
  })

  it('change a row one after the other', async () => {
    const left = new Set(['a', 'b'])
    answer = (keys) => Promise.resolve(keys.filter((key) => left.delete(key)))
    should(await Promise.all([call(['a']), call(['a']), call(['b'])])).deepEqual([true, false, true])
    should(statements).deepEqual([['a', 'b'], ['a']])
  })

  it('are at most a hundred', async () => {
    await Promise.all(Array.from({ length: 250 }, (_none, n) => call([String(n)])))
    should(statements.map(({ length }) => length)).deepEqual([100, 100, 50])
  })

  it('cost each other nothing when the database refuses one', async () => {
    answer = (keys) => (keys.includes('bad') ? Promise.reject(new Error('bad')) : Promise.resolve(keys))
    const results = await Promise.allSettled([call(['a']), call(['bad']), call(['b'])])
    should(results.map(({ status }) => status)).deepEqual(['fulfilled', 'rejected', 'fulfilled'])
    should(statements).deepEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']])
  })

  it('fail together when the database is down', async () => {
    answer = () => Promise.reject(configError('storeAway', { reason: 'ECONNRESET' }))
    const results = await Promise.allSettled([call(['a']), call(['b'])])
    should(results.map(({ status }) => status)).deepEqual(['rejected', 'rejected'])
    should(statements).deepEqual([['a', 'b']])
  })
})
