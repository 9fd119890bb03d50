/** Recognizes files with a password, which the service could not read. */

/** The beginning of a compound file ([MS-CFB]): of an Office file with a password, and of an Office file before 2007. */
const compound = 'd0cf11e0a1b11ae1'

export const isCompound = (bytes: Buffer) => bytes.toString('hex', 0, 8) === compound

/** A PDF may have other bytes in front. */
export const isPdf = (bytes: Buffer) => bytes.subarray(0, 1024).includes('%PDF-')

/** Whether this is a PDF or a newer Office file that is encrypted. A PDF that only limits printing is encrypted, too. */
export function isLocked(bytes: Buffer): boolean {
  if (isCompound(bytes)) return bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
  return isPdf(bytes) && isEncrypted(bytes)
}

/** The trailer of an encrypted PDF names the object that says how (ISO 32000-1, 7.6.1); it is never compressed. */
function isEncrypted(pdf: Buffer): boolean {
  for (let at = pdf.indexOf('/Encrypt'); at >= 0; at = pdf.indexOf('/Encrypt', at + 1))
    if (/^\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(pdf.toString('latin1', at, at + 64))) return true
  return false
}
