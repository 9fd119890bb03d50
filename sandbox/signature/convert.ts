/** The effect of `convertToPDF`: a plain PDF with the text of a Word file, or with the name of any other file. */
import { textOfWord } from '../../lib/runtime/files/word-file'
import { plainPdf } from './plain-pdf'
import { objectIn, textIn, type JsonObject } from '../server/json'

/** Whether the request wants its file converted; PDFs, texts and XML stay as they are. */
export function isConverted({ dataToSign }: JsonObject): boolean {
  const { convertToPDF, fileName } = objectIn(dataToSign)
  return convertToPDF === true && /\.(docx?|rtf|odt|ott)$/i.test(textIn(fileName))
}

/** The name of the converted file. */
export function convertedName(fileName: string): string {
  return fileName.replace(/\.\w+$/, '.pdf')
}

/** The PDF of a file: the text of a .docx, and for other types a line with the file's name. */
export async function convertedFile(bytes: Buffer, fileName: string): Promise<Buffer> {
  const text = /\.docx$/i.test(fileName) ? await textOfWord(bytes).catch(() => undefined) : undefined
  return plainPdf(text ?? `Converted in the sandbox: ${fileName}`)
}
