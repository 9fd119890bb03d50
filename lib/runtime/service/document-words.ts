/** The names of a document's status and of file formats, as parameters of a text. */
import { fileFormats } from '../../settings/file-formats'

const states: readonly string[] = [
  'unsigned',
  'waiting_for_attachments',
  'partialsigned',
  'signed',
  'canceled',
  'expired',
]
const formats: readonly string[] = fileFormats

/** The key of the status's name, or the status itself if it is unknown. */
export const stateParam = (state: string): string => (states.includes(state) ? `@words.documentStatus.${state}` : state)

/** The key of the format's label; a format that the form does not offer is shown as it was given. */
export const formatParam = (format: string): string =>
  formats.includes(format) ? `@words.fileFormat.${format}` : format
