/** The numbers that a spreadsheet shows beside the rows of a list. */
import should from 'should'
import { fileRowAt, fileRowsOf } from '../../../lib/runtime/files/file-rows'

describe('the rows of a file', () => {
  it('have the numbers that the spreadsheet shows, also after empty rows, and no number after the end', () => {
    for (const numbers of [[2], [2, 3, 4], [3, 4, 9, 10, 12], [5, 7, 9, 11], []]) {
      const fileRows = fileRowsOf(numbers)
      should(numbers.map((_number, index) => fileRowAt(fileRows, index))).deepEqual(numbers)
      should(fileRowAt(fileRows, numbers.length)).be.undefined()
      should(fileRowAt(fileRows, -1)).be.undefined()
    }
    should(fileRowAt(undefined, 0)).be.undefined()
  })

  it('are kept as one pair and the end if there are no gaps', () => {
    const numbers = Array.from({ length: 100_000 }, (_none, at) => at + 2)
    should(fileRowsOf(numbers)).deepEqual([
      [0, 2],
      [100_000, 0],
    ])
  })
})
