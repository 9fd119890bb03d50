/**
 * Measures ten thousand rows that the "batch" node sends and that come straight back, compared with the core node split
 * and a node that counts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { comparing, inChild, takeTurns, type Case, type Figures } from './child'
import { startHost, type Host } from './host'
import type { Subject } from './report'
import { roundsOr } from './rounds'

const rounds = roundsOr(3)
const count = 10_000
const list = Array.from({ length: count }, (_none, n) => ({
  number: `C-${n}`,
  firstName: 'Ola',
  lastName: 'Nordmann',
  email: 'ola.nordmann@example.com',
  position: 'Driver',
  start: '2030-01-01',
}))

export const cases: Readonly<Record<string, Case>> = {
  ours: () =>
    measured(
      'batch',
      (host) => new Promise((resolve) => (host.onMessage = ({ status }) => void (status === 'ended' && resolve()))),
    ),
  bare: () =>
    measured('split', (host) => {
      let arrived = 0
      return new Promise((resolve) => (host.onMessage = () => void (++arrived === count && resolve())))
    }),
}

export async function benchBatch(): Promise<Subject[]> {
  const { ours, bare } = await takeTurns(rounds, {
    ours: () => inChild('batch', 'ours', {}),
    bare: () => inChild('batch', 'bare', {}),
  })
  const row = comparing(ours, bare)
  return [
    {
      subject: `a batch of ${count.toLocaleString('en')} rows, eight at a time, kept on disk`,
      alternative: 'core split, nothing kept',
      rows: [
        row('rows per second', 'perSecond', '/s'),
        { ...row('longest turn of the loop', 'longestTurn', 'ms'), aim: { atMost: 50, of: 'ours' } },
      ],
    },
  ]
}

async function measured(node: string, ended: (host: Host) => Promise<void>): Promise<Figures> {
  const userDir = mkdtempSync(join(tmpdir(), 'eid-bench-'))
  const host = await startHost(
    [
      { id: 'f', type: 'tab', label: 'bench' },
      { id: 'batch', z: 'f', type: 'eid-batch', key: 'payload.number', x: 1, y: 1, wires: [['batch'], ['out']] },
      { id: 'split', z: 'f', type: 'split', arraySplt: 1, arraySpltType: 'len', x: 1, y: 1, wires: [['out']] },
      { id: 'out', z: 'f', type: 'bench-out', x: 1, y: 1, wires: [] },
    ],
    {},
    userDir,
  )
  // Another list is processed first, so that the code is already compiled when the measurement starts.
  const warm = ended(host)
  host.give(node, { payload: node === 'split' ? list : list.slice(0, 500), batchId: 'warm' })
  await warm
  const end = ended(host)
  const longestTurn = watchTurns()
  const begin = performance.now()
  host.give(node, { payload: list, batchId: 'measured' })
  await end
  const seconds = (performance.now() - begin) / 1000
  await host.stop()
  rmSync(userDir, { recursive: true, force: true })
  return { perSecond: count / seconds, longestTurn: longestTurn() }
}

/**
 * Returns a function that returns the longest turn of the event loop so far, in milliseconds. The length of a turn is
 * its CPU time or its elapsed time, whichever is less, so that time taken by other programs is left out.
 */
export function watchTurns(): () => number {
  let longest = 0
  let [began, cpu] = [performance.now(), process.cpuUsage()]
  const look = () => {
    const { user, system } = process.cpuUsage(cpu)
    longest = Math.max(longest, Math.min(performance.now() - began, (user + system) / 1000))
    ;[began, cpu] = [performance.now(), process.cpuUsage()]
    setImmediate(look)
  }
  setImmediate(look)
  return () => longest
}
