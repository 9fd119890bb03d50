/**
 * What "alerts" stores and sends: each alert once, a digest at its time of day, and nothing is lost when the node
 * stops.
 */
import should from 'should'
import type { AlertPayload } from '../../../nodes/alerts/alert'
import { afterWorkingDays, nextClockTime, readClockTime } from '../../../nodes/alerts/calendar'
import { createOutbox, type Outbox, type OutboxOptions } from '../../../nodes/alerts/outbox'
import { systemClock } from '../../../lib/store/clock'
import { listAll } from '../../../lib/store/list-all'
import { openStore } from '../../../lib/store/open'
import type { Store } from '../../../lib/store/store'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

const hour = 3_600_000
const alert = (title: string): AlertPayload => ({
  kind: 'expired',
  title,
  who: [],
  since: '2031-05-01T08:00:00.000Z',
  sentence: `${title} expired.`,
  link: '',
})

describe('the outbox of alerts', () => {
  const folder = temporaryFolder()
  let store: Store
  let kind = 'alerts'
  const sent: { titles: string[]; redelivered: boolean }[] = []
  const outbox = (more: Partial<OutboxOptions> = {}) =>
    createOutbox({
      store,
      clock: systemClock,
      sent: () => undefined,
      send: ({ title }, redelivered) => void sent.push({ titles: [title], redelivered }),
      sendDigest: (all, redelivered) => void sent.push({ titles: all.map(({ title }) => title), redelivered }),
      failed(error) {
        throw error
      },
      ...more,
    })
  const open = () => {
    const host = { nodeId: 'n', userDir: folder.path }
    return openStore(host, { kind, onStoreEvent: () => undefined })
  }

  /** The time by the node's clock, and of the next digest. */
  let now = Date.now()
  let due = now + hour
  const atDigestTime = { clock: { epochNow: () => now }, nextDigest: () => due }
  /** Resolves when this many messages were sent; meanwhile, the node looks at the time. */
  const untilSent = (one: Outbox, count: number) => until(async () => (await one.look(), sent.length === count))

  beforeEach(() => {
    kind += 'x'
    store = open()
    now = Date.now()
    due = now + hour
    sent.length = 0
  })
  afterEach(() => store.close())
  after(() => folder.remove())

  it('sends each alert once, however often it is added', async () => {
    const one = outbox()
    one.start()
    should(await one.add('a-1', alert('Lease 1'), 60_000)).equal(true)
    should(await one.add('a-1', alert('Lease 1'), 60_000)).equal(false)
    await until(() => sent.length === 1)
    should(await one.add('a-1', alert('Lease 1'), 60_000)).equal(false)
    await one.add('a-2', alert('Lease 2'), 60_000)
    await until(() => sent.length === 2)
    await one.stop()
    should(sent).eql([
      { titles: ['Lease 1'], redelivered: false },
      { titles: ['Lease 2'], redelivered: false },
    ])
  })

  it('sends a digest again, and says so, when the node was stopped while it left', async () => {
    let stopped: Promise<void> | undefined
    const one = outbox({
      send({ title }, redelivered) {
        sent.push({ titles: [title], redelivered })
        stopped = one.stop()
      },
    })
    await one.add('a-1', alert('Lease 1'), 60_000)
    one.start()
    await until(() => stopped !== undefined)
    await stopped
    const next = outbox()
    next.start()
    await until(() => sent.length === 2)
    await next.stop()
    should(sent.map(({ redelivered }) => redelivered)).eql([false, true])
  })

  it('puts everything until the time of day into one message, and everything later into the next', async () => {
    const one = outbox(atDigestTime)
    one.start()
    for (const number of [1, 2, 3]) await one.add(`a-${number}`, alert(`Lease ${number}`), 60_000)
    now = due
    await untilSent(one, 1)
    due = now + hour
    should(await one.add('a-1', alert('Lease 1'), 60_000)).equal(false)
    await one.add('a-4', alert('Lease 4'), 60_000)
    now = due
    await untilSent(one, 2)
    await one.stop()
    should(sent.map(({ titles }) => titles)).eql([['Lease 1', 'Lease 2', 'Lease 3'], ['Lease 4']])
  })

  it('has in each digest what happened since the one before, also when it is the same again', async () => {
    const one = outbox(atDigestTime)
    one.start()
    await one.add('a-1', alert('Lease 1'), 700)
    now = due
    await untilSent(one, 1)
    due = now + hour
    // Added again once 700 ms have passed since the alert was first added, even if fewer have passed since the digest.
    await until(async () => one.add('a-1', alert('Lease 1'), 700))
    now = due
    await untilSent(one, 2)
    await one.stop()
    should(sent.map(({ titles }) => titles)).eql([['Lease 1'], ['Lease 1']])
  })

  it('sends a digest that fell due while the node was stopped, with all of it', async () => {
    const due = Date.now() + 50
    const one = outbox({ nextDigest: () => due })
    for (const number of [1, 2]) await one.add(`a-${number}`, alert(`Lease ${number}`), 60_000)
    await one.stop()
    await until(() => Date.now() > due)
    const next = outbox({ nextDigest: () => due + 86_400_000 })
    next.start()
    await until(() => sent.length === 1)
    await next.stop()
    should(sent).eql([{ titles: ['Lease 1', 'Lease 2'], redelivered: false }])
  })
})

