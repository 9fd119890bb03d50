/** Plays the histories of a seed and counts their results. */
import { startDatabase } from './database'
import { planGroups, type PlanOptions } from './plan'
import { playGroup, type GroupResult } from './play'
import { subjectIn, type Played, type Verdict } from './judge'

interface Tally {
  readonly store: string
  histories: number
  /** How many messages passed a tap. */
  messages: number
  /** How many calls with an effect arrived. */
  calls: number
  kills: number
  /** Histories that continued only when a person deployed all flows once more. */
  stoodStill: number
  /** Violations, each with its history; these lists must be empty. */
  readonly doubled: string[]
  readonly lost: string[]
  readonly untrue: string[]
  /** What passed the taps of the histories that broke a rule. */
  readonly timelines: string[]
}

/** `log` gets a line for each group. */
export async function playFlows(options: PlanOptions, log: (line: string) => void): Promise<Tally> {
  const { store } = options
  const tally: Tally = {
    store,
    histories: 0,
    messages: 0,
    calls: 0,
    kills: 0,
    stoodStill: 0,
    doubled: [],
    lost: [],
    untrue: [],
    timelines: [],
  }
  const database = await startDatabase(store)
  try {
    for (const group of planGroups(options)) {
      const started = Date.now()
      const result = await playGroup(group, database)
      add(tally, result)
      const events = group.events.map(({ kind, at }) => `${kind} at ${at.toFixed(2)}`).join(', ')
      for (const line of result.told.filter((one) => one.includes('stood still'))) log(line)
      log(`group ${group.at}: ${events}; ${Math.round((Date.now() - started) / 100) / 10} s; ${sums(tally)}`)
    }
  } finally {
    await database?.stop()
  }
  return tally
}

export const sums = ({ histories, messages, kills, stoodStill, doubled, lost, untrue }: Tally) =>
  `${histories} histories, ${messages} messages, ${kills} kills, ${stoodStill} stood still, ${doubled.length} doubled, ${lost.length} lost, ${untrue.length} untrue`

export const isGood = ({ doubled, lost, untrue }: Tally) => doubled.length + lost.length + untrue.length === 0

function add(tally: Tally, { group, records, kills, calls, stoodStill, told }: GroupResult): void {
  tally.kills += kills
  tally.stoodStill += stoodStill
  tally.calls += calls
  for (const record of records) {
    const { history, taps, verdict } = record
    tally.histories++
    tally.messages += taps.length
    for (const kind of Object.keys(verdict) as (keyof Verdict)[]) {
      const { slips: _slips, ...about } = history
      for (const line of verdict[kind]) tally[kind].push(`group ${group.at} ${JSON.stringify(about)}: ${line}`)
    }
    if (Object.values(verdict).some((lines: string[]) => lines.length > 0))
      tally.timelines.push(
        `group ${group.at} history ${history.n}, what happened: ${told.join(', ')}${timelineOf(record)}`,
      )
  }
}

/** A line for each message that passed a tap, with the time in milliseconds. */
function timelineOf({ taps }: Played): string {
  const lines = taps.map((tapped) => {
    const { redelivered, status, error } = tapped.msg as {
      redelivered?: boolean
      status?: string
      error?: ErrorOnMessage
    }
    const about = [subjectIn(tapped), redelivered && 'redelivered', status, error?.message, error?.cause?.outcome]
    return `\n    ${tapped.at % 1e7} ${tapped.tap} ${about.filter(Boolean).join(' · ')}`
  })
  return lines.join('')
}

interface ErrorOnMessage {
  readonly message?: string
  readonly cause?: { readonly outcome?: string }
}
