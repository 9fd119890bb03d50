/** Compares what the taps of a history recorded with what exists at the service. */
import type { Tapped } from './child'
import { partsOf, subjectOf, type History, type StoreName } from './plan'
import type { Made } from './service'

/** Violations, which must not exist. `untrue` lists false statements. */
export interface Verdict {
  readonly doubled: string[]
  readonly lost: string[]
  readonly untrue: string[]
}

/** All that is known about one history while it is played. */
export interface Played {
  readonly history: History
  readonly taps: Tapped[]
  readonly verdict: Verdict
}

interface ReportRow {
  readonly key: string
  readonly state: string
  readonly outcome?: string
  readonly documentId?: string
  readonly shareId?: string
  readonly depositId?: string
}

interface Report {
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly rows: readonly ReportRow[]
}

interface Truth {
  readonly made: readonly Made[]
  isSigned(documentId: string): boolean
}

export const subjectsOf = ({ n, rows }: History) => Array.from({ length: rows }, (_none, row) => subjectOf(n, row))

/** The name of the tap without its history. */
export const tapOf = ({ tap }: Tapped) => tap.replace(/-\d+$/, '')

export const historyOf = ({ tap }: Tapped) => Number(/\d+$/.exec(tap)?.[0])

/** The row or message that passed the tap. */
export function subjectIn({ msg }: Tapped): string {
  const { batch, topic } = msg as { batch?: { key?: string }; topic?: string }
  return batch?.key ?? topic ?? ''
}

export const isReport = (tapped: Tapped) => tapOf(tapped) === 'report' && tapped.msg.status === 'ended'

/** Judges a message when it passes a tap: what its report or error says must be true at that moment. */
export function judgeTap(tapped: Tapped, { history, taps, verdict }: Played, truth: Truth): void {
  if (isReport(tapped)) return judgeReport(tapped.msg.payload as Report, history, truth, verdict.untrue)
  const tap = tapOf(tapped)
  const subject = subjectIn(tapped)
  if (tap === 'out0' && !truth.isSigned(String(tapped.msg.documentId))) {
    verdict.untrue.push(`${subject}: waited for as signed, and it is not`)
  }
  if (tap === 'out1' || tap === 'out2')
    verdict.untrue.push(`${subject}: ended at ${tap} and was neither canceled nor late`)
  if (tap === 'caught') judgeError(tapped, history, taps, truth, verdict.untrue)
}

/**
 * For a message that was sent once: if its error says that the failed call did nothing, checks whether that is true.
 */
function judgeError(
  { msg }: Tapped,
  history: History,
  taps: readonly Tapped[],
  { made }: Truth,
  untrue: string[],
): void {
  const { batch, topic, error } = msg as { batch?: { key: string }; topic?: string; error?: ErrorOnMessage }
  const subject = batch?.key ?? topic ?? ''
  const part = error?.source?.id?.replace(/-\d+$/, '') ?? ''
  const sends = taps.filter((one) => tapOf(one) === 'row' && subjectIn(one) === subject).length
  const isOnce = sends === 1 && history.catchTo === 'batch'
  if (!isOnce || error?.cause?.outcome !== 'not-done') return
  const done = made.filter((one) => one.subject === subject && one.part === part)
  if (done.length > 0) untrue.push(`${subject}: ${part} is told of as not done, and ${done[0]?.id} exists`)
}

interface ErrorOnMessage {
  readonly source?: { readonly id?: string }
  readonly cause?: { readonly outcome?: string }
}

