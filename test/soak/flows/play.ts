/**
 * Plays groups of histories: starts Node-RED, sends the lists, carries out the planned events, and judges the results.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOf } from '../../support/program'
import { pause, until } from '../../support/time'
import type { Database } from './database'
import type { ChildOptions, Tapped, ToParent } from './child'
import { answer, end, tell } from './host'
import { createFlows, type FlowOptions, type Renamed } from './flow'
import { countWaits, historyOf, isReport, judgeEnd, judgeTap, subjectIn, subjectsOf, tapOf, type Played } from './judge'
import { partsOf, type Group, type History, type PlannedEvent, type StoreName } from './plan'
import { startTrueService, type TrueService } from './service'

/**
 * How much faster the flows' time runs. It is slower for databases, because they count leases in real time, and for a
 * store that writes for all nodes in turn: Node-RED gives up on nodes that take longer than 15 seconds of the flows'
 * time to close.
 */
const scaleOf = (store: StoreName) => (store === 'embedded' ? 20 : 4)

export interface GroupResult {
  readonly group: Group
  readonly records: readonly Played[]
  readonly kills: number
  readonly calls: number
  readonly stoodStill: number
  /** The events that happened, and when. */
  readonly told: readonly string[]
}

/** Everything about a group while it is played. */
interface Play {
  readonly group: Group
  readonly service: TrueService
  readonly records: readonly Played[]
  readonly flow: FlowOptions
  readonly database: Database | undefined
  readonly child: Omit<ChildOptions, 'clockOffset'>
  readonly kills: number[]
  readonly told: string[]
  deploys: number
  clockOffset: number
  round: number
  process: ChildProcess
  /** How many lines of the ledger have been read. */
  seen: number
  /** Whether the late signers sign too. */
  isLate: boolean
  /** How many messages have passed a tap. */
  passed: number
  /** Histories that continued only when a person deployed all flows once more. */
  stoodStill: number
}

export async function playGroup(group: Group, database?: Database): Promise<GroupResult> {
  const slips = Object.assign({}, ...group.histories.map(({ slips: own }) => own)) as History['slips']
  const service = await startTrueService({ slips, unanswered: new Set(group.unanswered) })
  const userDir = mkdtempSync(join(tmpdir(), 'eid-flows-'))
  const play: Play = {
    group,
    service,
    database,
    kills: [],
    told: [],
    deploys: 0,
    clockOffset: 0,
    round: 0,
    seen: 0,
    isLate: false,
    passed: 0,
    stoodStill: 0,
    records: group.histories.map((history) => ({
      history,
      taps: [],
      verdict: { doubled: [], lost: [], untrue: [] },
    })),
    flow: { baseUrl: service.url, database: database?.url, namespace: `g${group.at}` },
    child: {
      userDir,
      ledger: join(userDir, 'ledger.txt'),
      scale: scaleOf(group.store),
      start: Date.now(),
    },
    process: undefined as unknown as ChildProcess,
  }
  mkdirSync(userDir, { recursive: true })
  const flows = createFlows(group, play.flow, 0)
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flows))
  const { credentials } = flows[0] as { credentials: object }
  writeFileSync(join(userDir, 'flows_cred.json'), JSON.stringify({ c: credentials }))
  try {
    await start(play)
    await happen(play)
  } finally {
    await end(play.process)
    service.close()
    rmSync(userDir, { recursive: true, force: true })
  }
  for (const record of play.records) judgeEnd(record, service, { kills: play.kills, store: group.store })
  return {
    group,
    records: play.records,
    kills: play.kills.length,
    calls: service.arrived,
    stoodStill: play.stoodStill,
    told: play.told,
  }
}

async function happen(play: Play): Promise<void> {
  const { group, service } = play
  sendLists(play, (list) => list !== 'none')
  // Continues as long as lists are still being accepted, because a busy machine may need its time for forty of them.
  await every(play, isTaken)
  let stopped = false
  const signing = (async () => {
    while (!stopped) {
      await service.sign(({ subject }) => play.isLate || isEarly(play, subject))
      await pause(50)
    }
  })()
  try {
    const expected = group.histories.reduce((sum, { rows, shape }) => sum + rows * partsOf[shape].length, 0)
    for (const event of group.events) {
      const isTime = () => service.arrived >= event.at * expected || undefined
      await until(isTime, 3).catch(() => undefined)
      await carryOut(play, event)
    }
    play.isLate = true
    sendLists(play, (list) => list === 'again')
    const isEnd = (record: Played) => hasEnded(play, record)
    await every(play, isEnd).catch(() => deployAll(play))
    await every(play, isEnd).catch(() => undefined)
    for (const record of play.records)
      if (!hasEnded(play, record)) record.verdict.lost.push(`no end: ${missingOf(play, record)}`)
  } finally {
    stopped = true
    await signing
  }
}

/**
 * Resolves when `isSo` is true for each history. Rejects if it is not, and no message passes a tap for so long
 * that the flows must have stalled.
 */
async function every(play: Play, isSo: (record: Played) => boolean): Promise<void> {
  for (let before = NaN; play.passed !== before;) {
    before = play.passed
    await until(() => play.records.every(isSo) || play.passed > before)
    if (play.records.every(isSo)) return
  }
}

