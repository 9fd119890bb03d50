/** Makes plain PDF files with a text. */

/** The A4 page and its text, in points. */
const page = { width: 595, height: 842, margin: 56, fontSize: 11, lineHeight: 15 }
const charactersPerLine = 88
const linesPerPage = Math.floor((page.height - 2 * page.margin) / page.lineHeight)

const version = '%PDF-1.4\n'
const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'
/** Every file that `plainPdf` makes begins like this. */
const start = `${version}1 0 obj\n${catalog}\nendobj\n`

/** A PDF file with this text, wrapped at words. Characters that its font lacks become question marks. */
export function plainPdf(text: string): Buffer {
  const lines = text.replaceAll('\t', '    ').split(/\r?\n/).flatMap(wrapped)
  const pages: string[][] = []
  for (let at = 0; at < Math.max(1, lines.length); at += linesPerPage) pages.push(lines.slice(at, at + linesPerPage))
  const pageIds = pages.map((_lines, index) => 4 + 2 * index)
  const objects = [
    catalog,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
    font,
    ...pages.flatMap((shown, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
      streamOf(shown),
    ]),
  ]
  return assembled(objects)
}

/** The font and the place of a text. */
interface Layout {
  readonly fontSize: number
  readonly lineHeight: number
  readonly top: number
}

/** Room for the notes in the bottom margin. */
const note = { fontSize: 8, lineHeight: 10, top: page.margin - 12 }
const maxNotes = 4

/**
 * Adds these lines below the text of the last page, as an update appended to the file; undefined for a file that
 * `plainPdf` did not make.
 */
export function withNotes(pdf: Buffer, lines: readonly string[]): Buffer | undefined {
  const file = pdf.toString('latin1')
  if (!file.startsWith(start) || !file.includes(font)) return undefined
  const last = [...file.matchAll(/\n(\d+) 0 obj\n(<< \/Type \/Page \/Parent .*) \/Contents (\d+ 0 R) >>/g)].at(-1)
  const [, size, before] = /\/Size (\d+) [^]*startxref\n(\d+)\n%%EOF\n$/.exec(file) ?? []
  if (!last || size === undefined) return undefined
  const [, id = '', head = '', content = ''] = last
  const updated = [
    [id, `${head} /Contents [${content} ${size} 0 R] >>`],
    [size, streamOf(lines.length > maxNotes ? [...lines.slice(0, maxNotes - 1), '...'] : lines, note)],
  ] as const
  let more = ''
  const table = updated.map(([number, object]) => {
    const offset = file.length + more.length
    more += `${number} 0 obj\n${object}\nendobj\n`
    return `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const at = file.length + more.length
  const trailer = `trailer\n<< /Size ${Number(size) + 1} /Root 1 0 R /Prev ${before} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.from(`${file}${more}xref\n${table.join('')}${trailer}`, 'latin1')
}

function wrapped(line: string): string[] {
  const parts = line.match(new RegExp(`\\S.{0,${charactersPerLine - 1}}(?=\\s|$)|\\S{1,${charactersPerLine}}`, 'gu'))
  return parts ?? ['']
}

function streamOf(
  lines: readonly string[],
  { fontSize, lineHeight, top }: Layout = { ...page, top: page.height - page.margin },
): string {
  const shown = lines.map((line) => `<${winAnsi(line).toString('hex')}> Tj T*`)
  const content = `BT /F1 ${fontSize} Tf ${lineHeight} TL ${page.margin} ${top} Td\n${shown.join('\n')}\nET`
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

/** The characters of Windows-1252 that differ from ISO 8859-1. */
const special = new Map(
  Array.from('€‚ƒ„…†‡ˆ‰Š‹Œ').map((letter, at) => [
    letter,
    [0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c][at] ?? 0x3f,
  ]),
)
for (const [at, letter] of Array.from('‘’“”•–—˜™š›œ').entries()) special.set(letter, 0x91 + at)

function winAnsi(text: string): Buffer {
  const codes = Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0x3f
    return special.get(letter) ?? (code < 0x100 ? code : 0x3f)
  })
  return Buffer.from(codes)
}

function assembled(objects: readonly string[]): Buffer {
  let file = version
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, 'latin1')
}
