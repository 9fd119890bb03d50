/** What `convertToPDF` makes of a file: a PDF of one page that says which file it stands for. */
import { objectIn, textIn, type JsonObject } from '../server/json'

/** Whether the request wants its file converted; PDFs, texts and XML stay as they are. */
export function isConverted({ dataToSign }: JsonObject): boolean {
  const { convertToPDF, fileName } = objectIn(dataToSign)
  return convertToPDF === true && /\.(docx?|rtf|odt|ott)$/i.test(textIn(fileName))
}

/** The name that the converted file has. */
export function convertedName(fileName: string): string {
  return fileName.replace(/\.\w+$/, '.pdf')
}

/** The simulation reads no Office files: its page holds the file's name alone. */
export function convertedFile(fileName: string): Buffer {
  const shown = fileName.replace(/[^\x20-\x7e]|[()\\]/g, '_')
  const text = `BT /F1 12 Tf 72 720 Td (Converted in the sandbox: ${shown}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = pdf.length
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(`${pdf}${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`, 'latin1')
}
