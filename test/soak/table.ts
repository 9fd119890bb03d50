/** The table of a soak: one row per kind of message, and whether everything that must be zero is zero. */
import type { Entry } from './entry'
import { hasEnded, judge } from './entry'
import { kinds } from './plan'

export interface Result {
  readonly seed: number
  readonly seconds: number
  readonly entries: readonly Entry[]
  acts(entry: Entry): number
  readonly leaks: readonly string[]
  readonly secrets: readonly string[]
  readonly notes: readonly string[]
}

interface Row {
  readonly kind: string
  readonly in: number
  readonly outs: readonly number[]
  readonly caught: number
  readonly killed: number
  readonly lost: number
  readonly twice: number
  readonly doubled: number
  readonly wrong: number
}

function rowsOf({ entries, acts }: Result): Row[] {
  const rows = kinds.map((kind) =>
    rowOf(
      kind,
      entries.filter((entry) => entry.kind === kind),
      acts,
    ),
  )
  return [...rows, rowOf('all', entries, acts)]
}

function rowOf(kind: string, entries: readonly Entry[], acts: Result['acts']): Row {
  const verdicts = entries.map((entry) => judge(entry, acts(entry)))
  const count = (end: RegExp) => entries.reduce((sum, { ends }) => sum + ends.filter((one) => end.test(one)).length, 0)
  return {
    kind,
    in: entries.length,
    outs: [/\/0$/, /\/1$/, /\/2$/].map(count),
    caught: count(/^caught$/),
    killed: entries.filter((entry) => entry.killed && !hasEnded(entry)).length,
    lost: verdicts.filter(({ lost }) => lost).length,
    twice: verdicts.filter(({ endedTwice }) => endedTwice).length,
    doubled: verdicts.filter(({ doubled }) => doubled).length,
    wrong: verdicts.filter(({ wrongOutcome }) => wrongOutcome).length,
  }
}

/** The messages that broke a rule, with everything that is known about them. */
function offenders({ entries, acts }: Result): string[] {
  return entries.flatMap((entry) => {
    const broken = Object.entries(judge(entry, acts(entry))).flatMap(([name, is]) => (is === true ? [name] : []))
    const { n, kind, ends, code, outcome, error, killed } = entry
    const known = JSON.stringify({ ends, code, outcome, acts: acts(entry), killed, error: error?.slice(0, 300) })
    return broken.length === 0 ? [] : [`  ${broken.join(', ')}: ${kind} ${n} ${known}`]
  })
}

/** Kinds without any message that came out: for these, the soak has tested only refusals. */
function fruitless(result: Result): string[] {
  return rowsOf(result).flatMap(({ kind, in: all, outs }) => (all > 0 && Math.max(...outs) === 0 ? [kind] : []))
}

/** Whether nothing was lost, ended twice, doubled, reported wrongly, leaked or written down. */
export function isClean(result: Result): boolean {
  const all = rowsOf(result).at(-1)
  const bad = (all?.lost ?? 1) + (all?.twice ?? 1) + (all?.doubled ?? 1) + (all?.wrong ?? 1)
  return bad + result.leaks.length + result.secrets.length + fruitless(result).length === 0
}

export function describe(result: Result): string {
  const head = ['messages', 'in', 'out 1', 'out 2', 'out 3', 'caught', 'killed', 'lost', 'ended twice']
  const lines = rowsOf(result).map((row) => {
    const { kind, outs, caught, killed, lost, twice, doubled, wrong } = row
    return [kind, row.in, ...outs, caught, killed, lost, twice, doubled, wrong].map(String)
  })
  const all = [[...head, 'doubled', 'wrong outcome'], ...lines]
  const widths = all[0]?.map((_cell, column) => Math.max(...all.map((line) => line[column]?.length ?? 0))) ?? []
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return [
    ...all.map((line) => line.map(pad).join('  ')),
    `handles left after the flows were closed: ${result.leaks.length}`,
    ...result.leaks.map((leak) => `  ${leak}`),
    `secrets or personal data written: ${result.secrets.length}`,
    ...result.secrets.slice(0, 20).map((secret) => `  ${secret}`),
    ...offenders(result).slice(0, 20),
    ...fruitless(result).map((kind) => `never came out: ${kind}`),
    ...result.notes,
    `seed ${result.seed}, ${Math.round(result.seconds)} s: ${isClean(result) ? 'good' : 'NOT GOOD'}`,
  ].join('\n')
}
