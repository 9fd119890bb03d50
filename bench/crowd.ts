/**
 * A hundred thousand waits in one real Node-RED: memory, timers, turns of the loop, the start with all of them kept;
 * and whether a create keeps its turn while ten thousand are asked about.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Case, Figures } from './child'
import { good, startHost, type Host } from './host'
import { livingMemory, mebibyte } from './memory'
import { median, type Row, type Subject } from './report'
import { startPlainServer } from './service'

type Run = (name: string, input?: Record<string, string>) => Promise<Figures>

const crowd = 100_000
/** Messages that come in at once, and the milliseconds until the next ones. */
const handful = 50
const handfulMs = 25

export const crowdCases: Readonly<Record<string, Case>> = {
  comeIn: ({ url = '', userDir = '' }) => comeIn(url, userDir),
  start: ({ url = '', userDir = '' }) => startWith(url, userDir),
  turn: ({ url = '' }) => turn(url),
}

export async function crowdRows(run: Run): Promise<Subject> {
  const service = await startPlainServer()
  const userDir = mkdtempSync(join(tmpdir(), 'eid-bench-crowd-'))
  try {
    const input = { url: service.url, userDir }
    const [came, started] = [await run('comeIn', input), await run('start', input)]
    const row = (what: string, ours: number | undefined, unit: string, atMost: number): Row => ({
      ...{ what, unit, ours: ours ?? NaN, aim: { atMost, of: 'ours' } },
    })
    return {
      subject: `${crowd.toLocaleString('en')} pending on one node`,
      alternative: '',
      rows: [
        row('living memory per wait beside its message', came.memory, 'kB', 1),
        row('timers', came.timers, '', 10),
        row('longest turn of the loop while they come in', came.turn, 'ms', 50),
        { ...row('of that, collecting garbage', came.garbage, 'ms', 0), aim: undefined },
        row('longest turn while they wait', came.waiting, 'ms', 50),
        row('start with all of them kept, until the next is asked about', started.seconds, 's', 10),
        row('longest turn after the start of the flows', started.turn, 'ms', 50),
        { ...row('of that, collecting garbage', started.garbage, 'ms', 0), aim: undefined },
      ],
    }
  } finally {
    rmSync(userDir, { recursive: true, force: true })
    service.stop()
  }
}

export async function turnRows(run: Run): Promise<Subject> {
  const service = await startPlainServer(20)
  const figures = await run('turn', { url: service.url })
  service.stop()
  const row = { ours: figures.during ?? NaN, other: figures.alone ?? NaN, unit: 'ms' }
  return {
    subject: 'a create while 10,000 waits are asked about, 20 ms a call',
    alternative: 'alone',
    rows: [
      { what: 'milliseconds, median', ...row, aim: { atMost: 2, of: 'ratio' } },
      { what: 'milliseconds, longest of 40', ...{ ...row, ours: figures.longest ?? NaN, other: figures.longestAlone } },
    ],
  }
}

/** Lets a crowd come in, and measures until each was asked about once. */
async function comeIn(url: string, userDir: string): Promise<Figures> {
  const host = await startHost(flows(url), {}, userDir)
  host.give('wait', messageOf('first'))
  await asked(url, 1)
  const memory = livingMemory()
  const timers = timerCount()
  const messages = messageMemory()
  const coming = watchTurns()
  const most = await giveAll(host)
  await asked(url, crowd + 1, 600)
  const { turn, garbage } = coming()
  const waiting = watchTurns()
  await pause(5_000)
  const longest = waiting().turn
  const living = ((livingMemory() - memory) * mebibyte) / 1000 / crowd
  const result = { memory: living - messages, timers: Math.max(most - timers, timerCount() - timers), turn, garbage }
  await host.stop()
  return { ...result, waiting: longest }
}

/** Kilobytes of one message alone. */
function messageMemory(): number {
  const before = livingMemory()
  const all = Array.from({ length: crowd }, (_none, n) => ({ ...messageOf(`m${n}`), _msgid: `${n}`.padStart(16, '0') }))
  const after = livingMemory()
  return ((after - before) * mebibyte) / 1000 / all.length
}

