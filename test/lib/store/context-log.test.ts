/** Items in a context store: what is asked of the context store, and what its failures mean. */
import should from 'should'
import { createContextLog, type ContextPart } from '../../../lib/store/local/context-log'
import { isTemporary, reasonOf } from '../../../lib/store/local/text-log'

/** The error with which a promise rejects; undefined if it does not. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('items in a context store', () => {
  /** What the context has under `eid_items`. */
  let stored: unknown
  /** The error of every call. */
  let failure: unknown
  /** The keys and the context store of every call. */
  let calls: unknown[][]
  const part: ContextPart = {
    get(key, store, callback) {
      calls.push([key, store])
      const [, name] = key.split('.')
      callback(failure, name === undefined ? stored : (stored as Record<string, unknown>)[name])
    },
    set(key, value, store, callback) {
      calls.push([key, value, store])
      callback(failure)
    },
  }
  const start = (store = '', own?: () => Promise<void>) =>
    createContextLog({ context: () => part, store, key: 'eid_items', ...(own && { own }) })
  /** Loads everything: the texts that were found, and how many were damaged. */
  const load = async (log = start()) => {
    const found: Record<string, string> = {}
    const damaged: unknown[] = []
    const late = await log.load(
      (name, text) => {
        if (text === 'torn') throw new Error('torn')
        found[name] = text
      },
      (error) => damaged.push(error),
    )
    return { found, damaged: damaged.map(String), late: late.size }
  }
  beforeEach(() => ([stored, failure, calls] = [undefined, null, []]))

  it('are all found, except those that are damaged', async () => {
    stored = { a: 'first', b: 'torn', c: 'third' }
    should(await load()).deepEqual({ found: { a: 'first', c: 'third' }, damaged: ['Error: torn'], late: 0 })
  })

  it('are an empty list when the context has nothing, or something else', async () => {
    for (const other of [undefined, null, 'text', 5]) {
      stored = other
      should(await load()).deepEqual({ found: {}, damaged: [], late: 0 })
    }
  })

  it('are not read while another process uses them', async () => {
    const own = () => Promise.reject(new Error('in use'))
    await should(load(start('', own))).be.rejectedWith('in use')
    should(calls).deepEqual([])
  })

  it('are read one by one; one that is missing is an error that does not pass', async () => {
    stored = { a: 'first' }
    should(await start('disk').read('a')).equal('first')
    should(calls).deepEqual([['eid_items.a', 'disk']])
    const error = await errorOf(start().read('b'))
    should(error).be.an.Error()
    should(isTemporary(error)).be.false()
    // Without a name, Node-RED uses its default context store.
    should(calls.at(-1)).deepEqual(['eid_items.b', undefined])
  })

  it('are written and removed in one call, and cleared with their key', async () => {
    const log = start('disk')
    const changes = new Map([
      ['a', 'first'],
      ['b', undefined],
    ])
    should((await log.write(changes)).size).equal(0)
    await log.clear()
    await log.flush()
    should(calls).deepEqual([
      [['eid_items.a', 'eid_items.b'], ['first', undefined], 'disk'],
      [['eid_items'], [undefined], 'disk'],
    ])
  })

  for (const [what, error, reason] of [
    ['an error with a code', Object.assign(new Error('full'), { code: 'ENOSPC' }), 'ENOSPC'],
    ['an error of the system', Object.assign(new Error('full'), { code: 'EIO', syscall: 'write' }), 'EIO'],
    ['an error without a code', new Error('closed'), 'context'],
    ['a text in place of an error', 'closed', 'context'],
  ] as const) {
    it(`are tried again later after ${what}`, async () => {
      ;[stored, failure] = [{}, error]
      const changes = new Map([
        ['a', 'first'],
        ['b', undefined],
      ])
      const errors = await start().write(changes)
      should([...errors.keys()]).deepEqual(['a', 'b'])
      const read = await errorOf(start().read('a'))
      const loaded = await errorOf(load())
      for (const one of [...errors.values(), read, loaded]) {
        should([isTemporary(one), reasonOf(one)]).deepEqual([true, reason])
      }
      await should(start().clear()).be.rejected()
    })
  }
})