describe('a digest whose time has changed', () => {
  const folder = temporaryFolder()
  let store: Store
  let kind = 'moved'
  const sent: string[][] = []
  let now = Date.now()
  const outbox = (nextDigest?: (now: number) => number, more: Partial<OutboxOptions> = {}) =>
    createOutbox({
      store,
      clock: { epochNow: () => now },
      sent: () => undefined,
      nextDigest,
      send: ({ title }) => void sent.push([title]),
      sendDigest: (all) => void sent.push(all.map(({ title }) => title)),
      failed(error) {
        throw error
      },
      ...more,
    })
  /** Starts again after a deploy with other settings. */
  const restarted = async (before: () => number, after?: () => number) => {
    const one = outbox(before)
    one.start()
    await one.add('a-1', alert('Lease 1'), 90 * 24 * hour)
    await one.stop()
    const next = outbox(after)
    next.start()
    await next.look()
    return next
  }
  const digests = async () => (await listAll(store)).map(({ id }) => id).filter((id) => id.startsWith('d-'))

  beforeEach(() => {
    kind += 'x'
    const host = { nodeId: 'n', userDir: folder.path }
    store = openStore(host, { kind, onStoreEvent: () => undefined })
    sent.length = 0
  })
  afterEach(() => store.close())
  after(() => folder.remove())

  it('comes at the new time when that is earlier, with what was collected for the old one', async () => {
    const soon = now + hour
    const tomorrow = now + 24 * hour
    const one = await restarted(
      () => tomorrow,
      () => soon,
    )
    await one.add('a-2', alert('Lease 2'), 60_000)
    now = soon
    await until(async () => (await one.look(), sent.length === 1))
    await one.stop()
    should(sent).deepEqual([['Lease 1', 'Lease 2']])
    should(await digests()).be.empty()
  })

  it('does not come at the old time when the new one is later', async () => {
    const soon = now + hour
    const tomorrow = now + 24 * hour
    const one = await restarted(
      () => soon,
      () => tomorrow,
    )
    should(await digests()).deepEqual([`d-${tomorrow}`])
    await one.stop()
    should(sent).be.empty()
  })

  it('comes at once when alerts are sent at once from now on', async () => {
    const tomorrow = now + 24 * hour
    const one = await restarted(() => tomorrow)
    await until(() => sent.length === 1)
    await one.stop()
    should(sent).deepEqual([['Lease 1']])
  })

  it('comes at its time of day although the machine was asleep meanwhile', async () => {
    const due = now + 16 * hour
    const one = outbox(() => due)
    one.start()
    await one.add('a-1', alert('Lease 1'), 60_000)
    now = due - 2000
    await one.look()
    should(sent).be.empty()
    now = due
    await until(async () => (await one.look(), sent.length === 1))
    await one.stop()
    should(sent).deepEqual([['Lease 1']])
  })

  it('is not written again while it waits', async () => {
    let writes = 0
    const makeDue = store.makeDue.bind(store)
    store.makeDue = (subjects) => (writes++, makeDue(subjects))
    const due = now + hour
    const one = outbox(() => due)
    one.start()
    await one.add('a-1', alert('Lease 1'), 60_000)
    // A start recalculates the time of the digest, with a single write.
    for (const _ of Array(10)) await one.look()
    await one.stop()
    should(writes).equal(1)
  })

  it('stays in the next digest what came after the last one', async () => {
    const tomorrow = now + 24 * hour
    const soon = now + hour
    const one = await restarted(
      () => soon,
      () => soon,
    )
    // Another Node-RED with the same store has already reached the next day.
    const other = outbox(() => tomorrow)
    await other.add('a-3', alert('Lease 3'), 60_000)
    now = soon
    await until(async () => (await one.look(), sent.length === 1))
    await one.stop()
    should(sent).deepEqual([['Lease 1']])
    should(await digests()).deepEqual([`d-${tomorrow}`])
  })
})

describe('the calendar of alerts', () => {
  const zone = process.env.TZ
  before(() => void (process.env.TZ = 'Europe/Oslo'))
  after(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  const iso = (moment: number) => new Date(moment).toISOString()
  const at = (text: string) => Date.parse(text)

  it('counts from Monday to Friday', () => {
    should(iso(afterWorkingDays(at('2026-11-19T10:00:00+01:00'), 3))).equal('2026-11-24T09:00:00.000Z')
    should(iso(afterWorkingDays(at('2026-11-21T10:00:00+01:00'), 1))).equal('2026-11-23T09:00:00.000Z')
    should(iso(afterWorkingDays(at('2026-11-21T10:00:00+01:00'), 5))).equal('2026-11-27T09:00:00.000Z')
    should(iso(afterWorkingDays(at('2026-11-21T10:00:00+01:00'), 6))).equal('2026-11-30T09:00:00.000Z')
    should(iso(afterWorkingDays(at('2026-11-19T10:00:00+01:00'), 11))).equal('2026-12-04T09:00:00.000Z')
    // Beyond the range of dates, so never.
    should(afterWorkingDays(at('2026-11-19T10:00:00+01:00'), 999_999_999_999)).be.NaN()
  })

  it('finds the same time on the wall on the days on which the clocks change', () => {
    const eight = readClockTime('08:00') ?? [0, 0]
    should(iso(nextClockTime(at('2026-10-24T08:00:00+02:00'), eight))).equal('2026-10-25T07:00:00.000Z')
    should(iso(nextClockTime(at('2027-03-27T08:00:00+01:00'), eight))).equal('2027-03-28T06:00:00.000Z')
    // This time does not exist on that day.
    should(iso(nextClockTime(at('2027-03-28T00:00:00+01:00'), [2, 30]))).equal('2027-03-28T01:30:00.000Z')
    should(iso(nextClockTime(at('2026-11-23T07:59:59+01:00'), eight))).equal('2026-11-23T07:00:00.000Z')
  })

  it('reads times of day, and nothing else', () => {
    should(['8:05', '23.59', '24:00', 'noon', ''].map((text) => readClockTime(text))).eql([
      [8, 5],
      [23, 59],
      undefined,
      undefined,
      undefined,
    ])
  })
})
