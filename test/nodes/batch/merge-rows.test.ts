/** What is decided about each row when a new list replaces another one, without a node or a store. */
import should from 'should'
import { mergeRows, type Previous } from '../../../nodes/batch/rows/merge-rows'
import { fingerprintOf, type List, type ListedRow } from '../../../nodes/batch/rows/read-list'
import { newRow, type Row } from '../../../nodes/batch/rows/row'
import { Rows } from '../../../nodes/batch/rows/rows'

const translate = (key: string, params: Record<string, string | number> = {}) =>
  [key.replace('rows.', ''), ...Object.values(params)].join(' ')

const listed = (key: string, content: unknown): ListedRow => ({ key, content, fingerprint: fingerprintOf(content) })
const listOf = (rows: readonly ListedRow[], more: Partial<List> = {}): List => ({ rows, ...more })
const rowOf = (key: string, content: unknown, more: Partial<Row> = {}): Row => ({
  ...newRow(key, fingerprintOf(content)),
  ...more,
})
const previous = (rows: readonly Row[], more: Partial<Previous> = {}): Previous => ({
  rows,
  isReported: false,
  isAddedTo: false,
  now: 0,
  liveServices: [],
  sentAgain: () => undefined,
  ...more,
})
const done = { phase: 'done', result: { documentId: 'd' } } as const

