/** The meaning of a typed value by itself, whatever the country's number format. */
import should from 'should'
import { isTyped, type TypedField } from '../../../lib/settings/fields'
import { amount } from '../../../lib/settings/rules'
import { momentOf } from '../../../lib/settings/moment'
import { literalValue, problemOf, validateValue } from '../../../lib/settings/validation'
import { catalog, fieldsOf, flatten, nodeNames } from '../../support/house'

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
    it(`is not "${typed}", which people read in different ways or not at all`, () => {
      should(literalValue('num', typed)).deepEqual({ key: 'number' })
    })
  }

  // Two thousand in Norway, two in England: the text is ambiguous.
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

describe('a typed moment', () => {
  const moment = (more: Partial<TypedField> = {}): TypedField => ({
    kind: 'string',
    initial: '',
    type: 'str',
    moment: 'ends',
    ...more,
  })
  for (const text of ['31.12.2090', '2090-12-31']) {
    it(`is the end of the day for "${text}", in the form and in a message`, () => {
      should(problemOf(moment(), { value: text, type: 'str' }, false, {})).be.undefined()
      should(validateValue(moment(), text, {})).deepEqual({ value: momentOf('2090-12-31 23:59:59') })
    })
  }

  it('is the beginning of a day where something begins', () => {
    const value = momentOf('2026-12-31 00:00')
    should(validateValue(moment({ moment: 'begins' }), '31.12.2026', {})).deepEqual({ value })
  })

  for (const text of ['31.02.2027', '31.13.2026', '32.1.2027', '31.12.26', '31.12.2026 25:00', '12/31/2026']) {
    it(`is not "${text}"`, () => {
      should(validateValue(moment(), text, {})).deepEqual({ key: 'date' })
    })
  }
})

describe('a setting that is taken from the message', () => {
  const field: TypedField = { kind: 'string', initial: '', type: 'str' }
  const problem = (value: string, type = 'msg') => problemOf(field, { value, type }, false, {})

  for (const path of [
    'payload',
    'payload.name',
    'req.headers.x-id',
    'payload["First name"]',
    "payload['a b'].c[0]",
    'payload[msg.topic]',
    'payload[msg.parts[0]].x',
    'lease-2031',
    'ærlig.navn',
    '$x',
  ]) {
    it(`may be at ${path}`, () => should(problem(path)).be.undefined())
  }

  for (const words of ['Ola Nordmann', 'ola@example.com', 'Lease, Storgata 1', 'Lease.', '"lease"', 'C:\\x.pdf']) {
    it(`is not at "${words}", which is the value itself`, () => {
      should(problem(words)).equal('property')
      should(problem(words, 'str')).be.undefined()
    })
  }
})

describe('an empty setting that takes several', () => {
  // The usual sentence has a singular verb, which does not fit labels in the plural.
  it('is not said to be missing, and "at least one is needed" instead', async () => {
    const wrong: string[] = []
    let count = 0
    for (const name of nodeNames) {
      const labels = flatten(catalog('en-US', name))
      for (const [setting, field] of Object.entries(await fieldsOf(name))) {
        const isPlural = /(?<![sa])s$/.test((labels[`fields.${setting}`] ?? '').replace(/ \(.*/, ''))
        if (field.required === undefined || !isPlural) continue
        count++
        if (problemOf(field, { value: '', type: 'str', rows: [] }, true, {}) !== 'none')
          wrong.push(`${name} ${setting}`)
        if (
          isTyped(field) &&
          field.rows &&
          problemOf(field, { value: '', type: 'form', rows: [] }, true, {}) !== 'none'
        )
          wrong.push(`${name} ${setting} of the form`)
      }
    }
    should(wrong).deepEqual([])
    should(count).be.above(2)
  })
})