/**
 * Deploys all flows, as a person does with a stalled list: a row was lost together with a node that was deployed alone.
 */
async function deployAll(play: Play): Promise<void> {
  const stalled = play.records.filter((record) => !hasEnded(play, record))
  play.stoodStill = stalled.length
  for (const record of stalled) play.told.push(`history ${record.history.n} stood still: ${missingOf(play, record)}`)
  play.told.push(`deploy of a person at ${Date.now() % 1e7}`)
  await deploy(play, 'full')
}

const isEarly = ({ records }: Play, subject: string) =>
  records[Number(/s(\d+)/.exec(subject)?.[1])]?.history.signers === 'early'

/** The list itself was refused. Other errors from a batch are not an end. */
const isRefusal = (tapped: Tapped) => tapOf(tapped) === 'caught-b' && tapped.msg.batchId !== undefined

const isTaken = ({ taps }: Played) => taps.length > 0

function sendLists({ records, process }: Play, which: (list: string) => boolean): void {
  for (const { history } of records.filter((record) => which(record.history.list))) {
    const { n, shape, list } = history
    const subjects = subjectsOf(history)
    const times = list === 'twice' ? 2 : 1
    for (let time = 0; time < times; time++) {
      if (shape !== 'messages') {
        const msg = { batchId: `list-${n}`, payload: subjects.map((name) => ({ name })) }
        tell(process, { send: `b-${n}`, msg })
        continue
      }
      for (const topic of subjects) tell(process, { send: `first-${n}`, msg: { topic, externalId: `key-${topic}` } })
    }
  }
}

/** What a history still has to send. */
function missingOf({ kills, deploys, group }: Play, { history, taps }: Played): string {
  const missing: string[] = []
  if (history.shape === 'messages') {
    for (const subject of subjectsOf(history)) {
      const ends = taps.filter((one) => tapOf(one) === 'end' && subjectIn(one) === subject).length
      // Messages in Node-RED's memory are lost with the process, and calls that were stopped are reported in the log.
      if (ends === 0 && kills.length + deploys === 0) missing.push(subject)
    }
    return missing.join(', ')
  }
  if (taps.some(isRefusal)) return ''
  if (!taps.some(isReport)) missing.push('report')
  if (history.shape === 'wait-beside') {
    for (const subject of subjectsOf(history)) {
      const own = taps.filter((one) => subjectIn(one) === subject)
      if (countWaits(own, kills, group.store).owed > 0) missing.push(`${subject} waits`)
    }
  }
  return missing.join(', ')
}

const hasEnded = (play: Play, record: Played) => missingOf(play, record) === ''

async function carryOut(play: Play, { kind, seconds }: PlannedEvent): Promise<void> {
  play.told.push(`${kind} ${seconds} s at ${Date.now() % 1e7}`)
  const { process: child } = play
  const { scale } = play.child
  if (kind === 'kill') return kill(play)
  if (kind === 'database-cut') return play.database?.cut()
  if (kind === 'clock') {
    play.clockOffset += seconds * 1000
    return tell(child, { clock: play.clockOffset })
  }
  if (kind === 'blocked') return tell(child, { block: (seconds * 1000) / scale })
  if (kind === 'disk-full') {
    tell(child, { diskIsFull: true })
    await pause((seconds * 1000) / scale)
    return tell(play.process, { diskIsFull: false })
  }
  await deploy(play, kind.slice('deploy-'.length) as 'full' | 'flows' | 'nodes')
}

async function deploy(play: Play, how: 'full' | 'flows' | 'nodes'): Promise<void> {
  const { process: child } = play
  play.deploys++
  const renamed = (['work', 'wait', 'batch'] as const)[play.round++ % 3] as Renamed
  const done = answer(child, 'deployed')
  tell(child, { deploy: createFlows(play.group, play.flow, play.round, renamed), how })
  await done
}

async function kill(play: Play): Promise<void> {
  const closed = once(play.process, 'close')
  play.kills.push(Date.now())
  play.process.kill('SIGKILL')
  await closed
  readLedger(play)
  await start(play)
}

async function start(play: Play): Promise<void> {
  const options: ChildOptions = { ...play.child, clockOffset: play.clockOffset }
  const child = fork(await programOf(join(__dirname, 'child.ts')), [JSON.stringify(options)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  play.process = child
  child.on('message', (message: ToParent) => {
    if (!('tap' in message)) return
    play.seen++
    note(play, message)
  })
  await answer(child, 'ready')
}

/** Reads what a process wrote before it was killed, but could not report. */
function readLedger(play: Play): void {
  const { ledger } = play.child
  if (!existsSync(ledger)) return
  const bytes = readFileSync(ledger)
  // The process may have been killed while it wrote the last line; the message of that line was not passed on.
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
  truncateSync(ledger, whole.length)
  const lines = whole.toString('utf8').split('\n').filter(Boolean)
  for (const line of lines.slice(play.seen)) note(play, JSON.parse(line) as Tapped)
  play.seen = lines.length
}

function note(play: Play, tapped: Tapped): void {
  const { records, service } = play
  const record = records[historyOf(tapped)]
  if (!record) throw new Error(`no history for ${tapped.tap}`)
  play.passed++
  record.taps.push(tapped)
  judgeTap(tapped, record, service)
}
