/** The list of errors: it is bounded, has each error once, counts equal sentences, and survives a restart. */
import should from 'should'
import { inputError, nodeError } from '../../../lib/api/errors/errors'
import { operations } from '../../../lib/api/operations/operations'
import type { RuntimeNode } from '../../../lib/runtime/node-red/node-red'
import {
  dismissError,
  keepErrors,
  listErrors,
  maxEntries,
  recordError,
  settleList,
  settleMessage,
} from '../../../lib/runtime/monitor/error-log'
import { generateKey } from '../../../lib/common/generated-key'
import { english } from '../../../lib/api/errors/texts'
import { namedRows, titlesBeside } from '../../../lib/runtime/monitor/error-rows'
import type { NewItem, Store } from '../../../lib/store/store'
import { until } from '../../support/time'

const node = (id: string) => ({ id, type: 'eid-document', name: 'fetch', z: 'flow' }) as RuntimeNode
const failure = (outcome: 'not-done' | 'unknown', id = '4711') =>
  nodeError('EID_NOT_FOUND', 'errors.EID_NOT_FOUND', { missing: id }, { outcome, method: 'PUT', path: `/x/${id}` })

/** A store for one item that counts how often it is written. */
function placeOf(body?: unknown) {
  const written: unknown[] = []
  const store = {
    get: () => Promise.resolve(body === undefined ? undefined : { body }),
    put: (_id: string, item: NewItem) => Promise.resolve(void written.push(item.body)),
  }
  return { written, store: store as unknown as Store }
}

