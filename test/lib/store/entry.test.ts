/** The stored text of an item: what it contains, and how any other text is recognized. */
import { createHash } from 'node:crypto'
import should from 'should'
import type { Clock } from '../../../lib/store/clock'
import { nameOf } from '../../../lib/store/item-name'
import {
  bodyIn,
  changeEntry,
  claimableAt,
  isExpired,
  itemOf,
  listedOf,
  newEntry,
  readEntry,
  textOf,
  type Entry,
} from '../../../lib/store/local/entry'

const hour = 3_600_000
const clockAt = (now: number, epoch: number): Clock => ({
  now: () => now,
  epochNow: () => epoch,
  uptime: () => epoch,
})
const clock = clockAt(500, 9 * hour)
/** An hour later, in another process. */
const later = clockAt(7, 10 * hour)

const full = () => {
  const entry = newEntry('one', 3, 8 * hour, 500 - hour)
  changeEntry(entry, { body: { a: 'Å' }, summary: ['s'], subject: 'c/document/d', keepMs: 5 * hour }, clock)
  return Object.assign(entry, { version: 2, deliveryCount: 4, count: 6, due: 500 + 2 * hour })
}
const read = (text: string, name = nameOf('one')) => readEntry(name, text, later) as Entry
/** The text with another header and the correct checksum. */
const withHeader = (header: object, body = '1') => {
  const line = JSON.stringify(header).slice(0, -1)
  const sum = createHash('sha256').update(line).update('\n').update(body).digest('hex').slice(0, 16)
  return `${line},"sum":"${sum}"}\n${body}`
}
const header = { v: 1, id: 'one', seq: 3, since: 8 * hour, version: 1, bytes: 1 }

describe('the text of an item', () => {
  it('keeps all but who has claimed it', () => {
    const entry = Object.assign(full(), { owner: 'someone', woken: true })
    const text = textOf(entry, clock)
    const body = '{"a":"Å"}'
    should(bodyIn(text)).equal(body)
    should(read(text)).deepEqual({
      id: 'one',
      name: nameOf('one'),
      seq: 3,
      since: 8 * hour,
      createdAt: 7 - 2 * hour,
      version: 2,
      summary: '["s"]',
      subject: 'c/document/d',
      deliveryCount: 4,
      count: 6,
      due: 7 + hour,
      expires: 7 + 4 * hour,
      owner: undefined,
      woken: false,
      bytes: Buffer.byteLength(body) + 5,
      text: undefined,
    })
  })

  it('is short where there is little to keep', () => {
    const text = textOf(newEntry('one', 1, 0, 500), clock)
    const line = JSON.parse(text.split('\n')[0] ?? '') as object
    should(Object.keys(line)).deepEqual(['v', 'id', 'seq', 'since', 'version', 'bytes', 'created', 'sum'])
    should(bodyIn(text)).equal('')
    const found = read(text)
    should(found).match({ summary: undefined, subject: '', deliveryCount: 0, count: 0, due: undefined })
    should(found.expires).be.undefined()
    should(itemOf(found, '', later).body).be.undefined()
  })

  it('of an earlier version has no sum, and only the date of its first storing', () => {
    const found = read(`${JSON.stringify(header)}\n"body"`)
    should(found).match({ seq: 3, since: 8 * hour, createdAt: 7 - 2 * hour, bytes: 1 })
    should(bodyIn(`${JSON.stringify(header)}\n"body"`)).equal('"body"')
  })

  it('of a later layout is left alone, whatever else it says', () => {
    should(readEntry(nameOf('one'), '{"v":2,"id":7,"sum":"0000000000000000"}\n', later)).equal('newer')
  })

  const wrong: [string, string, RegExp][] = [
    ['a changed letter of the body', textOf(full(), clock).replace('Å', 'Ø'), /damaged/],
    ['a changed letter of the header', textOf(full(), clock).replace('c/document', 'c/documenu'), /damaged/],
    ['no end of the header', JSON.stringify(header), /no end of line/],
    ['no JSON', 'torn\n1', /JSON/],
    ['nothing', 'null\n1', /not an item/],
    ['no id', withHeader({ ...header, id: 7 }), /not an item/],
    ...['seq', 'since', 'version', 'bytes', 'handedOut', 'count'].map((key): [string, string, RegExp] => [
      `no number as ${key}`,
      withHeader({ ...header, [key]: 'x' }),
      /not an item/,
    ]),
    ['the id of another item', withHeader({ ...header, id: 'two' }), /not where it belongs/],
    ['an invalid moment', withHeader({ ...header, due: 5 }), /not a moment/],
    ['a moment without numbers', withHeader({ ...header, expires: ['x', 'y'] }), /not a moment/],
  ]
  for (const [what, text, reason] of wrong) {
    it(`is refused with ${what}`, () => void should(() => read(text)).throw(reason))
  }

  it('is refused when its body is read, too', () => {
    should(() => bodyIn(textOf(full(), clock).replace('Å', 'Ø'))).throw(/damaged/)
    should(() => bodyIn('torn')).throw(/no end of line/)
  })
})

describe('an item', () => {
  it('may be claimed from the time it is due, if it is work and no one has claimed it', () => {
    const entry = newEntry('one', 1, 0, 0)
    should(claimableAt(entry)).equal(Infinity)
    should(claimableAt(Object.assign(entry, { due: 5 }))).equal(5)
    should(claimableAt(Object.assign(entry, { owner: 'someone' }))).equal(Infinity)
  })

  it('is expired from its time on, if it has one', () => {
    const entry = newEntry('one', 1, 0, 0)
    should(isExpired(entry, 1e12)).be.false()
    entry.expires = 5
    should([isExpired(entry, 4), isExpired(entry, 5)]).deepEqual([false, true])
  })

  it('keeps what a change does not name', () => {
    const entry = full()
    changeEntry(entry, {}, clock)
    should(entry).deepEqual(full())
    changeEntry(entry, { summary: 'xy' }, clock)
    should(entry).deepEqual({ ...full(), summary: '"xy"', bytes: 10 + 4 })
    changeEntry(entry, { body: 1 }, clock)
    should(entry).deepEqual({ ...full(), summary: '"xy"', text: '1', bytes: 1 + 4 })
  })

  it('is listed without its body, by the date; with its body and its age when it is read', () => {
    const listed = {
      id: 'one',
      summary: ['s'],
      subject: 'c/document/d',
      since: 8 * hour,
      deliveryCount: 4,
      position: 3,
      due: 11 * hour,
    }
    should(listedOf(full(), clock)).deepEqual(listed)
    should(itemOf(full(), '[1]', clock)).deepEqual({ ...listed, body: [1], version: 2, ageMs: hour })
    should(listedOf(newEntry('one', 1, 0, 0), clock)).deepEqual({
      id: 'one',
      summary: undefined,
      subject: '',
      since: 0,
      deliveryCount: 0,
      position: 1,
    })
    should(() => itemOf(full(), '{', clock)).throw(/JSON/)
  })
})
