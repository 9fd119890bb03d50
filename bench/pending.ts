/**
 * Measures many documents that wait for signatures: the calls over simulated days, and the load that a hundred thousand
 * documents put on one Node-RED.
 */
import { startManyDocuments } from '../test/support/many-documents'
import { simulateTime } from '../test/support/simulated-time'
import { inChild, type Case, type Figures } from './child'
import { crowdCases, crowdRows, turnRows } from './crowd'
import type { Row, Subject } from './report'

const documents = 10_000
const signaturesPerHour = 200
const hour = 3_600_000
const atOnce = 1_000
/** Milliseconds of one step of the simulated time; no interval in the simulation is shorter. */
const stepMs = 1_000

/** How changes are found: by asking about each document, by a list, or by a list and events. */
type Way = 'each' | 'list' | 'events'

export const cases: Readonly<Record<string, Case>> = {
  each: () => simulate('each', 1),
  list: () => simulate('list', 48),
  events: () => simulate('events', 48),
  ...crowdCases,
}

export async function benchPending(): Promise<Subject[]> {
  const run = (name: string, input = {}) => inChild('pending', name, input)
  const [each, list, events] = [await run('each'), await run('list'), await run('events')]
  const calls = { what: 'calls an hour', key: 'calls', unit: '' }
  const row = ({ what, key, unit }: typeof calls, ours: Figures): Row => ({
    what,
    unit,
    ours: ours[key] ?? NaN,
    other: each[key] ?? NaN,
  })
  const mean = { what: 'seconds from a signature to the output, mean', key: 'mean', unit: 's' }
  const longest = { what: 'seconds from a signature to the output, longest', key: 'longest', unit: 's' }
  const busy = { what: 'calls in the busiest hour', key: 'busiest', unit: '' }
  const aim = { atMost: 2500, of: 'ours' } as const
  const title = `${documents.toLocaleString('en')} pending, ${signaturesPerHour} signatures and new ones an hour`
  return [
    {
      subject: `${title}, two simulated days, a list tells`,
      alternative: 'each is asked, as before',
      rows: [{ ...row(calls, list), aim }, row(busy, list), row(mean, list), row(longest, list)],
    },
    {
      subject: `${title}, two simulated days, events tell as well`,
      alternative: 'each is asked, as before',
      rows: [
        { ...row(calls, events), aim },
        { ...row(mean, events), aim: { atMost: 2, of: 'ours' } },
        { ...row(longest, events), aim: { atMost: 2, of: 'ours' } },
      ],
    },
    await crowdRows(run),
    await turnRows(run),
  ]
}

/** Simulates this many hours, after the first documents have settled. */
async function simulate(way: Way, hours: number): Promise<Figures> {
  const time = simulateTime()
  const many = await startManyDocuments(time, { list: way !== 'each', random: Math.random })
  // The first documents come in before the measurement, a limited number at a time.
  for (let added = 0; added < documents; added += atOnce) {
    await many.add(atOnce)
    await time.pass(15 * 60_000)
  }
  const total = () => Object.values(many.calls).reduce((sum, one) => sum + one, 0)
  const start = { calls: total(), delays: many.delays.length }
  let busiest = 0
  for (let at = 0; at < hours; at++) {
    const before = total()
    for (let signed = 0; signed < signaturesPerHour; signed++) {
      await many.add(1)
      const id = many.sign()
      // The event arrives at once, as from a webhook; by default, "events" polls the queue only every ten seconds.
      if (way === 'events') await many.wake(id)
      await time.pass(hour / signaturesPerHour, stepMs)
    }
    busiest = Math.max(busiest, total() - before)
  }
  const delays = many.delays.slice(start.delays).map((milliseconds) => milliseconds / 1000)
  await many.close()
  time.end()
  return {
    calls: (total() - start.calls) / hours,
    busiest,
    mean: delays.reduce((sum, one) => sum + one, 0) / delays.length,
    longest: Math.max(...delays),
  }
}
