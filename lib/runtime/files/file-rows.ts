/**
 * The numbers that a spreadsheet shows beside the rows of a list. They count the column names and empty rows too, and are
 * what a person looks for.
 */

/**
 * The first row, by its index in the list, of each run of rows without a gap, with its number in the file; last the end
 * of the list, with 0. Few pairs, because most lists have no gaps.
 */
export type FileRows = readonly (readonly [index: number, number: number])[]

/** `numbers` are those of all rows, in order. */
export function fileRowsOf(numbers: readonly number[]): FileRows {
  const starts = numbers.flatMap((number, index) =>
    index > 0 && numbers[index - 1] === number - 1 ? [] : [[index, number] as const],
  )
  return [...starts, [numbers.length, 0]]
}

/** The number in the file of the row at this index; undefined if it is not from a file. */
export function fileRowAt(fileRows: FileRows | undefined, index: number): number | undefined {
  let [low, high] = [0, fileRows?.length ?? 0]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((fileRows?.[middle]?.[0] ?? 0) > index) high = middle
    else low = middle + 1
  }
  const run = fileRows?.[low - 1]
  return run && run[1] > 0 ? run[1] + index - run[0] : undefined
}
