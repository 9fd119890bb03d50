/**
 * Runs one case of a subject in a process of its own, so that no other case influences its memory and its compiled
 * code.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median, type Row } from './report'

export type Figures = Readonly<Record<string, number>>

/** Measures one way to do a task; gets the input that was given to `inChild`, and returns the figures. */
export type Case = (input: Readonly<Record<string, string>>) => Promise<Figures>

/** Runs the case `name` of bench/<subject>.ts. If the case fails, rejects with the output of its process. */
export async function inChild(
  subject: string,
  name: string,
  input: Readonly<Record<string, string>>,
): Promise<Figures> {
  const program = join(__dirname, 'case.ts')
  const args = [
    '--require',
    join(__dirname, '../scripts/sources.cjs'),
    '--expose-gc',
    program,
    subject,
    name,
    JSON.stringify(input),
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Figures
}

/** Returns a function that makes the row of the figure `key`; a figure that is missing becomes NaN. */
export const comparing =
  (ours: Figures, other: Figures) =>
  (what: string, key: string, unit: string): Row => {
    return { what, ours: ours[key] ?? NaN, other: other[key] ?? NaN, unit }
  }

/** Runs the contenders in turns, and returns the median of each figure of each contender. */
export async function takeTurns<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<Figures>>>,
): Promise<Record<Name, Figures>> {
  const names = Object.keys(contenders) as Name[]
  const all = new Map<Name, Figures[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) all.get(name)?.push(await contenders[name]())
  }
  return Object.fromEntries(names.map((name) => [name, medians(all.get(name) ?? [])])) as Record<Name, Figures>
}

function medians(rounds: readonly Figures[]): Figures {
  const keys = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(keys.map((key) => [key, median(rounds.map((figures) => figures[key] ?? NaN))]))
}
