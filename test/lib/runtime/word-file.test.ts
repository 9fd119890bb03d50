/** Word files with fields in braces: fields are found anywhere and filled in unchanged, and errors name them. */
import type { XmlNode } from 'easy-template-x'
import should from 'should'
import { unzipSync, strFromU8, strToU8, zipSync } from 'fflate'
import { isWordFile } from '../../../lib/runtime/files/is-word'
import type { WordField } from '../../../lib/runtime/files/word-field'
import { fillWord } from '../../../lib/runtime/files/word-file'
import { fieldsIn as fieldsOfWord } from '../../../lib/runtime/files/word-reading'
import { dividedFieldIn } from '../../../lib/runtime/files/word-text'
import { wordDocument } from '../../support/files/word-document'
import { growth } from '../../support/turns'

const none = new Set<string>()
const textOf = (bytes: Buffer, part = 'word/document.xml') =>
  strFromU8(unzipSync(bytes)[part] ?? new Uint8Array())
    .replace(/<w:br\/>/g, '\n')
    .replace(/<[^>]+>/g, '')

async function fill(file: Buffer, values: Record<string, unknown>, mayBeEmpty = none) {
  const fields = await fieldsOfWord(file)
  const filled = await fillWord(file, fields as readonly WordField[], values, mayBeEmpty)
  return 'bytes' in filled ? filled.bytes : filled.problems
}

describe('a mail merge field of Word', () => {
  const withInstruction = (instruction: string) => {
    const parts = unzipSync(wordDocument(['Dear {Name}']))
    const part = strFromU8(parts['word/document.xml'] ?? strToU8(''))
    return Buffer.from(
      zipSync({ ...parts, 'word/document.xml': strToU8(part.replace('<w:p>', `<w:p>${instruction}`)) }),
    )
  }
  for (const [what, instruction] of [
    [
      'in an element',
      '<w:fldSimple w:instr=" MERGEFIELD &quot;Last name&quot; "><w:r><w:t>«Last»</w:t></w:r></w:fldSimple>',
    ],
    ['in a run', '<w:r><w:instrText xml:space="preserve"> MERGEFIELD "Last name" \\* MERGEFORMAT </w:instrText></w:r>'],
  ] as const)
    it(`is refused by its name, as nothing would be in its place: ${what}`, async () =>
      should(await fieldsOfWord(withInstruction(instruction))).deepEqual({
        key: 'wordMergeField',
        params: { name: 'Last name', field: '{Last name}' },
      }))
})