describe('the list of errors', () => {
  beforeEach(() => void dismissError())

  it('holds sentence, node, call and outcome, and nothing else of the error', () => {
    recordError(node('n'), failure('unknown'))
    const [trouble] = listErrors()
    should(trouble).match({
      code: 'EID_NOT_FOUND',
      outcome: 'unknown',
      call: 'PUT /x/4711',
      count: 1,
      node: { id: 'n', type: 'eid-document', name: 'fetch', places: ['n', 'flow'] },
    })
    should(trouble?.text).be.a.String().and.not.be.empty()
    const names = [
      'at',
      'call',
      'code',
      'count',
      'id',
      'node',
      'outcome',
      'requestId',
      'said',
      'since',
      'status',
      'text',
    ]
    should(Object.keys(trouble ?? {}).sort()).deepEqual(names)
  })

  it('keeps each document that may exist, also when its key is personal and is not shown', () => {
    const { method, path } = operations.createDocument
    const doubtful = () =>
      nodeError('EID_NETWORK', 'errors.EID_NETWORK', { host: 'x' }, { outcome: 'unknown', method, path })
    const asked = { client: 'c', service: 'sandbox' }
    for (const externalId of ['ola@example.com', 'kari@example.com', 'ola@example.com'])
      recordError(node('n'), doubtful(), undefined, { externalId }, { asked })
    should(listErrors().map(({ count }) => count)).deepEqual([2, 1])
    should(JSON.stringify(listErrors())).not.containEql('example.com')
  })

  it('takes one error once, whichever node reports it, and counts repetitions', () => {
    const thrown = failure('not-done')
    recordError(node('n'), thrown)
    recordError(node('n'), failure('not-done'), thrown)
    should(listErrors().map(({ count }) => count)).deepEqual([1])
    recordError(node('other'), failure('not-done'))
    recordError(node('n'), failure('not-done'))
    should(listErrors().map((one) => [one.node.id, one.count])).deepEqual([
      ['n', 2],
      ['other', 1],
    ])
  })

  it('names the rows of a batch by number and key, each once, the latest first, and nothing personal', () => {
    const tell = (row: number, key: unknown) =>
      recordError(node('n'), failure('not-done'), undefined, { batch: { id: 'b', row, key, of: 30 } })
    tell(1, 'L-2031')
    tell(2, 'ola.nordmann@example.com')
    tell(3, '3')
    tell(1, 'L-2031')
    should(listErrors().map(({ count, rows }) => [count, rows])).deepEqual([[4, ['1 (L-2031)', '3', '2']]])
    for (let row = 4; row < 30; row++) tell(row, `L-${row}`)
    const [entry = {}] = listErrors()
    should(namedRows(entry, [], english)).have.length(11)
    should(namedRows(entry, [], english)[0]).equal('29 (L-29)')
    should(namedRows(entry, [], english)[10]).equal('and 19 more')
    for (let row = 30; row < 400; row++) tell(row, `L-${row}`)
    should(namedRows(listErrors()[0] ?? {}, [], english)[10]).equal('and at least 90 more')
  })

  it('names what failed by its title, a row also where another node knows it', () => {
    const msg = (row: number) => ({ batch: { id: 'May', row, key: `L-${row}` }, _batch: { node: 'b' } })
    const item = (title: string) => ({ item: { mark: title, title } })
    for (const row of [3, 5])
      recordError(node('create'), failure('not-done'), undefined, msg(row), item(`Lease, Storgata ${row}`))
    recordError(node('b'), failure('not-done', 'end of the list'), undefined, msg(5))
    for (const title of ['Lease, Kirkegata 1', 'Lease, Kirkegata 2', 'Lease, Kirkegata 1'])
      recordError(node('document'), failure('not-done'), undefined, { payload: 1 }, item(title))
    const [alone = {}, list = {}, rows = {}] = listErrors()
    should(namedRows(rows, listErrors(), english)).deepEqual([
      '5 (L-5): Lease, Storgata 5',
      '3 (L-3): Lease, Storgata 3',
    ])
    should(namedRows(list, listErrors(), english)).deepEqual(['5 (L-5): Lease, Storgata 5'])
    should(titlesBeside('It failed.', alone)).deepEqual(['Lease, Kirkegata 1', 'Lease, Kirkegata 2'])
    should(titlesBeside('Check "Lease, Kirkegata 1".', alone)).deepEqual(['Lease, Kirkegata 2'])
    should(titlesBeside('It failed.', rows)).be.empty()
  })

  it('drops the errors of rows that a later run of their list has ended well, and keeps those of others', () => {
    const tell = (from: string, list: string, row: number, text = '4711') =>
      recordError(node(from), failure('not-done', text), undefined, {
        batch: { id: list, row, key: `L-${row}` },
        _batch: { node: 'b' },
      })
    tell('b', 'May', 13, 'end of the list')
    tell('create', 'May', 13)
    tell('create', 'May', 27)
    tell('create', 'June', 27)
    settleList('b', 'May', [{ id: 'May', row: 13, key: 'L-13' }])
    should(listErrors().map(({ list, rows }) => [list, rows])).deepEqual([
      ['b/June', ['27 (L-27)']],
      ['b/May', ['13 (L-13)']],
    ])
    settleList('other', 'May', [])
    settleList('b', 'May', [])
    should(listErrors().map(({ list }) => list)).deepEqual(['b/June'])
  })

  it('drops the refusal of a list when another list of its node has ended', () => {
    for (const id of ['b', 'other']) recordError(node(id), inputError([{ path: 'rows', key: 'array' }]))
    recordError(node('b'), failure('unknown'))
    settleList('b', 'May', [])
    should(listErrors().map(({ node: { id }, code }) => [id, code])).deepEqual([
      ['b', 'EID_NOT_FOUND'],
      ['other', 'EID_INVALID_INPUT'],
    ])
  })

  it(`holds the latest ${maxEntries}, the newest first`, () => {
    for (let count = 0; count < maxEntries + 20; count++) recordError(node(`n${count}`), failure('not-done'))
    const ids = listErrors().map((one) => one.node.id)
    should(ids).have.length(maxEntries)
    should([ids[0], ids.at(-1)]).deepEqual([`n${maxEntries + 19}`, 'n20'])
  })

  it('takes one off, or all', () => {
    for (const id of ['a', 'b', 'c']) recordError(node(id), failure('not-done'))
    should(dismissError(listErrors()[1]?.id)).be.true()
    should(listErrors().map((one) => one.node.id)).deepEqual(['c', 'a'])
    should(dismissError('gone')).be.false()
    should(dismissError()).be.true()
    should(listErrors()).be.empty()
  })

  it('is written down, and a burst of a thousand a few times', async () => {
    const place = placeOf()
    await keepErrors(place.store)
    recordError(node('first'), failure('not-done'))
    await until(() => place.written.length > 0)
    // All of them are recorded before a timer can make the list write.
    const before = place.written.length
    for (let count = 0; count < 1000; count++) recordError(node('n'), failure('not-done'))
    await until(() => JSON.stringify(place.written.at(-1)).includes('"count":1000'))
    should(place.written.length - before).be.belowOrEqual(2)
  })

  it('takes over the errors of an earlier run, and leaves out unreadable ones', async () => {
    recordError(node('new'), failure('not-done'))
    const old = { ...listErrors()[0], id: 'old', at: 1 }
    await keepErrors(placeOf({ entries: [old, null, { id: 'broken' }, 'text'] }).store)
    should(listErrors().map(({ id }) => id))
      .containEql('old')
      .and.have.length(2)
    await keepErrors(placeOf({ entries: 'not a list' }).store)
    should(listErrors()).have.length(2)
  })

  describe('forgets an error that is over', () => {
    const message = (id: string, more: object = {}) => ({ _msgid: id, ...more })
    const fail = (msg: Record<string, unknown>, outcome: 'not-done' | 'unknown' = 'not-done') =>
      recordError(node('n'), failure(outcome), failure(outcome), msg)

    it('when its message has passed the node after all, however often it failed there before', () => {
      for (let count = 0; count < 3; count++) fail(message('a'))
      settleMessage(node('other'), message('a'))
      settleMessage(node('n'), message('b'))
      should(listErrors()).have.length(1)
      settleMessage(node('n'), message('a'))
      should(listErrors()).be.empty()
    })

    it('when another message with its key has passed the node', () => {
      fail(message('a', { externalId: 'lease-2031' }))
      settleMessage(node('n'), message('b', { externalId: 'lease-2032' }))
      should(listErrors()).have.length(1)
      settleMessage(node('n'), message('c', { externalId: 'lease-2031' }))
      should(listErrors()).be.empty()
    })

    it('and counts and names only those messages that have not', () => {
      const titled = (title: string) =>
        nodeError('EID_NOT_FOUND', 'errors.EID_NOT_FOUND', { missing: '4711' }, { outcome: 'not-done', title })
      for (const one of ['a', 'b', 'a']) recordError(node('n'), titled(`Lease ${one}`), titled(''), message(one))
      settleMessage(node('n'), message('a'))
      should(listErrors()).match([{ count: 1, titles: [['', 'Lease b']] }])
      settleMessage(node('n'), message('b'))
      should(listErrors()).be.empty()
    })

    it('and the row that it was about, which came through in a later attempt', () => {
      const row = (number: number) => message(`m-${number}`, { batch: { id: 'May', row: number } })
      for (const number of [1, 2]) fail(row(number))
      settleMessage(node('n'), row(1))
      should(listErrors()[0]?.rows).deepEqual(['2'])
    })

    it('also when no answer came to a call that only reads: nothing may have been done', () => {
      const read = nodeError('EID_TIMEOUT', 'errors.EID_TIMEOUT', { seconds: 1 }, { outcome: 'unknown', method: 'GET' })
      recordError(node('n'), read, read, message('a'))
      should(listErrors()).match([{ outcome: 'not-done' }])
      settleMessage(node('n'), message('a'))
      should(listErrors()).be.empty()
    })

    it('not when it may have acted and has no key: the second time may have been one too many', () => {
      fail(message('a'), 'unknown')
      settleMessage(node('n'), message('a'))
      should(listErrors()).have.length(1)
    })

    for (const [how, first, second] of [
      ['the same key', 'lease-2031', 'lease-2031'],
      ['another generated key', generateKey('0b84fec524ba3618'), generateKey('0b84fec524ba3618')],
    ] as const) {
      it(`not when its document was created with ${how} at another service, or by another client`, () => {
        const { method, path } = operations.createDocument
        const cause = { outcome: 'unknown', method, path, externalId: first } as const
        const live = { client: 'c', service: 'https://live.example.com' }
        const fail = (asked: typeof live) => {
          const doubtful = nodeError('EID_TIMEOUT', 'errors.EID_TIMEOUT', { seconds: 1 }, cause)
          recordError(node('n'), doubtful, doubtful, message('a', { externalId: first }), { asked })
        }
        fail(live)
        const [before] = listErrors()
        for (const elsewhere of [{ ...live, service: 'sandbox' }, { ...live, client: 'd' }, undefined])
          settleMessage(node('n'), message('a', { externalId: second }), elsewhere)
        should(listErrors()).deepEqual([before])
        fail({ ...live, service: 'sandbox' })
        should(listErrors().map(({ asked }) => asked?.service)).deepEqual(['sandbox', live.service])
        settleMessage(node('n'), message('b', { externalId: second }), live)
        const left = listErrors().filter(({ asked, remade }) => asked?.service === live.service && !remade)
        should(left).be.empty()
        should(listErrors()[0]?.asked?.service).equal('sandbox')
      })
    }

    it('not when a message of it cannot be recognized, or when there are more than a hundred', () => {
      fail(message('a'))
      fail({})
      settleMessage(node('n'), message('a'))
      should(listErrors()).have.length(1)
      dismissError()
      for (let count = 0; count <= 100; count++) fail(message(`m-${count}`))
      for (let count = 0; count <= 100; count++) settleMessage(node('n'), message(`m-${count}`))
      should(listErrors()).match([{ count: 101 }])
    })

    it('also when it was kept over a restart', async () => {
      fail(message('a'))
      const { store } = placeOf({ entries: JSON.parse(JSON.stringify(listErrors())) as unknown })
      dismissError()
      await keepErrors(store)
      settleMessage(node('n'), message('a'))
      should(listErrors()).be.empty()
    })
  })
})
