/** Files that are not filled in: with a field in braces or a password they are refused, otherwise they are left alone. */
import { strToU8, zipSync } from 'fflate'
import should from 'should'
import { fieldsOfFile } from '../../../lib/runtime/files/word-file'
import { compoundFile, lockedOffice, oldWord } from '../../support/files/compound-file'

const zip = (parts: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, strToU8(part)]))))
const odt = (content: string, styles = '<x/>', manifest = '<x/>') =>
  zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': content,
    'styles.xml': styles,
    'META-INF/manifest.xml': manifest,
  })
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const pdf = (trailer: string) =>
  Buffer.from(`%PDF-1.7\n1 0 obj\n<</Type /Catalog>>\nendobj\ntrailer\n<</Root 1 0 R ${trailer}>>\nstartxref\n9\n%%EOF`)

describe('a file that is not filled in', () => {
  const withField: readonly [string, Buffer, string][] = [
    ['.rtf', Buffer.from('{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0 Tenant: \\{Navn\\}\\par}'), '{Navn}'],
    [
      '.rtf, in several runs',
      Buffer.from("{\\rtf1 Tenant: {\\b \\'7bLei}{\\i etaker \\u248?l\\uc0\\u229 n\\~a\\}}}"),
      '{Leietaker ølån a}',
    ],
    ['.odt', odt('<text:p>Tenant: {<text:span>Navn</text:span>}</text:p>'), '{Navn}'],
    [
      '.odt, in the footer',
      odt('<text:p>Tenant</text:p>', '<style:footer><text:p>{Nr}</text:p></style:footer>'),
      '{Nr}',
    ],
    ['.txt', Buffer.from('Tenant: {Navn}'), '{Navn}'],
    ['.txt, in the letters of Windows', Buffer.from('Leie: {Årsleie}', 'latin1'), '{Årsleie}'],
    ['.txt, in UTF-16', utf16('Tenant: {Årsleie}'), '{Årsleie}'],
    ['.txt, as other programs write fields', Buffer.from('Tenant: {{Name}}'), '{Name}'],
    ['.doc', oldWord('Tenant: {Na', 'vn}'), '{Navn}'],
    [
      '.xml of Word',
      Buffer.from('<?xml version="1.0"?><w:p><w:r><w:t>{Na</w:t></w:r><w:r><w:t>vn}</w:t></w:r></w:p>'),
      '{Navn}',
    ],
    [
      'a web page',
      Buffer.from('<html><style>p {color: red}</style><p>Tenant: &#123;Navn&rbrace;</p></html>'),
      '{Navn}',
    ],
  ]
  for (const [what, file, text] of withField)
    it(`is refused with a field in braces: ${what}`, async () =>
      should(await fieldsOfFile(file)).deepEqual({ key: 'wordOnly', params: { text } }))

  const locked: readonly [string, Buffer][] = [
    ['Word and Excel', lockedOffice()],
    ['.doc', oldWord('x', 'y', { password: true })],
    ['.pdf', pdf('/Encrypt 5 0 R')],
    ['.pdf, with its key beside it', pdf('/Encrypt<</Filter /Standard>>')],
    ['.odt', odt('x', 'y', '<manifest:encryption-data/>')],
    ['.odt as a whole', zip({ 'encrypted-package': 'x', 'content.xml': 'y' })],
  ]
  for (const [what, file] of locked)
    it(`is refused with a password: ${what}`, async () =>
      should(await fieldsOfFile(file)).deepEqual({ key: 'fileLocked' }))

  const plain: readonly [string, Buffer][] = [
    ['.rtf', Buffer.from('{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0 Tenant\\par}')],
    [
      '.odt, also with a deleted field',
      odt('<text:tracked-changes><text:p>{Old}</text:p></text:tracked-changes><text:p>Tenant</text:p>'),
    ],
    ['.txt with braces that hold no name', Buffer.from('Tenant {…} or { } or {')],
    ['.doc', oldWord('Tenant {', ' and more')],
    ['a compound file of another program', compoundFile({ Workbook: Buffer.from('{Navn}') })],
    ['.xml with data', Buffer.from('<a id="{x}">{00000000-0000-4000-8000-000000000000}</a>')],
    ['.pdf', pdf('/EncryptMetadata false')],
    ['.pdf, whose text is not read', Buffer.from('%PDF-1.4 {Navn}')],
    ['a picture', Buffer.from('\u0089PNG\0{Navn}', 'latin1')],
  ]
  for (const [what, file] of plain)
    it(`is left alone without either: ${what}`, async () => should(await fieldsOfFile(file)).deepEqual([]))

  it('may be damaged in any place: it is refused or read, and so is the next one', async () => {
    const whole = oldWord('{Navn}', 'x')
    for (const at of [30, 44, 48, 60, 76, 520, 1652]) {
      const file = Buffer.from(whole)
      file.writeUInt32LE(0x7fffffff, at)
      const found = await fieldsOfFile(file)
      if ('key' in found) should(['wordFile', 'wordOnly']).containEql(found.key)
      else should(found).deepEqual([])
    }
    should(await fieldsOfFile(Buffer.from('{Navn}'))).have.property('key', 'wordOnly')
  })
})
