/** `npm run soak [-- --seed N --batches N]`: thousands of messages through every node, and a table of what became of them. */
// `npm run soak -- outcomes [--seed N --histories N]`: random histories of calls against a service that knows what it did.
import { parseArgs } from 'node:util'
import { playHistories } from '../misuse/histories'
import { runSoak } from './drive'
import { describe, isClean } from './table'

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const options = { seed: text, batches: text, histories: text }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  if (positionals.includes('outcomes')) return soakOutcomes(Number(values.histories ?? 5000), seed)
  const batches = Number(values.batches ?? 64)
  console.log(`Soaking with seed ${seed} …`)
  const result = await runSoak({ seed, batches, perKind: 8 }, console.log)
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

main().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
