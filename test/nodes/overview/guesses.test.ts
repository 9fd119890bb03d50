/** The limits on guessing passwords of "overview" hold, however many names and networks there are. */
import should from 'should'
import { createGuesses } from '../../../nodes/overview/guesses'

describe('guesses of passwords', () => {
  it('of one name are counted from all networks, also after a flood of other names from one address', () => {
    const guesses = createGuesses()
    for (let number = 0; number < 30; number++) should(guesses.count(`10.0.0.${number}`, 'ola')).equal(0)
    should(guesses.count('10.0.1.1', 'ola')).be.above(0)
    for (let number = 0; number < 10_050; number++) guesses.count('10.0.2.1', `name ${number}`)
    should(guesses.count('10.0.1.2', 'ola')).be.above(0)
  })

  it('from one network are counted, also after a flood from other networks', () => {
    const guesses = createGuesses()
    for (let number = 0; number < 10; number++) should(guesses.count('2001:db8:1:2', `name ${number}`)).equal(0)
    for (let number = 0; number < 10_050; number++) guesses.count(`2001:db8:2:${number.toString(16)}`, 'ola')
    should(guesses.count('2001:db8:1:2', 'kari')).be.above(0)
  })
})
