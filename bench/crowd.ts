/**
 * Measures a hundred thousand waits in one real Node-RED: memory, timers, turns of the event loop, and how long a start
 * takes when all waits are stored. Also measures how long a create takes while the node polls ten thousand waits.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Case, Figures } from './child'
import { good, startHost, type Host } from './host'
import { livingMemory, mebibyte } from './memory'
import { median, type Row, type Subject } from './report'
import { startPlainServer } from './service'
import { timerCount, watchTurns } from './turns'

type Run = (name: string, input?: Record<string, string>) => Promise<Figures>

const crowd = 100_000
/**
 * The number of waits before the restart. A node keeps at most `crowd` waits, and the last wait is added after the
 * restart.
 */
const first = crowd - 1
/** How many messages come in at once, and after how many milliseconds the next messages come in. */
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
      what,
      unit,
      ours: ours ?? NaN,
      aim: { atMost, of: 'ours' },
    })
    return {
      subject: `${crowd.toLocaleString('en')} pending on one node`,
      alternative: '',
      rows: [
        row('living memory per wait beside its message', came.memory, 'kB', 1),
        row('timers', came.timers, '', 10),
        ...turnsOf('longest turn of the loop while they come in', came),
        row('longest turn while they wait', came.waiting, 'ms', 50),
        row('start with all of them kept, until the next is asked about', started.seconds, 's', 10),
        ...turnsOf('longest turn after the start of the flows', started),
      ],
    }
  } finally {
    rmSync(userDir, { recursive: true, force: true })
    service.stop()
  }
}

/**
 * The rows of a table about the longest turn of the event loop: its length, the garbage collection in this turn, and
 * the longest turn if garbage collection is not counted.
 */
function turnsOf(what: string, { turn = NaN, garbage = NaN, own = NaN }: Figures): Row[] {
  const unit = 'ms'
  const aim = { atMost: 50, of: 'ours' } as const
  return [
    { what, ours: turn, unit, aim },
    { what: '… of that, collecting garbage', ours: garbage, unit },
    { what: '… longest apart from collecting garbage', ours: own, unit, aim },
  ]
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
      { what: 'milliseconds, longest of 40', ...row, ours: figures.longest ?? NaN, other: figures.longestAlone },
    ],
  }
}

/**
 * Sends all messages and measures until the node has asked the service about each document once; then measures while
 * the waits are pending.
 */
async function comeIn(url: string, userDir: string): Promise<Figures> {
  const host = await startHost(flows(url), {}, userDir)
  host.give('wait', messageOf('first'))
  await asked(url, 1)
  const messages = messageMemory()
  const memory = livingMemory()
  const timers = timerCount()
  const start = performance.now()
  const coming = watchTurns()
  const most = await giveAll(host)
  await asked(url, first, 600)
  const seconds = (performance.now() - start) / 1000
  const came = await coming()
  const waiting = watchTurns()
  await pause(5_000)
  const { turn } = await waiting()
  const living = ((livingMemory() - memory) * mebibyte) / 1000 / first
  const timersNow = Math.max(most - timers, timerCount() - timers)
  await host.stop()
  return { memory: living - messages, timers: timersNow, seconds, waiting: turn, ...came }
}

/** The memory of one message alone in kilobytes, as Node-RED passes it to a node. */
function messageMemory(): number {
  const before = livingMemory()
  const all = Array.from({ length: crowd }, (_none, n) => {
    const msg: Record<string, unknown> = messageOf(`message--${n}`)
    // The id is as long as Node-RED's ids. As in Node-RED, it is added after the message was created.
    msg._msgid = randomBytes(8).toString('hex')
    return msg
  })
  const after = livingMemory()
  return ((after - before) * mebibyte) / 1000 / all.length
}

async function giveAll(host: Host): Promise<number> {
  let timers = 0
  // The loop begins at 1, because the first wait was added already.
  for (let n = 1; n < first; n += handful) {
    for (let one = n; one < Math.min(n + handful, first); one++) host.give('wait', messageOf(`document-${one}`))
    await pause(handfulMs)
    if (n % 5_000 === 1) timers = Math.max(timers, timerCount())
  }
  return timers
}

/** Starts Node-RED with the waits that an earlier run has stored. */
async function startWith(url: string, userDir: string): Promise<Figures> {
  const { documents } = await countsOf(url)
  const start = performance.now()
  const host = await startHost(flows(url), {}, userDir)
  const turns = watchTurns()
  host.give('wait', messageOf('probe'))
  await asked(url, documents + 1, 120)
  const seconds = (performance.now() - start) / 1000
  await pause(2_000)
  const longest = await turns()
  await host.stop()
  return { seconds, ...longest }
}

/** Creates documents, first alone, and then while the node polls ten thousand waits. */
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
  const { calls } = await countsOf(url)
  for (let n = 0; n < 10_000; n++) {
    host.give('wait', messageOf(`document-${n}`))
    if (n % 100 === 0) await pause(20)
  }
  const during = await create()
  // The measurement is valid only if the service had not been asked about all waits before the measurement ended.
  const left = 10_000 - ((await countsOf(url)).calls - calls)
  await host.stop()
  if (left <= 0) throw new Error('all were asked about before the measurement ended')
  return { alone: alone.median, longestAlone: alone.longest, during: during.median, longest: during.longest }
}

function messageOf(documentId: string) {
  return { documentId, topic: 'contract', payload: { customer: documentId, title: 'Rental agreement' } }
}

async function countsOf(url: string): Promise<{ calls: number; documents: number }> {
  return (await (await fetch(`${url}/count`)).json()) as { calls: number; documents: number }
}

/** Waits until the service was asked about this many documents. */
async function asked(url: string, least: number, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const { documents } = await countsOf(url)
    if (documents >= least) return
    if (performance.now() > end) throw new Error(`${documents} documents asked about instead of ${least}`)
    await pause(50)
  }
}

function flows(url: string): object[] {
  const place = { z: 'f', x: 1, y: 1 }
  const signers = JSON.stringify([{ externalSignerId: 'signer-1', signerInfo: { firstName: 'Ola' } }])
  const form = { title: 'Lease', contactEmail: 'post@example.com', fileName: 'lease.txt', fileNameType: 'str' }
  return [
    { id: 'f', type: 'tab' },
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
