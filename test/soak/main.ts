/**
 * The long forms of the tests: `npm run soak` (messages), `npm run soak -- outcomes` (histories of calls), `npm run
 * soak -- flows` (histories of whole flows), `npm run soak -- several`.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { playHistories } from '../support/histories'
import { beginRun, useRunFolder } from '../support/run-folder'
import { runSoak } from './drive'
import { stores, type EventKind, type Shape } from './flows/plan'
import { isGood, playFlows, sums } from './flows/tally'
import { describe, isClean } from './table'

const text = { type: 'string' } as const
const ofFlows = { store: text, shapes: text, events: text, group: text }

async function main(): Promise<void> {
  beginRun()
  useRunFolder()
  const options = { seed: text, batches: text, histories: text, waits: text, ...ofFlows }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  if (positionals.includes('outcomes')) return soakOutcomes(Number(values.histories ?? 5000), seed)
  if (positionals.includes('flows')) return soakFlows(values, seed)
  if (positionals.includes('several')) return soakSeveral(values.waits ?? '10000')
  const batches = Number(values.batches ?? 64)
  console.log(`Soaking with seed ${seed} …`)
  const result = await runSoak({ seed, batches, perKind: 8, kills: 5, deployedBatches: 6 }, console.log)
  console.log(describe(result))
  process.exit(isClean(result) ? 0 : 1)
}

async function soakOutcomes(count: number, seed: number): Promise<void> {
  console.log(`Playing ${count} histories with seed ${seed} …`)
  const { untrue, twice, odd, ...tally } = await playHistories(count, seed)
  console.log({ ...tally, untrue: untrue.length, twice: twice.length, odd: odd.length })
  for (const bad of [...untrue, ...twice, ...odd]) console.log(bad)
  process.exit(untrue.length + twice.length + odd.length === 0 ? 0 : 1)
}

/** `--shapes`, `--events` and `--group` limit the run, to find the cause of a violation. */
async function soakFlows(values: Readonly<Record<string, string | undefined>>, seed: number): Promise<void> {
  const { store = 'embedded', shapes, events, group } = values
  const known = stores.find((one) => one === store)
  if (!known) throw new Error(`--store is one of ${stores.join(', ')}`)
  const histories = Number(values.histories ?? 2000)
  console.log(`Playing ${histories} histories of flows with seed ${seed} on ${store} …`)
  const tally = await playFlows(
    {
      seed,
      histories,
      store: known,
      ...(shapes !== undefined && { shapes: shapes.split(',') as Shape[] }),
      ...(events !== undefined && { events: events.split(',') as EventKind[] }),
      ...(group !== undefined && { only: Number(group) }),
    },
    console.log,
  )
  for (const kind of ['doubled', 'lost', 'untrue'] as const)
    for (const line of tally[kind]) console.log(`${kind}: ${line}`)
  for (const timeline of tally.timelines) console.log(timeline)
  console.log(`${store}, seed ${seed}: ${sums(tally)}`)
  process.exit(isGood(tally) ? 0 : 1)
}

/** The same tests as in `npm test`, with many more waits, and with their figures printed. */
function soakSeveral(waits: string): never {
  const mocha = createRequire(__filename).resolve('mocha/bin/mocha.js')
  const env = { ...process.env, EID_SEVERAL_WAITS: waits, EID_FIGURES: '1' }
  const { status } = spawnSync(
    process.execPath,
    [mocha, 'test/lib/store/several.test.ts', 'test/several/several.test.ts'],
    { env, stdio: 'inherit' },
  )
  process.exit(status ?? 1)
}

main().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
