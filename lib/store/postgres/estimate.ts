/**
 * How much one node keeps, from the rows whose names come first: exact while there are few, and never read as a whole
 * when there are a million.
 */
import type { Row } from './row-codec'
import { sampleSize } from './statements'

/** Digits of a name that are looked at. */
const digits = 8

/**
 * How many rows one counted row represents: 1 when everything was counted. The names are spread evenly, so that the
 * part of all possible names up to the last one is the part of the rows that was counted; about 2 % off, and the same
 * way each time.
 */
function scaleOf({ size, last }: Row): number {
  const found = Number(size)
  if (found < sampleSize) return 1
  const reached = (Number.parseInt(String(last).slice(1, 1 + digits), 16) + 1) / 16 ** digits
  // The last one marks the end: it is not within it.
  return (found - 1) / found / reached
}

/** The sum of one figure; two digits of it where it is an estimate, so that it is not taken for an exact one. */
export function countOf(rows: readonly Row[]): number {
  const isExact = rows.every((row) => scaleOf(row) === 1)
  const sum = sumOf(rows, 'size')
  return isExact ? sum : Number(sum.toPrecision(2))
}

export function sumOf(rows: readonly Row[], figure: string): number {
  return rows.reduce((sum, row) => sum + Number(row[figure]) * scaleOf(row), 0)
}
