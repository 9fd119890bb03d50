/** The limits of redaction: the length of a token and of a text, and names that begin in the same way. */
import should from 'should'
import { redact } from '../../../lib/api/errors/mask'

describe('what is redacted', () => {
  it('is replaced by a sign, so that one sees that something was there', () => {
    should(redact('Mail ola@example.com now.')).equal('Mail … now.')
    should(redact(`Token ${'a'.repeat(10)}.${'b'.repeat(10)}.ccccc is over.`)).equal('Token … is over.')
  })

  it('is a token in three parts, the first two of ten letters and the last of five', () => {
    const parts = (...lengths: number[]) => lengths.map((length) => 'abcdefghijkl'.slice(0, length)).join('.')
    for (const lengths of [
      [10, 10, 5],
      [12, 12, 12],
      [3, 10, 10, 5],
    ]) {
      should(redact(parts(...lengths))).equal('…')
    }
    for (const lengths of [
      [9, 10, 5],
      [10, 9, 5],
      [10, 10, 4],
      [10, 10],
      [5, 10, 10],
    ]) {
      should(redact(parts(...lengths))).equal(parts(...lengths))
    }
  })

  it('is the longer of two names that begin alike', () => {
    should(redact('Ola Nordmann is not known.', ['Ola', 'Ola Nordmann'])).equal('… is not known.')
    should(redact('Ola is not known.', ['Ola', 'Ola Nordmann'])).equal('… is not known.')
    should(redact('Olav is not known.', ['Ola'])).equal('Olav is not known.')
  })

  it('is a name in the genitive too', () => {
    for (const title of ['Kari Nordmanns lease', 'Kari Nordmann’s lease', "Kari Nordmann's lease"])
      should(redact(title, ['Kari', 'Nordmann'])).equal('… … lease')
  })

  it('includes the word in which a long text was cut, which can no longer be recognized', () => {
    // Each address becomes a single character, so the end of the cut text is within the part that is shown.
    const start = 'ola@example.com '.repeat(124)
    should(start.length).equal(1984)
    should(redact(`${start}kari.nordmann@example.com and more`)).equal('… '.repeat(124))
    should(redact(`${start}lease 2031 kari.nordmann@example.com`)).equal(`${'… '.repeat(124)}lease 2031 `)
    should(redact('a'.repeat(3000))).equal('')
  })

  it('is not the last word of a text that just fits', () => {
    const start = 'ola@example.com '.repeat(124)
    should(redact(`${start}lease number two`)).equal(`${'… '.repeat(124)}lease number two`)
  })
})
