/**
 * Estimates how much one node stores from its first rows by name: exact while there are few, and without reading all of
 * a million.
 */
import type { Row } from './row-codec'
import { sampleSize } from './statements'

/** Digits of a name that are used. */
const digits = 8

/**
 * How many rows each counted row represents: 1 if everything was counted. Names are spread evenly, so the share of all
 * possible names up to the last counted one is the share of rows that was counted. About 2 % off, consistently.
 */
function scaleOf({ size, last }: Row): number {
  const found = Number(size)
  if (found < sampleSize) return 1
  const reached = (Number.parseInt(String(last).slice(1, 1 + digits), 16) + 1) / 16 ** digits
  // The last row marks the end and is not inside it.
  return (found - 1) / found / reached
}

/** The sum of one figure, rounded to two digits if estimated, so that it is not mistaken for an exact one. */
export function countOf(rows: readonly Row[]): number {
  const isExact = rows.every((row) => scaleOf(row) === 1)
  const sum = sumOf(rows, 'size')
  return isExact ? sum : Number(sum.toPrecision(2))
}

export function sumOf(rows: readonly Row[], figure: string): number {
  return rows.reduce((sum, row) => sum + Number(row[figure]) * scaleOf(row), 0)
}
