/** What a typed value says by itself, whatever country it is typed in. */
import should from 'should'
import type { TypedField } from '../../../lib/settings/fields'
import { amount } from '../../../lib/settings/rules'
import { literalValue, problemOf, validateValue } from '../../../lib/settings/validation'

describe('a typed number', () => {
  const part: TypedField = { kind: 'number', initial: '', type: 'num', rule: 'amount' }

  for (const [typed, value] of [
    ['1250.50', 1250.5],
    ['1250,50', 1250.5],
    ['0,5', 0.5],
    ['-3,25', -3.25],
    ['7', 7],
  ] as const) {
    it(`is ${value} for "${typed}"`, () => {
      should(literalValue('num', typed)).deepEqual({ value })
      should(problemOf(part, { value: typed, type: 'num' }, false, { amount })).equal(value < 0 ? 'amount' : undefined)
    })
  }

  for (const typed of ['1,250', '1,250.50', '1.250,50', '1,2,3', ',5', 'five']) {
    it(`is none for "${typed}", which people read in different ways or not at all`, () => {
      should(literalValue('num', typed)).deepEqual({ key: 'number' })
    })
  }

  // Two thousand in Norway, two in England: nobody can tell which one a text means.
  for (const typed of ['2.000', '2,000', '25.000', ' 2.000 ', ' ', '1.250,50', '1e3', 'five']) {
    it(`is no amount for "${typed}", in the form and in a message`, () => {
      should(problemOf(part, { value: typed, type: 'num' }, false, { amount })).equal('amount')
      should(validateValue(part, typed, { amount })).deepEqual({ key: 'amount' })
    })
  }

  for (const [text, value] of [
    ['2000', 2000],
    ['2000.00', 2000],
    ['2000,50', 2000.5],
  ] as const) {
    it(`is the amount ${value} for "${text}", in the form and in a message`, () => {
      should(problemOf(part, { value: text, type: 'num' }, false, { amount })).be.undefined()
      should(validateValue(part, text, { amount })).deepEqual({ value })
    })
  }
})
