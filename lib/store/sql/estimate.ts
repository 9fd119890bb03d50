/**
 * Estimates how much one node stores, so that a million rows need not all be read. The estimate is made from the node's
 * first rows in the order of their names. If there are few rows, the result is exact.
 */
import type { Row } from './row-codec'

/** The estimate uses only this many digits of each name. */
const digits = 8

/**
 * Returns how many rows each counted row represents: 1 if all rows were counted. Names are spread evenly: if the
 * counted rows cover a tenth of all possible names, the counted rows are about a tenth of all rows. The estimate is
 * about 2 % off. Repeated queries of the same rows give the same estimate.
 */
function scaleOf({ size, sample, last }: Row): number {
  const found = Number(size)
  if (found < Number(sample)) return 1
  const reached = (Number.parseInt(String(last).slice(1, 1 + digits), 16) + 1) / 16 ** digits
  // The last row only marks the end of the counted range and is not inside it.
  return (found - 1) / found / reached
}

/**
 * The number of items. An estimated number is rounded to two digits, so that it is not mistaken for an exact number.
 */
export function countOf(rows: readonly Row[]): number {
  const isExact = rows.every((row) => scaleOf(row) === 1)
  const sum = sumOf(rows, 'size')
  return isExact ? sum : Number(sum.toPrecision(2))
}

export function sumOf(rows: readonly Row[], figure: string): number {
  return rows.reduce((sum, row) => sum + Number(row[figure]) * scaleOf(row), 0)
}
