/**
 * The long forms of the tests: `npm run soak` (messages), `npm run soak -- outcomes` (histories of calls), `npm run
 * soak -- several`.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { playHistories } from '../support/histories'
import { runSoak } from './drive'
import { describe, isClean } from './table'

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const options = { seed: text, batches: text, histories: text, waits: text }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  if (positionals.includes('outcomes')) return soakOutcomes(Number(values.histories ?? 5000), seed)
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

/** The same tests as in `npm test`, with many more waits, and with their figures. */
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
