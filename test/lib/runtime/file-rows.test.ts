/** The numbers that a spreadsheet shows beside the rows of a list. */
import should from 'should'
import { fileRowAt, fileRowsOf } from '../../../lib/runtime/files/file-rows'

describe('the rows of a file', () => {
  it('are those that the spreadsheet shows, past every empty row, and none after the end', () => {
    for (const numbers of [[2], [2, 3, 4], [3, 4, 9, 10, 12], [5, 7, 9, 11], []]) {
      const fileRows = fileRowsOf(numbers)
      should(numbers.map((_number, index) => fileRowAt(fileRows, index))).deepEqual(numbers)
      should(fileRowAt(fileRows, numbers.length)).be.undefined()
      should(fileRowAt(fileRows, -1)).be.undefined()
    }
    should(fileRowAt(undefined, 0)).be.undefined()
  })

  it('take little room without gaps', () => {
    const numbers = Array.from({ length: 100_000 }, (_none, at) => at + 2)
    should(fileRowsOf(numbers)).deepEqual([
      [0, 2],
      [100_000, 0],
    ])
  })
})
