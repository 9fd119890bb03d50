/** Literal braces in Word files, and numbers, which are formatted as in every text with fields. */
import should from 'should'
import { parseTemplate } from '../../../lib/settings/template'
import { fillTemplate } from '../../../lib/runtime/values/template'
import { fillWord, textOfWord } from '../../../lib/runtime/files/word-file'
import { fieldsIn as fieldsOfWord } from '../../../lib/runtime/files/word-reading'
import { wordDocument, type Paragraph } from '../../support/files/word-document'

const values = { Name: 'Ola', Rent: 0.1 + 0.2, 'a {b}': 'x', guests: [{ Name: 'Kari {' }] }

describe('a Word file with literal braces', () => {
  const filled = async (paragraphs: readonly Paragraph[], header = '') => {
    const bytes = wordDocument(paragraphs, { header })
    const fields = await fieldsOfWord(bytes)
    if ('key' in fields) return fields
    const result = await fillWord(bytes, fields, values, new Set())
    return 'bytes' in result ? textOfWord(result.bytes) : result.problems
  }

  for (const text of [
    '{{Name}',
    '{{ {Name} }',
    '{{{Name}}',
    'if {{',
    '{{{{Name} {Rent}',
    '{Name} {{a, b} {Rent}',
    '{{}',
  ]) {
    it(`has the text that others have too: ${text}`, async () => {
      const template = parseTemplate(text)
      should(template).have.property('parts')
      const parts = 'parts' in template ? template.parts : []
      should(await filled([text])).equal(fillTemplate(parts, { _msgid: '1', payload: values }, { path: 'title' }, []))
    })
  }

  it('has them in several runs, in a repeated part and in the header', async () => {
    should(await filled([['{', '{Na', 'me} {Name', '}']])).equal('{Name} Ola')
    should(await filled(['{#guests}{{{Name}}, {/guests}'])).equal('{Kari {},')
    should(await filled(['{Name}'], '{{Unit}')).equal('{Unit}\nOla')
  })

  it('names only the fields', async () => {
    should(await fieldsOfWord(wordDocument(['{{Name} {Rent} {{x']))).deepEqual([{ name: 'Rent' }])
  })

  it('does not end them in another paragraph, and reports a mistake as it is written', async () => {
    should(await filled(['{{a', 'b}'])).deepEqual({ key: 'wordUnopened', params: { text: 'b}' } })
    should(await filled(['{{a} b}'])).deepEqual({ key: 'wordUnopened', params: { text: '{{a} b}' } })
    should(await filled(['{Rent {{a}'])).deepEqual({ key: 'wordUnclosed', params: { text: '{Rent {{a}' } })
  })

  for (const [text, found] of [
    ['{{Rent}}', '{{Rent}}'],
    ['{{a} and {{{ Rent }}}', '{{{ Rent }}}'],
  ] as const) {
    it(`asks for one brace where other programs have several: ${text}`, async () => {
      should(await filled([text])).deepEqual({ key: 'wordDoubled', params: { text: found, field: '{Rent}' } })
    })
  }

  it('has calculated numbers as a spreadsheet shows them', async () => {
    should(await filled(['{Rent} kr'])).equal('0.3 kr')
  })
})
