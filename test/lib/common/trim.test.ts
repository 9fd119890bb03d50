/** Removing characters from the ends of a text is not slower for a long text. */
import should from 'should'
import { growth } from '../../support/turns'
import { trimWhile, withoutSlashes } from '../../../lib/common/trim'
import { safeName } from '../../../lib/runtime/files/safe-name'

describe('the ends of a text', () => {
  it('lose the given characters, and nothing else', () => {
    should(withoutSlashes('https://a.example//')).equal('https://a.example')
    should(withoutSlashes('///')).equal('')
    should(trimWhile(' .a. b. ', (one) => ' .'.includes(one))).equal('a. b')
  })

  it('are found in one pass', async () => {
    should(await growth((size) => withoutSlashes(`${'/'.repeat(size)}x`), 20_000)).be.below(40)
    should(await growth((size) => safeName(`a${' .'.repeat(size)}b`), 20_000)).be.below(40)
  })
})
