/** Numbers as text for people. */
import should from 'should'
import { numberText } from '../../../lib/common/number-text'

describe('a number as text', () => {
  const numbers: readonly [number, string][] = [
    [0.1 + 0.2, '0.3'],
    [1.1 * 12_500, '13750'],
    [-(0.7 + 0.1), '-0.8'],
    [12_500.5, '12500.5'],
    [1 / 3, '0.333333333333333'],
    [0, '0'],
    [-0, '0'],
    [0.000_000_1, '0.0000001'],
    [31_129_912_345, '31129912345'],
    [9_007_199_254_740_991, '9007199254740991'],
    [1e21, '1000000000000000000000'],
  ]
  for (const [value, text] of numbers) it(`${value} is ${text}`, () => should(numberText(value)).equal(text))
})
