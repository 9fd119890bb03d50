/** Fields in places of a Word file where nothing is filled in: the file is refused, because they would be sent. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import should from 'should'
import { fieldsIn } from '../../../lib/runtime/files/word-reading'
import { wordDocument } from '../../support/files/word-document'

const main = 'word/document.xml'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The contract with further parts, and with markup and relations at the end of its body. */
function contract({
  body = '',
  relations = '',
  more = {},
}: {
  body?: string
  relations?: string
  more?: Record<string, string | Uint8Array>
}) {
  const parts = unzipSync(wordDocument(['Tenant: {Name}']))
  const changed = (part: string, end: string, added: string) =>
    strToU8(strFromU8(parts[part] ?? strToU8('')).replace(end, () => `${added}${end}`))
  const added = Object.entries(more).map(([name, part]): [string, Uint8Array] => [
    name,
    typeof part === 'string' ? strToU8(part) : part,
  ])
  return Buffer.from(
    zipSync({
      ...parts,
      [main]: changed(main, '</w:body>', body),
      'word/_rels/document.xml.rels': changed('word/_rels/document.xml.rels', '</Relationships>', relations),
      ...Object.fromEntries(added),
    }),
  )
}
const relation = (type: string, target: string) =>
  `<Relationship Id="r9" Type="${office}/${type}" Target="${target}" TargetMode="External"/>`
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
const own = (...pieces: string[]) =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${pieces.map((one) => `<w:r><w:instrText xml:space="preserve">${one}</w:instrText></w:r>`).join('')}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('1')}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
const picture = (text: string) =>
  `<w:p><w:r><w:drawing><wp:inline xmlns:wp="urn:wp"><wp:docPr id="1" name="{x}" descr="${text}"/></wp:inline></w:drawing></w:r></w:p>`
const inserted = (name: string, part: string | Uint8Array) =>
  contract({ body: '<w:altChunk r:id="r9"/>', relations: relation('aFChunk', name), more: { [`word/${name}`]: part } })
const properties = (title: string) => ({
  'docProps/core.xml': `<x xmlns:dc="urn:dc"><dc:title>${title}</dc:title></x>`,
})

