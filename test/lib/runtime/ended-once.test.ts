/** Counting ended waits: a contract with several waits has ended only once. */
import should from 'should'
import type { EndedItem } from '../../../lib/runtime/monitor/ended'
import { eachOnce } from '../../../lib/runtime/monitor/ended-once'

const ended = (wait: string, what: string, outcome: string, day: number, more: Partial<EndedItem> = {}): EndedItem => ({
  wait,
  what,
  outcome,
  kind: 'document',
  id: 'lease',
  title: 'Lease',
  who: [],
  since: '2031-05-01T00:00:00.000Z',
  when: `2031-05-0${day}T00:00:00.000Z`,
  node: { id: 'n', name: '', flow: '' },
  client: 'c',
  ...more,
})
const waits = (items: EndedItem[]) =>
  [eachOnce(items), eachOnce([...items].reverse())].map((all) => all.map((one) => one.wait))
const both = (...expected: string[]) => [expected, expected]

describe('what has ended', () => {
  it('counts a signed contract once, however many nights its files are fetched', () => {
    const nights = [2, 3, 4].map((day) => ended(`night-${day}`, 'files-ready', 'signed', day))
    should(
      waits([ended('first', 'first-signature', 'partialsigned', 1), ended('all', 'document', 'signed', 1), ...nights]),
    ).deepEqual(both('all'))
    // The earliest of those with the same result counts, so that the contract does not seem to end every night.
    should(waits(nights)).deepEqual(both('night-2'))
  })

  it('shows the latest state of a deposit', () => {
    const deposit = { kind: 'deposit' } as const
    const part = [
      ended('agreed', 'deposit-signed', 'signed', 1, deposit),
      ended('funded', 'deposit-funded', 'paid', 2, deposit),
    ]
    should(waits(part)).deepEqual(both('funded'))
    should(waits([...part, ended('released', 'deposit', 'terminated', 3, deposit)])).deepEqual(both('released'))
  })

  it('keeps what differs: contracts, services, ways to end, and each failure with its reason', () => {
    const items = [
      ended('1', 'document', 'signed', 1),
      ended('2', 'document', 'signed', 1, { id: 'another' }),
      ended('3', 'document', 'signed', 1, { at: 'another service' }),
      ended('4', 'document', 'timedOut', 1),
      ended('5', 'document', 'canceled', 1),
      ended('6', 'document', 'failed', 1),
      ended('7', 'document', 'failed', 2),
    ]
    should(eachOnce(items)).deepEqual(items)
    should(eachOnce([...items, ended('8', 'first-signature', 'canceled', 1)])).deepEqual(items)
  })
})