function judgeReport(report: Report, history: History, { made, isSigned }: Truth, untrue: string[]): void {
  const { total, done, failed, rows } = report
  const subjects = subjectsOf(history)
  const count = (isDone: boolean) => rows.filter(({ state }) => (state === 'done') === isDone).length
  if (total !== subjects.length || rows.length !== total || count(true) !== done || count(false) !== failed)
    untrue.push(`the counts: ${JSON.stringify({ total, done, failed, rows: rows.length, isDone: count(true) })}`)
  const keys = new Set(rows.map(({ key }) => key))
  for (const subject of subjects) if (!keys.has(subject)) untrue.push(`${subject}: not in the report`)
  for (const row of rows) {
    const own = made.filter(({ subject }) => subject === row.key)
    const say = (what: string) => untrue.push(`${row.key}: ${what}: ${JSON.stringify(row)}`)
    for (const id of [row.documentId, row.shareId, row.depositId]) {
      if (id !== undefined && !own.some((one) => one.id === id)) say('names what does not exist')
    }
    if (row.state === 'done') {
      for (const part of partsOf[history.shape]) if (!own.some((one) => one.part === part)) say(`done without ${part}`)
      if (history.shape === 'wait-within' && !own.some(({ id }) => isSigned(id))) say('done, and not signed')
    } else if (row.outcome === 'not-done' && own.length > 0) {
      say(`not done, and there is ${own.map(({ part }) => part).join(', ')}`)
    }
  }
}

/** When Node-RED was killed, and which store it used. */
interface Death {
  readonly kills: readonly number[]
  readonly store: StoreName
}

/** Judges a history at its end: finds what exists more than once without a mark, and what never ended. */
export function judgeEnd({ history, taps, verdict }: Played, { made }: Truth, death: Death): void {
  const last = taps.filter(isReport).at(-1)
  for (const subject of subjectsOf(history)) {
    const own = taps.filter((one) => subjectIn(one) === subject)
    const marks = own.filter((one) => tapOf(one) === 'row' && one.msg.redelivered === true).length
    const row = (last?.msg.payload as Report | undefined)?.rows.find(({ key }) => key === subject)
    for (const part of partsOf[history.shape]) {
      const count = new Set(made.filter((one) => one.subject === subject && one.part === part).map(({ id }) => id)).size
      // A row listed as "look first" does not claim to exist only once.
      if (count > 1 + marks && row?.state !== 'look first')
        verdict.doubled.push(`${subject}: ${count} times ${part}, marked ${marks} times, ${JSON.stringify(row)}`)
    }
    judgeWaits(subject, own, death, verdict)
  }
}

/**
 * Milliseconds after which a message must be stored. The 50 ms count from when this machine had the time to write some
 * files, because other programs may be using the disk and the two cores. After a lost connection, the store first has
 * to reach the database again.
 */
const keptAfterMs = { disk: 50, database: 1_000 }

/** Counts what went into a wait and came out of it; `died` counts what had just come in when Node-RED was killed. */
export function countWaits(own: readonly Tapped[], kills: readonly number[], store: StoreName) {
  const enters = own.filter((one) => tapOf(one) === 'enter')
  const settled = own.filter((one) => tapOf(one) === 'settled')
  const outs = own.filter((one) => /^(out\d|caught-w)$/.test(tapOf(one)))
  const keptMs = store === 'postgres' || store === 'serializable' ? keptAfterMs.database : keptAfterMs.disk
  const died = enters.filter(({ at }) => {
    const kill = kills.find((one) => one >= at)
    return kill !== undefined && !settled.some((one) => one.at >= at && one.at + keptMs <= kill)
  }).length
  return { enters: enters.length, outs, died, owed: Math.max(0, enters.length - died - outs.length) }
}

function judgeWaits(subject: string, own: readonly Tapped[], { kills, store }: Death, verdict: Verdict): void {
  const { enters, outs, owed } = countWaits(own, kills, store)
  const again = outs.filter(({ msg }) => msg.redelivered === true).length
  // A message of a row that was sent again keeps its mark on the way through the wait.
  const marked = own.filter((one) => tapOf(one) === 'row' && one.msg.redelivered === true).length
  if (outs.length > enters + Math.max(again, marked))
    verdict.doubled.push(`${subject}: ${enters} went into the wait, ${outs.length} came out, ${again} marked`)
  if (owed > 0) verdict.lost.push(`${subject}: ${enters} went into the wait, ${outs.length} came out`)
}
