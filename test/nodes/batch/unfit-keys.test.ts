/** Which columns of a list cannot distinguish its rows. */
import should from 'should'
import { unfitKeys } from '../../../nodes/client/unfit-keys'

describe('a column that cannot be the row key', () => {
  const rows = [
    { Number: 1, Name: 'Ola', Flat: 'A 1', 'E-mail': 'ola@example.com', Note: 'see a@b' },
    { Number: 2, Name: 'Kari', Flat: 'A 2', 'E-mail': 'kari@example.com', Note: 'x' },
    { Number: 3, Name: 'Ola ', Flat: ' ', 'E-mail': 'no address', Note: 'y' },
  ]

  it('is one with an empty cell, with a value twice, or of e-mail addresses', () => {
    should(unfitKeys(['Number', 'Name', 'Flat', 'E-mail', 'Note', 'Missing'], rows)).deepEqual({
      Name: 'repeated',
      Flat: 'empty',
      'E-mail': 'address',
      Missing: 'empty',
    })
  })

  it('is missing if two rows are the same in every column', () => {
    const twice = [...rows, { ...rows[1], Number: '2' }]
    should(unfitKeys(['Number', 'Name', 'Flat', 'E-mail', 'Note'], twice)).have.property('', 'identical')
    should(unfitKeys(['Name', 'Note'], rows)).not.have.property('')
  })

  it('does not exist in a list without rows', () => {
    should(unfitKeys(['Number'], [])).deepEqual({})
  })
})
