/** The formats in which a signed file is available. */
import { objectIn, textsIn } from '../server/json'
import type { Content, FileFormat, SignatureDocument } from './state'

/**
 * The formats of a signed file: `unsigned`, `native` and `standard_packaging` always; `pades` and `xades` as requested
 * and as the file type allows.
 */
export function packagesOf(document: SignatureDocument, content: Content | undefined): FileFormat[] {
  return ['unsigned', 'native', 'standard_packaging', ...wantedFormats(document, content)]
}

function wantedFormats(document: SignatureDocument, content: Content | undefined): FileFormat[] {
  const packaging = objectIn(objectIn(document.requested.dataToSign).packaging)
  const asked = textsIn(packaging.signaturePackageFormats).map((format) => format.toLowerCase())
  const isPdf = content?.isPdf ?? false
  const pades = isPdf && (asked.length === 0 || asked.some((format) => format.includes('pades')))
  return [...(pades ? (['pades'] as const) : []), ...(asked.includes('xades') ? (['xades'] as const) : [])]
}
