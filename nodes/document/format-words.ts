/** The label of a file format, as the form shows it, as a parameter of a text. */
import { fields } from './document.fields'

const known: readonly string[] = fields.fileFormat.suggestions

/** A format that the form does not offer is shown as it was given. */
export function formatParam(format: string): string {
  return known.includes(format) ? `@words.fileFormat.${format}` : format
}
