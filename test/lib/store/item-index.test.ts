/** The items of a store in memory: how each is found, how large they are, and which are removed to make room. */
import should from 'should'
import { claimableAt, newEntry, type Entry } from '../../../lib/store/local/entry'
import { itemBytes, ItemIndex } from '../../../lib/store/local/item-index'
import { forgottenFor } from '../../../lib/store/local/make-room'
import { sentence } from '../../support/wording'

/** An entry; with `due`, it is work from that time on. */
const entryOf = (id: string, seq: number, more: Partial<Entry> = {}): Entry =>
  Object.assign(newEntry(id, seq, 0, 0), { bytes: 10, ...more })
const idsOf = (entries: Iterable<Entry>) => [...entries].map(({ id }) => id)

describe('the items in memory', () => {
  let index: ItemIndex
  beforeEach(() => (index = new ItemIndex()))
  const add = (...entries: readonly Entry[]) => entries.forEach((entry) => index.set(entry))

  it('are found by id, by name and by subject, the ones of a subject together', () => {
    const [one, other, third] = [
      entryOf('one', 1, { subject: 's' }),
      entryOf('other', 2, { subject: 's' }),
      entryOf('third', 3),
    ]
    add(one, other, third)
    should([index.find('one'), index.find('none')]).deepEqual([one, undefined])
    should([index.named(one.name), index.named('one'), index.named('none')]).deepEqual([one, undefined, undefined])
    should(idsOf(index.about('s'))).deepEqual(['one', 'other'])
    should(idsOf(index.about(''))).deepEqual([])
    index.remove(one)
    should(idsOf(index.about('s'))).deepEqual(['other'])
    should([index.named(one.name), index.find('one')]).deepEqual([undefined, undefined])
    index.change(other, () => (other.subject = 'new'))
    should([idsOf(index.about('s')), idsOf(index.about('new'))]).deepEqual([[], ['other']])
    index.remove(other)
    should(idsOf(index.about('new'))).deepEqual([])
    should(idsOf(index.values())).deepEqual(['third'])
  })

  it('are replaced by a newer entry with their id, in their place or another one', () => {
    const [one, again, later] = [entryOf('one', 1), entryOf('one', 1), entryOf('one', 7)]
    add(one, entryOf('two', 2), again)
    should([index.has(one), index.has(again), index.size]).deepEqual([false, true, 2])
    should(idsOf(index.after(0))).deepEqual(['one', 'two'])
    add(later)
    should(idsOf(index.after(0))).deepEqual(['two', 'one'])
    should(idsOf(index.after(2))).deepEqual(['one'])
    should(idsOf(index.plain())).deepEqual(['two', 'one'])
  })

  it('are due in the order of their times, except those that are claimed, replaced or removed', () => {
    const [first, second, third] = [
      entryOf('a', 1, { due: 1 }),
      entryOf('b', 2, { due: 2 }),
      entryOf('c', 3, { due: 3 }),
    ]
    add(third, second, first)
    should(index.due.take(5)).equal(first)
    index.change(first, () => (first.owner = 'someone'))
    add(entryOf('b', 2))
    index.remove(third)
    should(index.due.peek()).be.undefined()
    should(claimableAt(first)).equal(Infinity)
    index.change(first, () => (first.owner = undefined))
    should([index.due.peekAt(), index.due.take(0), index.due.take(1)]).deepEqual([1, undefined, first])
  })

  it('weigh what they hold and a little more; work is counted apart', () => {
    const work = entryOf('work', 1, { due: 1, bytes: 100 })
    add(work, entryOf('plain', 2))
    should([index.size, index.workSize]).deepEqual([2, 1])
    should([index.bytes, index.workBytes]).deepEqual([110 + 2 * itemBytes, 100 + itemBytes])
    index.change(work, () => Object.assign(work, { due: undefined, bytes: 5 }))
    should([index.bytes, index.workBytes, index.workSize]).deepEqual([15 + 2 * itemBytes, 0, 0])
    should(idsOf(index.plain())).deepEqual(['plain', 'work'])
    index.change(work, () => (work.due = 1))
    should(idsOf(index.plain())).deepEqual(['plain'])
    index.remove(work)
    should([index.bytes, index.size]).deepEqual([10 + itemBytes, 1])
  })

  it('are all gone when they are cleared', () => {
    add(entryOf('a', 1, { subject: 's', due: 1 }), entryOf('b', 2))
    index.clear()
    should([index.size, index.bytes, index.workSize, index.due.peek()]).deepEqual([0, 0, 0, undefined])
    should([index.values(), index.after(0), index.about('s'), index.plain()].map((some) => [...some])).deepEqual(
      Array.from({ length: 4 }, () => []),
    )
    should(index.named(entryOf('a', 1).name)).be.undefined()
  })

  describe('make room', () => {
    const weight = 10 + itemBytes
    const dropped = (limits: { maxItems?: number; maxBytes?: number }, entry: Entry, replaced?: Entry) =>
      idsOf(forgottenFor(index, limits, entry, replaced))

    it('for another one by number or by weight, the oldest that is not work first', () => {
      add(entryOf('work', 1, { due: 1 }), entryOf('old', 2), entryOf('new', 3))
      const one = entryOf('one', 4)
      should(dropped({}, one)).deepEqual([])
      should(dropped({ maxItems: 4, maxBytes: 4 * weight }, one)).deepEqual([])
      should(dropped({ maxItems: 3 }, one)).deepEqual(['old'])
      should(dropped({ maxItems: 2 }, one)).deepEqual(['old', 'new'])
      should(dropped({ maxBytes: 4 * weight - 1 }, one)).deepEqual(['old'])
      should(dropped({ maxBytes: 3 * weight - 1 }, one)).deepEqual(['old', 'new'])
    })

    it('never by dropping work: then nothing is dropped, and the new one is refused', () => {
      add(entryOf('work', 1, { due: 1 }), entryOf('old', 2))
      const refused = {
        code: 'EID_CONFIG',
        message: sentence('client', 'config.storeFull', { done: '@outcomes.notSent' }),
      }
      should(() => dropped({ maxItems: 1 }, entryOf('one', 3))).throw(refused)
      should(() => dropped({ maxBytes: 2 * weight - 1 }, entryOf('one', 3))).throw(refused)
      should(dropped({ maxBytes: 2 * weight }, entryOf('one', 3))).deepEqual(['old'])
    })

    it('for what is more than in the item that is replaced, which is not dropped itself', () => {
      const [old, newer] = [entryOf('old', 1), entryOf('newer', 2)]
      add(old, newer)
      should(dropped({ maxItems: 2, maxBytes: 2 * weight }, entryOf('old', 1), old)).deepEqual([])
      should(dropped({ maxBytes: 2 * weight }, entryOf('old', 1, { bytes: 11 }), old)).deepEqual(['newer'])
    })
  })
})