describe('a field in braces that would stay in a Word file', () => {
  const elsewhere = (text: string) => ({ key: 'wordElsewhere', params: { text } })
  const chunk = (text: string) => ({ key: 'wordInserted', params: { text } })
  const ofWord = (name: string) => ({ key: 'wordOwnField', params: { name, field: `{${name}}` } })
  const merge = (name: string) => ({ key: 'wordMergeField', params: { name, field: `{${name}}` } })
  const refused: readonly [string, Buffer, object][] = [
    [
      'the address of a link',
      contract({ relations: relation('hyperlink', 'https://pay.example.com/?nr={Nr}') }),
      elsewhere('{Nr}'),
    ],
    [
      'the address of a link, as Word writes it',
      contract({ relations: relation('hyperlink', 'https://pay.example.com/?nr=%7BInvoice%20no%7d') }),
      elsewhere('{Invoice no}'),
    ],
    [
      'a link that is a field of Word',
      contract({ body: own(' HYPERLINK "https://pay.example.com/?nr=', '{Nr}" ') }),
      elsewhere('{Nr}'),
    ],
    [
      'a tip of a link',
      contract({ body: `<w:p><w:hyperlink w:tooltip="Pay {Nr}">${run('here')}</w:hyperlink></w:p>` }),
      elsewhere('{Nr}'),
    ],
    [
      'a watermark',
      contract({
        body: `<w:p><w:r><w:pict><v:shape xmlns:v="urn:v"><v:textpath string='DRAFT {Nr}'/></v:shape></w:pict></w:r></w:p>`,
      }),
      elsewhere('{Nr}'),
    ],
    ['the description of a picture', contract({ body: picture('Logo of {Company}') }), elsewhere('{Company}')],
    [
      'the values of a chart',
      contract({ more: { 'word/charts/chart1.xml': '<c:v xmlns:c="urn:c">{Rent}</c:v>' } }),
      elsewhere('{Rent}'),
    ],
    ['a formula of Word', contract({ body: own(' = {Rent} * 12 ') }), elsewhere('{Rent}')],
    [
      'the title of the file, which Word shows',
      contract({ body: own(' TITLE '), more: properties('Lease {Nr}') }),
      elsewhere('{Nr}'),
    ],
    [
      'an inserted page',
      inserted('afchunk.htm', '<style>p {color: red}</style><p>Start: {Sta<b>rt}</b></p>'),
      chunk('{Start}'),
    ],
    [
      'an inserted page that is saved as an e-mail',
      inserted('a.mht', 'Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>Start: {Sta=\r\nrt=7D</p>'),
      chunk('{Start}'),
    ],
    ['an inserted text', inserted('a.txt', 'Start: {Start}'), chunk('{Start}')],
    ['an inserted Word file', inserted('a.docx', wordDocument(['{Start}'])), chunk('{Start}')],
    ['braces of Word', contract({ body: own(' Na', 'vn ') }), ofWord('Navn')],
    [
      'braces of Word with a name of two words',
      contract({ body: own(' Last name \\* MERGEFORMAT ') }),
      ofWord('Last name'),
    ],
    [
      'braces of Word in one element',
      contract({ body: `<w:p><w:fldSimple w:instr=" Navn ">${run('')}</w:fldSimple></w:p>` }),
      ofWord('Navn'),
    ],
    [
      'a mail merge field in several pieces',
      contract({ body: own(' MERGE', 'FIELD "Last ', 'name" ') }),
      merge('Last name'),
    ],
    ['an address of a mail merge', contract({ body: own(' ADDRESSBLOCK \\f "x" ') }), merge('ADDRESSBLOCK')],
  ]
  for (const [where, file, problem] of refused)
    it(`is named: in ${where}`, async () => should(await fieldsIn(file)).deepEqual(problem))

  const id = '{00000000-0000-4000-8000-000000000000}'
  const data = '{&quot;tool&quot;:{&quot;ids&quot;:[&quot;a&quot;]}}'
  const taken: readonly [string, Buffer][] = [
    [
      'ids',
      contract({
        body: picture(id),
        relations: relation('hyperlink', `https://example.com/?doc=${encodeURIComponent(id)}`),
      }),
    ],
    [
      'data of other programs',
      contract({
        body: `${picture(data)}${own(' ADDIN CITE {"title":"{DNA}"} ')}<w:p><w:sdt><w:sdtPr><w:tag w:val="{Tag}"/></w:sdtPr><w:sdtContent>${run('a')}</w:sdtContent></w:sdt></w:p>`,
      }),
    ],
    [
      'page numbers, and the name of a bookmark',
      contract({
        body: `${own(' PAGE ')}${own(' page \\* MERGEFORMAT ')}<w:p><w:bookmarkStart w:id="1" w:name="Flat"/>${run('4')}</w:p>${own(' Flat ')}`,
      }),
    ],
    [
      'deleted text, and comments',
      contract({
        body: '<w:p><w:del w:id="1"><w:r><w:delText>{Old}</w:delText></w:r></w:del></w:p>',
        more: { 'word/comments.xml': '<x>{Name} is the tenant</x>' },
      }),
    ],
    ['a title of the file that is not shown', contract({ more: properties('Lease {Name}') })],
    ['an inserted page without fields', inserted('a.htm', '<style>p {color: red}</style><p>Rules</p>')],
  ]
  for (const [what, file] of taken)
    it(`is not seen in ${what}`, async () => should(await fieldsIn(file)).deepEqual([{ name: 'Name' }]))

  it('is seen in a file with backslashes or other folders in the names of its parts', async () => {
    const parts = Object.entries(unzipSync(contract({ relations: relation('hyperlink', 'https://example.com/{Nr}') })))
    const renamed = (change: (text: string) => string) =>
      Buffer.from(
        zipSync(Object.fromEntries(parts.map(([name, part]) => [change(name), strToU8(change(strFromU8(part)))]))),
      )
    should(await fieldsIn(renamed((text) => text))).deepEqual(elsewhere('{Nr}'))
    should(
      await fieldsIn(
        renamed((text) =>
          text.replaceAll('word/document', 'lease/text').replace('word/_rels/document', 'lease/_rels/text'),
        ),
      ),
    ).deepEqual(elsewhere('{Nr}'))
    const backslashes = zipSync(Object.fromEntries(parts.map(([name, part]) => [name.replaceAll('/', '\\'), part])))
    should(await fieldsIn(Buffer.from(backslashes))).deepEqual(elsewhere('{Nr}'))
  })

  it('is not seen in literal braces', async () => {
    should(await fieldsIn(wordDocument(['{Name} {{A}']))).deepEqual([{ name: 'Name' }])
  })
})

describe('a letterhead', () => {
  it('may have a logo in a text box in a table, which is deeper than the library allows by itself', async () => {
    const nested = (name: string, depth: number, inner: string) =>
      `${`<${name}>`.repeat(depth)}${inner}${`</${name}>`.repeat(depth)}`
    const body = `<w:p><w:r>${nested('w:x', 80, '<w:p><w:r><w:t>{Company}</w:t></w:r></w:p>')}</w:r></w:p>`
    should(await fieldsIn(contract({ body }))).deepEqual([{ name: 'Name' }, { name: 'Company' }])
  })
})

describe('a part that is in several places', () => {
  it('needs the fields of all of them, at any depth', async () => {
    const file = wordDocument(['{#lease}{#car}{wheels}{/car}{/lease}', '{#lease}{#car}{color}{/car}{/lease}'])
    should(await fieldsIn(file)).deepEqual([
      { name: 'lease', inside: [{ name: 'car', inside: [{ name: 'wheels' }, { name: 'color' }] }] },
    ])
  })
})