describe('a new list and the rows of the list before it', () => {
  it('starts every row that no earlier list has', () => {
    const { rows, fromElsewhere } = mergeRows(listOf([listed('a', 1), listed('b', 2)]), previous([]), translate)
    should(rows.map(({ key, phase }) => [key, phase])).deepEqual([
      ['a', 'waiting'],
      ['b', 'waiting'],
    ])
    should(fromElsewhere).equal(0)
  })

  it('leaves a row that is done, and marks it if its content has changed', () => {
    const before = previous([rowOf('a', 1, done), rowOf('b', 2, done)])
    const { rows } = mergeRows(listOf([listed('b', 'other'), listed('a', 1)]), before, translate)
    should(rows.map(({ key, phase, changed }) => [key, phase, changed])).deepEqual([
      ['b', 'done', true],
      ['a', 'done', false],
    ])
  })

  it('takes the result of a changed row that was sent as a new contract', () => {
    const again = rowOf('a (new)', 'other', { phase: 'done', result: { documentId: 'new' } })
    const sentAgain = (key: string, fingerprint: string) =>
      key === 'a' && fingerprint === again.fingerprint ? again : undefined
    const before = previous([rowOf('a', 1, done)], { sentAgain })
    const { rows } = mergeRows(listOf([listed('a', 'other')]), before, translate)
    should(rows).match([{ key: 'a', changed: false, result: { documentId: 'new' }, fingerprint: again.fingerprint }])
  })

  it('keeps a row in flight as the same object, and names it if its content is another', () => {
    const same = rowOf('a', 1, { phase: 'in flight' })
    const other = rowOf('b', 2, { phase: 'in flight' })
    const list = listOf([listed('a', 1), listed('b', 'other')])
    const { rows, outdated } = mergeRows(list, previous([same, other]), translate)
    should(rows[0]).equal(same)
    should(rows[1]).equal(other)
    should([...outdated]).deepEqual([other])
  })

  it('keeps a row that was sent and is no longer in the list, and drops one that was not', () => {
    const before = previous([rowOf('a', 1, { ...done, changed: true }), rowOf('b', 2), rowOf('c', 3, { lost: 1 })])
    const { rows, listed: contents } = mergeRows(listOf([listed('d', 4)]), before, translate)
    should(rows.map(({ key, phase, changed }) => [key, phase, changed])).deepEqual([
      ['d', 'waiting', false],
      ['a', 'done', false],
      ['c', 'look first', false],
    ])
    should(rows[2]?.result).deepEqual({ code: 'EID_FAILED', outcome: 'unknown', problem: 'lostBefore' })
    should(contents.map((one) => one?.key)).deepEqual(['d', undefined, undefined])
  })

  it('only remembers for 30 days a reported row that is no longer in the list, and knows it again', () => {
    const day = 86_400_000
    const before = previous([rowOf('a', 1, done), rowOf('b', 2, { phase: 'failed' })], {
      isReported: true,
      now: 5 * day,
    })
    const { rows } = mergeRows(listOf([listed('c', 3)]), before, translate)
    should(rows.map(({ key, past }) => [key, past])).deepEqual([
      ['c', undefined],
      ['a', 5 * day],
    ])
    should(new Rows(rows).counts).have.properties({ total: 1, done: 0 })
    const later = (now: number, key: string) =>
      mergeRows(listOf([listed(key, 1)]), { ...before, rows, now }, translate).rows
    should(later(34 * day, 'a')[0]).have.properties({ key: 'a', phase: 'done', past: undefined })
    should(later(34 * day, 'd').find(({ key }) => key === 'a')).have.property('past', 5 * day)
    should(later(35 * day, 'd').find(({ key }) => key === 'a')).equal(undefined)
    should(later(35 * day, 'a')[0]).have.property('phase', 'waiting')
  })

  it('keeps the rows that are not sent yet if the new list is only added', () => {
    const before = previous([rowOf('a', 1), rowOf('b', 2, { phase: 'failed' })], { isAddedTo: true })
    const { rows } = mergeRows(listOf([listed('c', 3)]), before, translate)
    should(rows.map(({ key, phase }) => [key, phase])).deepEqual([
      ['c', 'waiting'],
      ['a', 'waiting'],
      ['b', 'failed'],
    ])
  })

  it('sends no other content for a row that may have made a document', () => {
    const before = previous([
      rowOf('a', 1, { phase: 'failed', result: { outcome: 'unknown', documentId: 'x' } }),
      rowOf('b', 2, { phase: 'failed', failures: 2, sent: 2 }),
    ])
    const list = listOf([listed('a', 'other'), listed('b', 'other')])
    const { rows } = mergeRows(list, before, translate)
    should(rows[0]).have.properties({ phase: 'look first' })
    should(rows[0]?.result).have.properties({ code: 'EID_REFUSED', documentId: 'x', problem: 'madeBefore x' })
    should(rows[1]).have.properties({ phase: 'waiting', sent: 2, failures: 0, fingerprint: fingerprintOf('other') })
  })

  it('sends again what only ran against other services, and remembers what the list no longer has', () => {
    const at = (...services: string[]) => ({ ...done, services })
    const rows = [
      rowOf('a', 1, at('sandbox')),
      rowOf('b', 2, at('sandbox', 'https://a.example')),
      rowOf('c', 3, done),
      rowOf('d', 4, at('https://b.example')),
      rowOf('e', 5, at('sandbox')),
    ]
    const list = listOf([listed('a', 1), listed('b', 2), listed('c', 3), listed('d', 4)])
    const merged = (...liveServices: string[]) => mergeRows(list, previous(rows, { liveServices }), translate)
    const phases = (...services: string[]) => merged(...services).rows.map(({ phase }) => phase)
    should(phases()).deepEqual(['done', 'done', 'done', 'done', 'done'])
    should(phases('https://a.example')).deepEqual(['waiting', 'done', 'done', 'waiting', 'done'])
    should(phases('https://a.example', 'https://b.example')).deepEqual(['waiting', 'done', 'done', 'done', 'done'])
    should(merged('https://a.example').fromElsewhere).equal(2)
    should(merged('https://a.example').rows.map(({ past }) => past !== undefined)).deepEqual([
      false,
      false,
      false,
      false,
      true,
    ])
    should(merged('https://a.example').rows[3]?.services).deepEqual(['https://b.example'])
  })

  it('matches the rows of a list without keys by their content, wherever they are', () => {
    const before = previous([rowOf('1', 'Ola', done), rowOf('2', 'Kari', { phase: 'failed' }), rowOf('3', 'Ola', done)])
    const all = ['Per', 'Ola', 'Kari', 'Ola', 'Ola'].map((name, at) => listed(String(at + 1), name))
    const { rows } = mergeRows(listOf(all, { isNumbered: true }), before, translate)
    should(rows.map(({ key, phase }) => [key, phase])).deepEqual([
      ['1 (2)', 'waiting'],
      ['1', 'done'],
      ['2', 'waiting'],
      ['3', 'done'],
      ['5', 'waiting'],
    ])
  })

  it('sends a row of a list without keys as a new one when its content is another', () => {
    const before = previous([rowOf('1', 'Ola', done), rowOf('2', 'Kari', { phase: 'failed' })])
    const list = listOf([listed('1', 'Ola Nordmann'), listed('2', 'Kari Nordmann')], { isNumbered: true })
    const { rows } = mergeRows(list, before, translate)
    should(rows.map(({ key, phase }) => [key, phase])).deepEqual([
      ['1 (2)', 'waiting'],
      ['2 (2)', 'waiting'],
      ['1', 'done'],
    ])
  })

  it('lists a row without a usable key as failed, and one that may have done something as it is', () => {
    const lookFirst = rowOf('b', 2, { phase: 'look first', result: { outcome: 'unknown' } })
    const refused = { ...listed('', 1), hasNoKey: true }
    const list = listOf([refused, listed('b', 'other'), listed('c', 'other')])
    const before = previous([rowOf('a', 1, done), lookFirst, rowOf('c', 3, { phase: 'failed', lost: 1 })])
    const { rows } = mergeRows(list, before, translate)
    should(rows[0]).have.properties({ key: '', phase: 'failed' })
    should(rows[0]?.result).deepEqual({ code: 'EID_INVALID_INPUT', outcome: 'not-done', problem: 'noKey' })
    should(rows[1]).deepEqual({ ...lookFirst, past: undefined })
    should(rows[2]?.result).have.property('problem', 'otherBefore')
    // The row that has no usable key now was done.
    should(rows[3]).have.properties({ key: 'a', phase: 'done' })
  })

  it('does not replace what was done at the live service with what was done in the sandbox', () => {
    const again = (services?: string[]) => () => rowOf('a (new)', 'other', { ...done, services })
    const changed = (old: Partial<Row>, services?: string[]) => {
      const before = previous([rowOf('a', 1, { ...done, ...old })], { sentAgain: again(services) })
      return mergeRows(listOf([listed('a', 'other')]), before, translate).rows[0]?.changed
    }
    should(changed({}, ['sandbox'])).be.true()
    should(changed({})).be.false()
    should(changed({ services: ['sandbox'] }, ['sandbox'])).be.false()
  })
})
