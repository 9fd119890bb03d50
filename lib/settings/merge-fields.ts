/** The fields in braces that the service itself fills in when it sends a text. */
import { isTyped, type Field } from './fields'

export const mergeFields = [
  'document-title',
  'document-description',
  'signable-document-titles',
  'readonly-document-titles',
  'deadline',
  'signed-time',
  'signed-date',
  'signed-name',
  'signature-method',
  'url',
] as const

const ofService: ReadonlySet<string> = new Set(mergeFields)
const none: ReadonlySet<string> = new Set()

/** The fields in braces that are left in the text of this setting for the service. */
export function leftToService(field: Field): ReadonlySet<string> {
  return isTyped(field) && field.template === 'merge' ? ofService : none
}
