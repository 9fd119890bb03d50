/** `npm run soak [-- --seed N --batches N]`: thousands of messages through every node, and a table of what became of them. */
import { parseArgs } from 'node:util'
import { runSoak } from './drive'
import { describe, isClean } from './table'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, batches: { type: 'string' } } })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const batches = Number(values.batches ?? 64)
  console.log(`Soaking with seed ${seed} …`)
  const result = await runSoak({ seed, batches, perKind: 8 }, console.log)
  console.log(describe(result))
  process.exit(isClean(result) ? 0 : 1)
}

main().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
