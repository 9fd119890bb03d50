/** What `convertToPDF` makes of a file: a plain PDF that holds the text of a Word file, or names any other file. */
import { plainPdf, textOfWord } from './plain-pdf'
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

/** The PDF of a file: the text of a .docx, and for other kinds a line that names the file. */
export async function convertedFile(bytes: Buffer, fileName: string): Promise<Buffer> {
  return plainPdf((await textOfWord(bytes, fileName)) ?? `Converted in the sandbox: ${fileName}`)
}
