/**
 * The numbers that a spreadsheet program shows beside the rows of a list, so that people can find a row. The row with
 * the column names and empty rows are counted too.
 */

/**
 * One pair for each run of rows without a gap: the index of the run's first row in the list, and the number of that row
 * in the file. The last pair marks the end of the list and has the number 0. Most lists have no gaps, so there are few
 * pairs.
 */
export type FileRows = readonly (readonly [index: number, number: number])[]

/** Builds the pairs from `numbers`, which contains the number of every row in the file, in order. */
export function fileRowsOf(numbers: readonly number[]): FileRows {
  const starts = numbers.flatMap((number, index) =>
    index > 0 && numbers[index - 1] === number - 1 ? [] : [[index, number] as const],
  )
  return [...starts, [numbers.length, 0]]
}

/** The number that the row at this index has in the file; undefined if the list is not from a file. */
export function fileRowAt(fileRows: FileRows | undefined, index: number): number | undefined {
  let low = 0
  let high = fileRows?.length ?? 0
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((fileRows?.[middle]?.[0] ?? 0) > index) high = middle
    else low = middle + 1
  }
  const run = fileRows?.[low - 1]
  return run && run[1] > 0 ? run[1] + index - run[0] : undefined
}
