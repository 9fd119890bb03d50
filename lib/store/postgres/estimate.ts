/**
 * Estimates how much one node stores, from the node's first rows in the order of their names. The result is exact if
 * there are few rows, and a million rows need not all be read.
 */
import type { Row } from './row-codec'
import { sampleSize } from './statements'

/** The number of digits of a name that are used. */
const digits = 8

/**
 * How many rows each counted row represents: 1 if all rows were counted. Names are spread evenly, so the share of all
 * possible names up to the last counted name equals the share of rows that was counted. The estimate is about 2 % off;
 * repeated queries of the same rows give the same estimate.
 */
function scaleOf({ size, last }: Row): number {
  const found = Number(size)
  if (found < sampleSize) return 1
  const reached = (Number.parseInt(String(last).slice(1, 1 + digits), 16) + 1) / 16 ** digits
  // The last row only marks the end of the counted range and is not inside it.
  return (found - 1) / found / reached
}

/** The sum of one figure. An estimated sum is rounded to two digits, so that it is not mistaken for an exact number. */
export function countOf(rows: readonly Row[]): number {
  const isExact = rows.every((row) => scaleOf(row) === 1)
  const sum = sumOf(rows, 'size')
  return isExact ? sum : Number(sum.toPrecision(2))
}

export function sumOf(rows: readonly Row[], figure: string): number {
  return rows.reduce((sum, row) => sum + Number(row[figure]) * scaleOf(row), 0)
}