async function giveAll(host: Host): Promise<number> {
  let timers = 0
  for (let n = 0; n < crowd; n += handful) {
    for (let one = n; one < n + handful; one++) host.give('wait', messageOf(`document-${one}`))
    await pause(handfulMs)
    if (n % 5_000 === 0) timers = Math.max(timers, timerCount())
  }
  return timers
}

/** Starts with what an earlier run has kept. */
async function startWith(url: string, userDir: string): Promise<Figures> {
  const before = await callsTo(url)
  const start = performance.now()
  const host = await startHost(flows(url), {}, userDir)
  const turns = watchTurns()
  host.give('wait', messageOf('probe'))
  await asked(url, before + 1, 120)
  const seconds = (performance.now() - start) / 1000
  await pause(2_000)
  const { turn, garbage } = turns()
  await host.stop()
  return { seconds, turn, garbage }
}

/** Creates documents, alone and while ten thousand waits are asked about. */
async function turn(url: string): Promise<Figures> {
  const host = await startHost(flows(url))
  const create = async () => {
    const times: number[] = []
    for (let n = 0; n < 40; n++) {
      const start = performance.now()
      await good(host.run('create', { payload: Buffer.from('agreed'), topic: `contract ${n}` }))
      times.push(performance.now() - start)
    }
    return { median: median(times), longest: Math.max(...times) }
  }
  await create()
  const alone = await create()
  const calls = await callsTo(url)
  for (let n = 0; n < 10_000; n++) {
    host.give('wait', messageOf(`document-${n}`))
    if (n % 100 === 0) await pause(20)
  }
  const during = await create()
  // They still were asked about.
  const left = 10_000 - ((await callsTo(url)) - calls)
  await host.stop()
  if (left <= 0) throw new Error('all were asked about before the measurement ended')
  return { alone: alone.median, longestAlone: alone.longest, during: during.median, longest: during.longest }
}

function messageOf(documentId: string) {
  return { documentId, topic: 'contract', payload: { customer: documentId, title: 'Rental agreement' } }
}

interface Turns {
  /** Milliseconds of the longest turn of the loop, and of the longest collection of garbage. */
  readonly turn: number
  readonly garbage: number
}

/** Gives what tells of the turns since then. */
function watchTurns(): () => Turns {
  const resolution = 5
  const turns = monitorEventLoopDelay({ resolution })
  let garbage = 0
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) garbage = Math.max(garbage, duration)
  })
  collections.observe({ entryTypes: ['gc'] })
  turns.enable()
  return () => {
    turns.disable()
    collections.disconnect()
    return { turn: turns.max / 1e6 - resolution, garbage }
  }
}

const timerCount = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

async function callsTo(url: string): Promise<number> {
  return ((await (await fetch(`${url}/count`)).json()) as { calls: number }).calls
}

async function asked(url: string, least: number, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1000
  while ((await callsTo(url)) < least) {
    if (performance.now() > end) throw new Error(`${await callsTo(url)} calls instead of ${least}`)
    await pause(50)
  }
}

function flows(url: string): object[] {
  const place = { z: 'f', x: 1, y: 1 }
  const signers = JSON.stringify([{ externalSignerId: 'signer-1', signerInfo: { firstName: 'Ola' } }])
  const form = { title: 'Lease', contactEmail: 'post@example.com', fileName: 'lease.txt', fileNameType: 'str' }
  return [
    { id: 'f', type: 'tab' },
    // A service that does nothing else can be asked more at once.
    { id: 'c', type: 'eid-client', baseUrl: url },
    { ...place, id: 'wait', type: 'eid-wait', client: 'c', wires: [['out'], ['out'], ['out']] },
    {
      ...place,
      ...form,
      id: 'create',
      type: 'eid-create-document',
      client: 'c',
      signers,
      signersType: 'json',
      wires: [['out']],
    },
    { ...place, id: 'catch', type: 'catch', scope: null, wires: [['out']] },
    { ...place, id: 'out', type: 'bench-out' },
  ]
}
