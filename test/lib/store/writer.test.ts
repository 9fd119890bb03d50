/** The writer of a store: what it writes at once, what it tries again, and when it says that writing works. */
import should from 'should'
import { probe, Writer } from '../../../lib/store/local/writer'
import { simulateTime, type SimulatedTime } from '../../support/simulated-time'
import { turn } from '../../support/time'

describe('the writer of a store', () => {
  let time: SimulatedTime
  let writer: Writer
  /** The current texts by name; a name without text was removed. */
  let current: Map<string, string>
  /** The names of each write. */
  let writes: string[][]
  let events: string[]
  /** True for a text that can't be written. Whatever this says, texts can be removed. */
  let isRefused: (name: string) => boolean
  /** Each write waits for this. */
  let slow: Promise<void>
  const refused = { message: 'full' }
  beforeEach(() => {
    time = simulateTime()
    ;[current, slow, isRefused] = [new Map<string, string>(), Promise.resolve(), () => false]
    ;[writes, events] = [[], []]
    writer = new Writer({
      log: {
        load: () => Promise.resolve(new Map()),
        read: () => Promise.resolve(''),
        async write(changes) {
          writes.push([...changes].map(([name, text]) => (text === undefined ? `no ${name}` : name)))
          await slow
          const failed = [...changes].filter(([name, text]) => text !== undefined && isRefused(name))
          return new Map(failed.map(([name]) => [name, new Error('full')]))
        },
        clear: () => Promise.resolve(),
        flush: () => Promise.resolve(),
      },
      textOf: (name) => current.get(name),
      written: (name) => void events.push(`written ${name}`),
      failed: () => void events.push('failed'),
      recovered: () => void events.push('recovered'),
    })
  })
  afterEach(() => {
    writer.close()
    time.end()
  })
  const write = (name: string) => {
    current.set(name, `text of ${name}`)
    return writer.write(name)
  }

  it('tries a text of its own if nothing is left to write, and removes it again', async () => {
    isRefused = () => true
    await should(write('a')).be.rejectedWith(refused)
    current.clear()
    await writer.write('a')
    // A full disk lets texts be removed, so this does not show that others can be written.
    should(writer.failure).be.ok()
    writes = []
    await time.pass(4_000)
    should([writes, events]).deepEqual([
      [[probe], [probe]],
      ['failed', 'written a'],
    ])
    isRefused = () => false
    await time.pass(2_000)
    should(writes.slice(2)).deepEqual([[probe], [`no ${probe}`]])
    should(writer.failure).be.undefined()
    should(events.slice(2)).deepEqual(['recovered'])
    await time.pass(10_000)
    should(writes).have.length(4)
  })

  it('tries again every two seconds, and reports each failure that follows a success', async () => {
    for (let times = 0; times < 2; times++) {
      ;[writes, events, isRefused] = [[], [], () => true]
      await should(write('a')).be.rejectedWith(refused)
      await time.pass(1_990, 10)
      should(writes).deepEqual([['a']])
      await time.pass(20, 10)
      should(writes).deepEqual([['a'], ['a']])
      isRefused = () => false
      await time.pass(2_000)
      should(events).deepEqual(['failed', 'written a', 'recovered'])
      await time.pass(10_000)
      should(writes).deepEqual([['a'], ['a'], ['a']])
    }
  })

  it('writes at once what has failed when another text could be written', async () => {
    isRefused = () => true
    const both = [write('a'), write('b')]
    for (const one of both) await should(one).be.rejectedWith(refused)
    isRefused = () => false
    await write('c')
    await turn()
    should(writes).deepEqual([['a', 'b'], ['c'], ['a', 'b']])
    should(events).deepEqual(['failed', 'written c', 'written a', 'written b', 'recovered'])
  })

  it('works while one of several texts can be written, and does not try the others without a pause', async () => {
    isRefused = (name) => name !== 'b'
    const [a, b] = [write('a'), write('b')]
    await should(a).be.rejectedWith(refused)
    await b
    should([writer.failure, writer.isPending('a'), writer.isPending('b')]).deepEqual([undefined, true, false])
    await turn()
    should(writes).deepEqual([['a', 'b']])
    await time.pass(2_000)
    should(writes).deepEqual([['a', 'b'], ['a']])
    should(writer.failure).be.ok()
    should(events).deepEqual(['failed', 'written b'])
  })

  it('does not call a text written that has changed meanwhile', async () => {
    let end = () => {}
    slow = new Promise((resolve) => (end = resolve))
    const first = write('a')
    await turn()
    slow = new Promise(() => undefined)
    void write('a')
    end()
    await first
    await turn()
    should([events, writer.isPending('a')]).deepEqual([[], true])
    should(writes).deepEqual([['a'], ['a']])
  })

  it('writes at most 128 texts at a time, each of them once', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `text-${n}`)
    await Promise.all(names.map(write))
    should(writes.map(({ length }) => length)).deepEqual([128, 72])
    should(writes.flat()).deepEqual(names)
  })

  it('tries nothing again after it is closed', async () => {
    isRefused = () => true
    await should(write('a')).be.rejectedWith(refused)
    writer.close()
    await time.pass(10_000)
    should(writes).deepEqual([['a']])
  })
})
