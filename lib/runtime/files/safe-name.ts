/** Turns names given by people and programs into file names that work on every system. */

import { trimWhile } from '../../common/trim'

/** A length in bytes that every common file system accepts even if a number is added to the name. */
const maxBytes = 200
/** Names that Windows treats as devices, whatever follows their first dot. */
const devices = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i

/**
 * The last part of `name` as a file name that works everywhere: it has no folders, no control or reserved characters,
 * is no device name and not hidden, and has at most 200 bytes including the extension. The result is `file` if nothing
 * is left.
 */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    // Half of a surrogate pair can't be encoded, so it is replaced too.
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}<>:"|?*]/gu, '_')
  const bare = trimWhile(plain, (one) => /[\s.]/.test(one))
  const short = shorten(bare)
  if (short === '') return 'file'
  return devices.test(short) ? `_${short}` : short
}

/** True for a name that Windows reserves for a device: what is written to such a file is lost. */
export function isReservedName(name: string, platform: string = process.platform): boolean {
  return platform === 'win32' && devices.test(name)
}

/** The name with a number before its ending: `contract (2).pdf`. */
export function numberedName(name: string, number: number): string {
  const [stem, ending] = apart(name)
  return number < 2 ? name : `${stem} (${number})${ending}`
}

function apart(name: string): [string, string] {
  const dot = name.lastIndexOf('.')
  // A longer ending is not an extension, but part of a name that contains a dot.
  return dot > 0 && name.length - dot <= 12 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

function shorten(name: string): string {
  const [stem, ending] = apart(name)
  const letters = Array.from(stem)
  let size = Buffer.byteLength(name)
  while (size > maxBytes && letters.length > 0) size -= Buffer.byteLength(letters.pop() ?? '')
  return size < Buffer.byteLength(name) ? `${letters.join('').trimEnd()}${ending}` : name
}
