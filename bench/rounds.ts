/** How often the contenders take turns: as often as a subject says, or as the command line says for all of them. */
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string' } } })

/** The subjects that were named: `npm run bench -- messages tokens --rounds 7`. */
export const wanted: readonly string[] = positionals

const asked = values.rounds === undefined ? undefined : Number(values.rounds)
if (asked !== undefined && !(Number.isInteger(asked) && asked > 0)) throw new Error('--rounds takes a number from 1')

/** A median of fewer says too little to be written down. */
export const isWorthKeeping = asked === undefined || asked >= 3

export const roundsOr = (usual: number) => asked ?? usual