describe('a Word file with fields', () => {
  const lease = wordDocument(
    ['Lease for {Last name}', ['Rent: {Leie pr', '. mnd', '} kr'], '{#cohabitants}{name}, {Last name}; {/cohabitants}'],
    { table: [['Street', '{address.street}']], header: 'Unit {Unit}' },
  )
  const values = {
    'Last name': 'Nordmann & Sønn',
    'Leie pr. mnd': '12 500,00',
    cohabitants: [
      { name: 'Kari', 'Last name': 'Nordmann & Sønn' },
      { name: 'Per', 'Last name': 'Hansen' },
    ],
    address: { street: 'Storgata 1\nOslo' },
    Unit: 12,
    unused: {},
  }

  it('names them, split over runs, in tables, in loops and in the header', async () =>
    should(await fieldsOfWord(lease)).deepEqual([
      { name: 'Last name' },
      { name: 'Leie pr. mnd' },
      { name: 'cohabitants', inside: [{ name: 'name' }, { name: 'Last name' }] },
      { name: 'address.street' },
      { name: 'Unit' },
    ]))

  it('has each filled in as it is, and keeps line breaks', async () => {
    const filled = (await fill(lease, values)) as Buffer
    should(textOf(filled)).containEql('Lease for Nordmann &amp; SønnRent: 12 500,00 kr')
    should(textOf(filled)).containEql('Kari, Nordmann &amp; Sønn; Per, Hansen; ')
    should(textOf(filled)).containEql('Storgata 1\nOslo')
    should(textOf(filled, 'word/header1.xml')).containEql('Unit 12')
  })

  it('puts each line of a value where its field is, whatever follows it', async () => {
    const file = wordDocument(['Tenant: {Name}, {Address}, pays {Rent} a month.', '{Address}{Name}'])
    const filled = await fill(file, { Name: 'Ola', Address: 'Storgata 1\n\n0123 Oslo', Rent: 9000 })
    should(textOf(filled as Buffer)).containEql('Tenant: Ola, Storgata 1\n\n0123 Oslo, pays 9000 a month.')
    should(textOf(filled as Buffer)).containEql('Storgata 1\n\n0123 OsloOla')
  })

  it('takes no value that a Word file cannot hold', async () => {
    for (const name of ['a\u0001b', '\u0000', '\ud800', '\ufffe'])
      should(await fill(wordDocument(['{name}']), { name })).deepEqual([
        { key: 'wordNotText', params: { field: 'name' } },
      ])
    should(textOf((await fill(wordDocument(['{name}']), { name: 'a\u000bb\tc' })) as Buffer)).containEql('a\nb\tc')
  })

  it('has the same bytes whenever it is filled in with the same values', async () => {
    const one = (await fill(lease, values)) as Buffer
    // The date changes, because the time in a zip file has a precision of two seconds.
    const { now } = Date
    Date.now = () => now() + 86_400_000
    try {
      should(one.equals((await fill(lease, values)) as Buffer)).be.true()
      should(one.readUInt32LE(10)).equal(0x00210000)
    } finally {
      Date.now = now
    }
  })

  it('names everything that is missing, empty, or neither text nor number', async () => {
    const wrong = { ...values, 'Last name': undefined, Unit: ' ', address: { street: {} }, cohabitants: [{}] }
    should(await fill(lease, wrong)).deepEqual([
      { key: 'wordMissing', params: { field: 'Last name' } },
      { key: 'wordMissing', params: { field: 'cohabitants[0].name' } },
      { key: 'wordMissing', params: { field: 'cohabitants[0].Last name' } },
      { key: 'wordNotText', params: { field: 'address.street' } },
      { key: 'wordEmpty', params: { field: 'Unit' } },
    ])
    should(await fill(lease, { ...values, Unit: '' }, new Set(['Unit']))).be.instanceof(Buffer)
    should(await fill(lease, { ...values, cohabitants: 'Kari' })).deepEqual([
      { key: 'wordNoList', params: { field: 'cohabitants' } },
    ])
  })

  const guests = wordDocument(['{name} with {#guests}{name}, {born}; {/guests}'])
  const missing = (...fields: string[]) => fields.map((field) => ({ key: 'wordMissing', params: { field } }))
  const empty = (field: string) => ({ key: 'wordEmpty', params: { field } })
  const items: readonly [string, unknown[], object[]][] = [
    ['lacks it', [{ born: 1980 }], missing('guests[0].name')],
    ['has nothing in it', [{ name: null, born: 1980 }], [empty('guests[0].name')]],
    ['is a text', ['Kari', 'Per'], missing('guests[0].name', 'guests[0].born', 'guests[1].name', 'guests[1].born')],
    ['is a list', [[{ name: 'Kari', born: 1980 }]], missing('guests[0].name', 'guests[0].born')],
  ]
  for (const [what, list, problems] of items) {
    it(`takes no value from around a list where an item ${what}`, async () => {
      const values = { name: 'Ola', born: 1970, guests: list }
      should(await fill(guests, values)).deepEqual(problems)
    })
  }

  it('reads what is inside a list from its items only, at any depth, and a part by yes or no from where it is', async () => {
    const file = wordDocument(['{#a}{x}{#b}{x}{/b}{#c}{x}{/c};{/a}'])
    const filled = await fill(file, { x: 0, a: [{ x: 1, b: [{ x: 2 }], c: true }] })
    should(textOf(filled as Buffer)).equal('121;')
    should(await fill(file, { x: 0, a: [{ x: 1, b: [{}], c: false }] })).deepEqual(missing('a[0].b[0].x'))
  })

  it('shows a part or leaves it out by yes or no', async () => {
    const pets = wordDocument(['{#Pets}One dog, {Name}.{/Pets}End'])
    should(textOf((await fill(pets, { Pets: true, Name: 'Rex' })) as Buffer)).equal('One dog, Rex.End')
    should(textOf((await fill(pets, { Pets: false })) as Buffer)).equal('End')
    // A cell of a list from a file holds the word, or the number that Excel stores for it.
    for (const yes of ['yes', ' TRUE ', 1])
      should(textOf((await fill(pets, { Pets: yes, Name: 'Rex' })) as Buffer)).equal('One dog, Rex.End')
    for (const no of ['no', 0]) should(textOf((await fill(pets, { Pets: no })) as Buffer)).equal('End')
    for (const Pets of [undefined, null, '', 'Rex'])
      should(await fill(pets, { Pets, Name: 'Rex' })).deepEqual([{ key: 'wordNoList', params: { field: 'Pets' } }])
  })

  const wrong: readonly [string, Buffer, object][] = [
    [
      'a brace that is not closed',
      wordDocument(['Rent: {Rent kr']),
      { key: 'wordUnclosed', params: { text: '{Rent kr' } },
    ],
    ['two braces', wordDocument(['{{ a }}']), { key: 'wordDoubled', params: { text: '{{ a }}', field: '{a}' } }],
    [
      'a brace that is not opened',
      wordDocument(['{Date}', 'The tenant Name} pays']),
      { key: 'wordUnopened', params: { text: 'The tenant Name}' } },
    ],
    [
      'a brace that is not opened, after a field',
      wordDocument(['Rent: {Rent}} kr']),
      { key: 'wordUnopened', params: { text: 'Rent: {Rent}}' } },
    ],
    [
      'a brace that is not opened, in the header',
      wordDocument(['{Date}'], { header: 'Unit}' }),
      { key: 'wordUnopened', params: { text: 'Unit}' } },
    ],
    ['a part that is not closed', wordDocument(['{#a}{b}']), { key: 'wordOpen', params: { tag: '{#a}' } }],
    [
      'a part that is closed by another name',
      wordDocument(['{#a}{b}{/c}']),
      { key: 'wordCrossed', params: { tag: '{/c}', open: 'a' } },
    ],
    ['a part that was not opened', wordDocument(['{b}{/c}']), { key: 'wordClosed', params: { tag: '{/c}' } }],
    ['braces without a name', wordDocument(['{b} { }']), { key: 'wordNameless', params: { tag: '{ }' } }],
    ['a name for a text and a part', wordDocument(['{#a}{b}{/a} {a}']), { key: 'wordBoth', params: { field: 'a' } }],
    [
      'a part that begins in a paragraph and ends in a table',
      wordDocument(['{#a}'], { table: [['{/a}']] }),
      { key: 'wordApart', params: { tags: '{#a}' } },
    ],
    [
      'a field in a footnote',
      wordDocument(['{b}'], { footnote: 'See {Rent}' }),
      { key: 'wordFootnote', params: { text: '{Rent}' } },
    ],
    ['bytes that only begin like a zip', Buffer.from('PK\u0003\u0004'), { key: 'wordFile' }],
  ]
  for (const [what, file, problem] of wrong) {
    it(`says where it is written wrong: ${what}`, async () => should(await fieldsOfWord(file)).deepEqual(problem))
  }

  it('is one by what it holds, whatever it is called; by its name only when it cannot be read', () => {
    for (const name of ['Lease.DOCX', 'lease.pdf', 'lease', undefined]) should(isWordFile(lease, [name])).be.true()
    const renamed = zipSync({ 'word/document2.xml': strToU8('<x/>') })
    should(isWordFile(Buffer.from(renamed), ['lease.pdf'])).be.true()
    const others = zipSync({ 'lease.docx': [lease, { level: 0 }], 'a/word/document.xml': strToU8('<x/>') })
    should(isWordFile(Buffer.from(others), ['leases.zip'])).be.false()
    should(isWordFile(Buffer.from(others), ['leases.zip', 'lease.docx'])).be.true()
    should(isWordFile(lease.subarray(0, -40), ['lease.pdf'])).be.true()
    // If the end of the file is missing, the time of its first part must not be read as the number of parts.
    const atFullHour = Buffer.from(lease.subarray(0, -40)).fill(0, 10, 11)
    should(isWordFile(atFullHour, ['lease.pdf'])).be.true()
    should(isWordFile(Buffer.from('%PDF'), ['lease.docx'])).be.false()
  })

  /** The file with one part changed or added. */
  const changed = (file: Buffer, part: string, change: (markup: string) => string) => {
    const parts = unzipSync(file)
    return Buffer.from(zipSync({ ...parts, [part]: strToU8(change(strFromU8(parts[part] ?? new Uint8Array()))) }))
  }
  const inBody = (markup: string) =>
    changed(wordDocument(['{Name}']), 'word/document.xml', (all) => all.replace('</w:body>', `${markup}</w:body>`))
  const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'

  it('is refused when it unpacks to more than a process can bear', async () => {
    for (const file of [
      inBody('<w:p/>'.repeat(400_000)),
      inBody(`<w:p><w:r><w:t>${'a'.repeat(40_000_000)}</w:t></w:r></w:p>`),
      changed(wordDocument(['{Name}']), 'word/media/image1.bmp', () => ' '.repeat(300_000_000)),
    ]) {
      should(file.length).be.below(1_000_000)
      should(await fieldsOfWord(file)).deepEqual({ key: 'wordTooLarge' })
    }
  })

  it('of two hundred pages is taken', async () => {
    const file = inBody('<w:p><w:r><w:t>We agree.</w:t></w:r></w:p>'.repeat(8_000))
    should(await fieldsOfWord(file)).deepEqual([{ name: 'Name' }])
  })

  it('is taken at the limit, though it is larger when it is filled in', async () => {
    const fields = '<w:p><w:r><w:t>{Name}{Name}{Name}</w:t></w:r></w:p>'.repeat(4_000)
    should(await fieldsOfWord(inBody(`${'<w:p/>'.repeat(270_000)}${fields}`))).deepEqual([{ name: 'Name' }])
  })

  it('names a field in an equation, in SmartArt and in a chart, which would stay as it is', async () => {
    const drawing = (text: string) => `<x xmlns:a="urn:a"><a:p><a:r>${text}</a:r></a:p></x>`
    const named = { key: 'wordElsewhere', params: { text: '{Rent}' } }
    const runs = '<m:r><m:t>{Re</m:t></m:r><m:r><m:t xml:space="preserve">nt}</m:t></m:r>'
    should(await fieldsOfWord(inBody(`<w:p><m:oMath ${math}>${runs}</m:oMath></w:p>`))).deepEqual(named)
    for (const part of ['word/diagrams/data1.xml', 'word/charts/chart1.xml'])
      should(await fieldsOfWord(changed(wordDocument(['{Name}']), part, () => drawing('<a:t>{Rent}</a:t>')))).deepEqual(
        named,
      )
    const plain = changed(
      inBody(`<w:p><m:oMath ${math}><m:r><m:t>a+b</m:t></m:r></m:oMath></w:p>`),
      'word/charts/c.xml',
      () => drawing('<a:t>Rent {</a:t></a:r></a:p><a:p><a:r><a:t>}</a:t>'),
    )
    should(await fieldsOfWord(plain)).deepEqual([{ name: 'Name' }])
  })

  it('names a field with square brackets', async () => {
    const file = wordDocument(['{Name}', 'Rent: {Rent [NOK]}'])
    should(await fieldsOfWord(file)).deepEqual({ key: 'wordBrackets', params: { text: '{Rent [NOK]}' } })
  })

  it('names a field that is partly in a tracked change or a link, as a part of its name would stay', async () => {
    const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
    const removed = '<w:del w:id="1"><w:r><w:delText>x</w:delText></w:r></w:del>'
    for (const name of ['w:ins', 'w:hyperlink', 'w:smartTag'])
      for (const [before, within, after] of [
        ['{Last ', 'name', '}'],
        ['{Last ', 'name}', ''],
        ['{', 'Last name', '}'],
      ] as const) {
        const markup = `<w:p>${run(before)}${removed}<${name}>${run(within)}</${name}>${run(after)}</w:p>`
        should(await fieldsOfWord(inBody(markup))).deepEqual({ key: 'wordDivided', params: { text: '{Last name}' } })
      }
    const hyphen = '<w:p><w:r><w:t>{E</w:t><w:noBreakHyphen/><w:t>mail}</w:t></w:r></w:p>'
    should(await fieldsOfWord(inBody(hyphen))).deepEqual({ key: 'wordDivided', params: { text: '{E-mail}' } })
    const whole = `<w:p>${run('A ')}<w:ins w:id="2">${run('{Last')}<w:proofErr/>${run(' name}')}</w:ins></w:p>`
    should(await fieldsOfWord(inBody(whole))).deepEqual([{ name: 'Name' }, { name: 'Last name' }])
  })

  it('names the parts when one of them begins in a table and ends after it', async () => {
    const row = '<w:tr><w:tc><w:p><w:r><w:t>{#guests}{name}</w:t></w:r></w:p></w:tc></w:tr>'
    const end = '<w:p><w:r><w:t>{/guests}</w:t></w:r></w:p>'
    const file = inBody(`<w:tbl>${row}</w:tbl>${end}`)
    should(await fieldsOfWord(file)).deepEqual({ key: 'wordApart', params: { tags: '{#guests}' } })
  })

  it('is searched for such fields in a single pass, even if one paragraph holds a whole file', async () => {
    const text = (words: string) => ({ nodeName: 'w:t', childNodes: [{ nodeName: '#text', textContent: words }] })
    const search = (length: number) => {
      const runs = Array.from({ length }, () => ({ nodeName: 'w:r', childNodes: [text('{a} {b} {c}')] }))
      should(dividedFieldIn({ nodeName: 'w:p', childNodes: runs } as unknown as XmlNode)).equal(undefined)
    }
    should(await growth(search, 2_000)).be.below(40)
  })

  it('that is cut off or damaged is no Word file', async () => {
    const file = wordDocument(['{Name}'])
    for (const one of [
      file.subarray(0, 200),
      Buffer.from('PK'),
      Buffer.concat([file.subarray(0, 60), Buffer.alloc(600)]),
    ])
      should(await fieldsOfWord(one)).deepEqual({ key: 'wordFile' })
  })
})
