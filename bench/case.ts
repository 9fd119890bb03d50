/** Runs one case in this process: `case.ts subject name input`. Prints the figures of the case as the last line. */
import { join } from 'node:path'
import type { Case } from './child'

async function main([subject = '', name = '', input = '{}']: string[]): Promise<void> {
  const { cases } = (await import(join(__dirname, `${subject}.ts`))) as { cases: Record<string, Case> }
  const run = cases[name]
  if (!run) throw new Error(`${subject} has no case ${name}`)
  console.log(JSON.stringify(await run(JSON.parse(input) as Record<string, string>)))
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
