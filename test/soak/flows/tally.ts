/** Plays the histories of a seed and counts what came of them. */
import { startDatabase } from './database'
import { planGroups, type PlanOptions } from './plan'
import { playGroup, type GroupResult } from './play'
import type { Verdict } from './judge'

export interface Tally {
  readonly store: string
  histories: number
  /** What passed a tap. */
  messages: number
  /** Calls that change something, as they arrived. */
  calls: number
  kills: number
  /** What must be empty, each line with the history it is of. */
  readonly doubled: string[]
  readonly lost: string[]
  readonly untrue: string[]
}

/** `log` is told of each group. */
export async function playFlows(options: PlanOptions, log: (line: string) => void): Promise<Tally> {
  const { store } = options
  const tally: Tally = { store, histories: 0, messages: 0, calls: 0, kills: 0, doubled: [], lost: [], untrue: [] }
  const database = await startDatabase(store)
  try {
    for (const group of planGroups(options)) {
      const started = Date.now()
      const result = await playGroup(group, database)
      add(tally, result)
      const events = group.events.map(({ kind, at }) => `${kind} at ${at.toFixed(2)}`).join(', ')
      log(`group ${group.at}: ${events}; ${Math.round((Date.now() - started) / 100) / 10} s; ${sums(tally)}`)
    }
  } finally {
    await database?.stop()
  }
  return tally
}

export const sums = ({ histories, messages, kills, doubled, lost, untrue }: Tally) =>
  `${histories} histories, ${messages} messages, ${kills} kills, ${doubled.length} doubled, ${lost.length} lost, ${untrue.length} untrue`

export const isGood = ({ doubled, lost, untrue }: Tally) => doubled.length + lost.length + untrue.length === 0

function add(tally: Tally, { group, records, kills, calls }: GroupResult): void {
  tally.kills += kills
  tally.calls += calls
  for (const { history, taps, verdict } of records) {
    tally.histories++
    tally.messages += taps.length
    for (const kind of Object.keys(verdict) as (keyof Verdict)[]) {
      const { slips: _slips, ...about } = history
      for (const line of verdict[kind]) tally[kind].push(`group ${group.at} ${JSON.stringify(about)}: ${line}`)
    }
  }
}
