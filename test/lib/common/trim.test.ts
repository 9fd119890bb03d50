/** Removing characters from the ends of a text is not slower for a long text. */
import should from 'should'
import { trimWhile, withoutSlashes } from '../../../lib/common/trim'
import { safeName } from '../../../lib/runtime/files/safe-name'

describe('the ends of a text', () => {
  it('lose the given characters, and nothing else', () => {
    should(withoutSlashes('https://a.example//')).equal('https://a.example')
    should(withoutSlashes('///')).equal('')
    should(trimWhile(' .a. b. ', (one) => ' .'.includes(one))).equal('a. b')
  })

  it('are found in one pass', () => {
    const begin = performance.now()
    withoutSlashes(`${'/'.repeat(200_000)}x`)
    safeName(`a${' .'.repeat(200_000)}b`)
    should(performance.now() - begin).be.below(2000)
  })
})
