/** Which file an operation saves. */
import { basename } from 'node:path'
import { redact } from '../../lib/api/errors/mask'
import type { DocumentCall } from './document-call'
import { fields } from './document.fields'

/** True if the operation saves a file; without "Save as", a download leaves the file in the message. */
export function savesFile({ values: { operation }, origin }: DocumentCall): boolean {
  return operation === 'download' && Boolean(origin('saveTo').typed)
}

/**
 * Returns the name of the file to save if this name decides the format: a name that ends in .pdf requests the signed
 * PDF, unless another format was chosen.
 */
export function nameForPdf(call: DocumentCall): string | undefined {
  const { saveTo = '', ofSigner } = call.values
  const isPdf = /\.pdf$/i.test(saveTo) && ofSigner === undefined
  return isPdf && !isFormatChosen(call) ? redact(basename(saveTo)) : undefined
}

function isFormatChosen({ origin }: DocumentCall): boolean {
  const { isChosen, typed } = origin('fileFormat')
  return isChosen || typed !== fields.fileFormat.initial
}
