/** Hostile values, and checks that every node must pass, no matter which value it gets. */
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import should from 'should'
import { errorCodes } from '../../lib/api/errors/errors'
import { anyText } from './any-text'
import { until } from './time'
import type { Flow } from './flow'
import type { FlowMessage } from './node-types'

/** An object that contains itself several times, as nodes of a document or of a flow do. */
const cyclic = () => {
  const value: Record<string, unknown> = { name: 'round' }
  for (const name of ['self', 'parent', 'first', 'last', 'owner', 'root']) value[name] = value
  return value
}
const deep = () => {
  let value: unknown = 'bottom'
  for (let level = 0; level < 10_000; level++) value = level % 2 ? [value] : { value }
  return value
}
const refuse = () => {
  throw new Error('not for you')
}

/** Functions that make a new value each time, because a node may change the value. */
export const made = {
  cyclic,
  deep,
  'cyclic list': () => {
    const list: unknown[] = []
    list.push(list)
    return list
  },
  'a huge text': () => 'x'.repeat(200_000),
  'a long list': () => Array<unknown>(2_000).fill({ a: 1 }),
  'a file as JSON': () => ({ type: 'Buffer', data: Array<number>(200_000).fill(65) }),
  'a list of holes': () => Array<unknown>(100),
  'own __proto__': () => JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}}}') as unknown,
  'constructor.prototype': () => ({ constructor: { prototype: { polluted: 1 } } }),
  'no prototype': () => Object.assign(Object.create(null), { a: 1 }) as unknown,
  'a throwing toJSON': () => ({ toJSON: refuse }),
  'a throwing toString': () => ({ toString: refuse, valueOf: refuse }),
  'a throwing getter': () => Object.defineProperty({}, 'title', { get: refuse, enumerable: true }),
  'a dead proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'a function': () => () => 'called',
  'a promise': () => Promise.resolve(1),
  'an invalid date': () => new Date(NaN),
  'a map': () => new Map([['a', 1]]),
  'a false stream': () => ({ pipe: () => undefined, on: () => undefined }),
  'an error': () => new Error('a value'),
  bytes: () => new Uint8Array([0, 255]),
} as const

const texts = [
  '',
  ' ',
  '\0',
  '..',
  '../..',
  '..\\..',
  '/etc/hostname',
  'C:\\windows\\win.ini',
  '\\\\host\\share',
  'file:///etc/hostname',
  '\ud800',
  'a\udfffb',
  '\u202e',
  '__proto__',
  'constructor',
  'toString',
  '${PATH}',
  '$(PATH)',
  '%00',
  '%2e%2e%2f',
  '{id}',
  '<script>alert(1)</script>',
  '"\'`;--',
  '\r\nX-Injected: 1',
  'NaN',
  '-1',
  '1e999',
  '0x10',
  'null',
  'true',
  '@errors',
  '__field__',
] as const

/**
 * Any value; many of them are hostile. If a test fails, the report shows the name of a hostile value instead of the
 * value.
 */
const hostile: fc.Arbitrary<() => unknown> = fc.oneof(
  fc
    .constantFrom(...Object.entries(made))
    .map(([name, make]) => Object.assign(() => make(), { [fc.toStringMethod]: () => name })),
  fc
    .oneof(
      fc.constantFrom(...texts),
      fc.constantFrom<unknown>(
        undefined,
        null,
        NaN,
        Infinity,
        -Infinity,
        -0,
        -1,
        0,
        1e308,
        true,
        false,
        10n,
        Symbol('s'),
      ),
      anyText(),
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withTypedArray: true }),
    )
    .map((value) => Object.assign(() => value, { [fc.toStringMethod]: () => fc.stringify(value) })),
)

/** A message in which some of these properties are hostile. */
export function messagesOf(names: readonly string[]): fc.Arbitrary<() => FlowMessage> {
  return fc.dictionary(fc.constantFrom(...names), hostile, { minKeys: 1, maxKeys: 4 }).map((makers) => {
    const make = () => Object.fromEntries(Object.entries(makers).map(([name, value]) => [name, value()]))
    return Object.assign(make, { [fc.toStringMethod]: () => fc.stringify(makers) })
  })
}

interface Ended {
  /** Absent if the message was completed. */
  readonly error?: { readonly code: string; readonly message: string; readonly cause: Record<string, unknown> }
}

/**
 * Sends a message and returns how it ended: completed or with one error, exactly once. Throws if the message ended in
 * any other way, or not within the time limit; a message may remain without an end if `goesOn` returns true. Ignores
 * errors for which `counted` returns false, such as an error that the node reports about its own start.
 */
export async function endOf(
  flow: Flow,
  msg: FlowMessage,
  counted: (end: FlowMessage) => boolean = () => true,
  goesOn: () => boolean = () => false,
): Promise<Ended> {
  // If Node-RED cannot copy a completed message for a Complete node, the node warns instead. This warning counts as an
  // end.
  const uncopied = () => flow.warnings.filter((text) => /cannot be read or copied/.test(text)).length
  let before = uncopied()
  flow.send(msg)
  const ends: { error?: Ended['error'] }[] = []
  const gather = async () => {
    await turn()
    while (flow.waiting().caught > 0) {
      const caught = await flow.caught()
      if (counted(caught)) ends.push(caught)
    }
    while (flow.waiting().completed > 0) ends.push({ ...(await flow.completed()), error: undefined })
    for (; before < uncopied(); before++) ends.push({})
  }
  await until(async () => {
    await gather()
    return ends.length > 0 || goesOn()
  })
  if (ends.length === 0) return {}
  // If the node ended the message twice, the second end would come in one of the next turns of the event loop.
  for (let turns = 0; turns < 3; turns++) await gather()
  should(ends).have.length(1)
  const [{ error } = {}] = ends
  if (!error) return {}
  should(errorCodes as readonly string[]).containEql(error.code)
  should(error.message).be.a.String().and.not.empty()
  should(error.cause).have.properties(['attempts', 'outcome'])
  return { error }
}

/** Fails if a built-in object has gained a property. */
export function shouldBeClean(): void {
  should(Object.keys(Object.prototype)).deepEqual([])
  should(({} as { polluted?: unknown }).polluted).equal(undefined)
}

/** Collects unhandled rejections while the tests of a file run, because mocha would report them for another test. */
export function watchRejections(): { take(): unknown[] } {
  const seen: unknown[] = []
  const listen = (reason: unknown) => void seen.push(reason)
  let others: NodeJS.UnhandledRejectionListener[] = []
  before(() => {
    others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', listen)
  })
  after(() => {
    process.off('unhandledRejection', listen)
    for (const other of others) process.on('unhandledRejection', other)
  })
  return { take: () => seen.splice(0) }
}
