/**
 * The number of rounds in which the contenders take turns: each subject has a number of its own, unless the command
 * line sets one number for all subjects.
 */
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string' } } })

/** The subjects named on the command line, as in `npm run bench -- messages tokens --rounds 7`. */
export const wanted: readonly string[] = positionals

const asked = values.rounds === undefined ? undefined : Number(values.rounds)
if (asked !== undefined && !(Number.isInteger(asked) && asked > 0)) throw new Error('--rounds takes a number from 1')

/** Whether the figures are worth writing down: a median of fewer than three rounds says too little. */
export const isWorthKeeping = asked === undefined || asked >= 3

export const roundsOr = (usual: number) => asked ?? usual
