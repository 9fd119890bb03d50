/**
 * Makes small Word files the way a word processor stores them: each paragraph consists of runs, also in a table or a
 * header.
 */
import { zipSync } from 'fflate'
import { escape, xml } from './xml'

const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
const types = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** The text of a paragraph, in one run or split into several runs, as a word processor splits it. */
export type Paragraph = string | readonly string[]

const paragraph = (runs: Paragraph) =>
  `<w:p>${[runs]
    .flat()
    .map((run) => `<w:r><w:t xml:space="preserve">${escape(run)}</w:t></w:r>`)
    .join('')}</w:p>`

/** A file with these paragraphs, a table with these cells, and a header. */
export function wordDocument(
  paragraphs: readonly Paragraph[],
  {
    table = [],
    header = '',
    footnote = '',
  }: { table?: readonly (readonly string[])[]; header?: string; footnote?: string } = {},
): Buffer {
  const rows = table.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`)
  const tables = rows.length > 0 ? `<w:tbl>${rows.join('')}</w:tbl>` : ''
  const section = header && '<w:sectPr><w:headerReference w:type="default" r:id="rIdHeader"/></w:sectPr>'
  const body = `${paragraphs.map(paragraph).join('')}${tables}${section}`
  const files = {
    '[Content_Types].xml': xml(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${types}.document.main+xml"/><Override PartName="/word/header1.xml" ContentType="${types}.header+xml"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships ${packages}><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/_rels/document.xml.rels': xml(
      `<Relationships ${packages}>${header && `<Relationship Id="rIdHeader" Type="${office}/header" Target="header1.xml"/>`}${footnote && `<Relationship Id="rIdNotes" Type="${office}/footnotes" Target="footnotes.xml"/>`}</Relationships>`,
    ),
    'word/document.xml': xml(`<w:document ${namespaces}><w:body>${body}</w:body></w:document>`),
    ...(footnote && {
      'word/footnotes.xml': xml(
        `<w:footnotes ${namespaces}><w:footnote>${paragraph(footnote)}</w:footnote></w:footnotes>`,
      ),
    }),
    ...(header && { 'word/header1.xml': xml(`<w:hdr ${namespaces}>${paragraph(header)}</w:hdr>`) }),
  }
  return Buffer.from(zipSync(files))
}
