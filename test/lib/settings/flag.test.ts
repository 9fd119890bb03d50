/** What a tick means: the same for every node, and for every way in which its value can come. */
import should from 'should'
import { flagOf } from '../../../lib/settings/flag'
import { isRelevant, literalValue, validateValue } from '../../../lib/settings/validation'
import type { Field } from '../../../lib/settings/fields'

const on = [true, 1, 'true', 'TRUE', '1', 'yes', 'Yes', ' on ']
const off = [false, 0, 'false', 'FALSE', '0', 'no', 'NO', ' off ']
const nothing = [undefined, null, '', '  ']
const neither = ['maybe', 'ja', 2, NaN, {}, [], [true], 'constructor', '__proto__']

describe('a tick', () => {
  const field: Field = { kind: 'boolean', initial: '', type: 'bool' }
  const valueOf = (value: unknown, one = field) => {
    const validated = validateValue(one, value, {})
    return 'key' in validated ? validated.key : validated.value
  }

  it('is on, off, or neither', () => {
    for (const one of on) should(flagOf(one)).equal(true)
    for (const one of [...off, ...nothing]) should(flagOf(one)).equal(false)
    for (const one of neither) should(flagOf(one)).equal(undefined)
  })

  it('is refused in a setting if it is neither, and not set if it is nothing', () => {
    for (const one of on) should([valueOf(one), literalValue('bool', one)]).deepEqual([true, { value: true }])
    for (const one of off) should([valueOf(one), literalValue('bool', one)]).deepEqual([false, { value: false }])
    for (const one of nothing) should(valueOf(one)).equal(undefined)
    for (const one of neither) should(valueOf(one)).equal('boolean')
  })

  it('protects unless it is clearly off', () => {
    const guard = { ...field, guard: true }
    for (const one of [...on, ...neither]) should(valueOf(one, guard)).equal(true)
    for (const one of off) should(valueOf(one, guard)).equal(false)
    for (const one of nothing) should(valueOf(one, guard)).equal(undefined)
  })

  it('decides in the same way which other settings apply', () => {
    const fields = {
      wait: { kind: 'flag', initial: false },
      most: { kind: 'count', initial: 10, when: { wait: ['true'] } },
    } as const
    for (const value of [...on, ...off])
      should(isRelevant(fields.most, fields, () => ({ value }))).equal(on.includes(value))
  })
})
