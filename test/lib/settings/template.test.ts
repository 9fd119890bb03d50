/** Texts with fields in braces: how they are parsed, and when their value is known before a message arrives. */
import fc from 'fast-check'
import should from 'should'
import { literalValue } from '../../../lib/settings/validation'
import { parseTemplate, plainText } from '../../../lib/settings/template'

const partsOf = (text: string) => {
  const template = parseTemplate(text)
  return 'parts' in template ? template.parts : template
}

describe('a text with fields in braces', () => {
  const cases: readonly [string, object][] = [
    ['Lease', [{ text: 'Lease' }]],
    ['Lease for {Last name}', [{ text: 'Lease for ' }, { field: 'Last name' }]],
    ['{Leie}{Måned}', [{ field: 'Leie' }, { field: 'Måned' }]],
    ['{ Rent }', [{ field: 'Rent' }]],
    ['{{Rent}', [{ text: '{' }, { text: 'Rent}' }]],
    ['a } b', [{ text: 'a } b' }]],
    ['{} and { }', [{ text: '{} and { }' }]],
    ['${HOME} {Rent}', [{ variable: 'HOME' }, { text: ' ' }, { field: 'Rent' }]],
    ['', []],
    ['Lease {Rent', { unclosed: '{Rent' }],
    ['{Rent\n}', { unclosed: '{Rent\n}' }],
  ]
  for (const [text, expected] of cases) {
    it(`takes ${JSON.stringify(text)} apart`, () => should(partsOf(text)).deepEqual(expected))
  }

  it('stays as it is when nothing in it is a brace', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('{'))
        const template = parseTemplate(text)
        should('parts' in template && plainText(template)).equal(text)
      }),
    )
  })

  it('is known before the message when it has no field, and refused when a brace is open', () => {
    should(literalValue('tpl', 'Lease {{1}')).deepEqual({ value: 'Lease {1}' })
    should(literalValue('tpl', 'Lease {Rent}')).be.undefined()
    should(literalValue('tpl', 'Lease {Rent')).deepEqual({ key: 'fieldUnclosed' })
  })
})
