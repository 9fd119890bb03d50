/** The sandbox's PDF of a Word file contains the text of the file, on as many pages as needed. */
import should from 'should'
import { plainPdf, withNotes } from '../../sandbox/signature/plain-pdf'
import { wordDocument } from '../support/files/word-document'
import { person, useDocuments } from './document-calls'

/** The lines on all pages of a PDF that the sandbox made. */
const linesOf = (pdf: Buffer) =>
  [...pdf.toString('latin1').matchAll(/<([\da-f]*)> Tj/g)].map(([, hex = '']) =>
    new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'), { stream: true }),
  )

describe('sandbox: Word files', () => {
  const { caller, create } = useDocuments()
  const stored = async (dataToSign: object) => {
    const { documentId } = await create({ dataToSign, signers: [person('ola-1')] })
    const document = caller().sandbox.world.signature.documents.get(documentId)
    return { name: document?.fileName, bytes: (await document?.content?.read()) ?? Buffer.alloc(0) }
  }
  const lease = wordDocument(['Lease for Kari Ås', 'Rent: 12 500,00 € – “monthly”'], { header: 'Unit A 1' })

  it('become PDFs with their text when that is asked for', async () => {
    const file = await stored({ fileName: 'lease.docx', base64Content: lease.toString('base64'), convertToPDF: true })
    should(file.name).equal('lease.pdf')
    should(file.bytes.subarray(0, 5).toString()).equal('%PDF-')
    should(linesOf(file.bytes).filter(Boolean)).deepEqual([
      'Unit A 1',
      'Lease for Kari Ås',
      'Rent: 12 500,00 € – “monthly”',
    ])
  })

  it('stay what they are otherwise', async () => {
    const file = await stored({ fileName: 'lease.docx', base64Content: lease.toString('base64') })
    should(file.bytes.equals(lease)).be.true()
  })
})

describe('a plain PDF', () => {
  it('wraps long lines at words, and continues on further pages', () => {
    const words = Array.from({ length: 2_000 }, (_one, number) => `word${number}`)
    const pdf = plainPdf(words.join(' '))
    should(linesOf(pdf).join(' ').split(' ')).deepEqual(words)
    should(Math.max(...linesOf(pdf).map((line) => line.length))).be.belowOrEqual(88)
    should(pdf.toString('latin1')).match(/\/Count [4-9] /)
  })

  it('says on its last page who signed, and keeps the rest as it was', () => {
    const pdf = plainPdf(Array.from({ length: 60 }, (_one, line) => `line ${line}`).join('\n'))
    const noted = withNotes(pdf, ['This file is not signed.', 'Signed by Kari Ås (simulated)']) ?? Buffer.alloc(0)
    should(noted.subarray(0, pdf.length).equals(pdf)).be.true()
    const added = noted.subarray(pdf.length).toString('latin1')
    should(linesOf(Buffer.from(added, 'latin1'))).deepEqual([
      'This file is not signed.',
      'Signed by Kari Ås (simulated)',
    ])
    const offsets = [...added.matchAll(/^(\d+) 1\n(\d{10}) 00000 n $/gm)]
    const text = noted.toString('latin1')
    should(offsets.map(([, id, offset]) => text.slice(Number(offset)).startsWith(`${id} 0 obj\n`))).deepEqual([
      true,
      true,
    ])
    should(added).match(/^6 0 obj\n<< \/Type \/Page \/Parent 2 0 R .* \/Contents \[7 0 R 8 0 R\] >>/)
    should(text.slice(Number(/startxref\n(\d+)\n%%EOF\n$/.exec(added)?.[1]))).startWith('xref\n6 1\n')
    should(Number(/\/Prev (\d+)/.exec(added)?.[1])).equal(pdf.toString('latin1').indexOf('xref\n0 '))
    should(linesOf(withNotes(pdf, Array<string>(9).fill('x')) ?? pdf).slice(-4)).deepEqual(['x', 'x', 'x', '...'])
  })

  it('adds nothing to a PDF of another program', () => {
    should(withNotes(Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n'), ['x'])).be.undefined()
  })

  it('names the place of each of its parts', () => {
    const text = plainPdf('Lease').toString('latin1')
    const table = /xref\n0 (\d+)\n([\s\S]*?)trailer/.exec(text)
    const offsets = [...(table?.[2] ?? '').matchAll(/(\d{10}) 00000 n /g)].map(([, offset]) => Number(offset))
    should(offsets.map((offset, index) => text.slice(offset).startsWith(`${index + 1} 0 obj\n`))).not.containEql(false)
    should(Number(/startxref\n(\d+)/.exec(text)?.[1])).equal(text.indexOf('xref\n0 '))
  })
})
