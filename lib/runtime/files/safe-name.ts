/** Names for files that mean the same on every system, made from names that people and programs give. */

import { trimWhile } from '../../common/trim'

/** Bytes: what every common file system takes, with room for a number behind the name. */
const maxBytes = 200
/** Windows takes these for devices, whatever follows their first dot. */
const devices = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i

/**
 * The last part of `name` as a file can be called anywhere: no folders, no control or reserved characters, no name of
 * a device, nothing hidden, at most 200 bytes with its ending. `file` when nothing is left.
 */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    // A half of a character has no bytes of its own.
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}<>:"|?*]/gu, '_')
  const bare = trimWhile(plain, (one) => /[\s.]/.test(one))
  const short = shorten(bare)
  if (short === '') return 'file'
  return devices.test(short) ? `_${short}` : short
}

/** True for a name that Windows reserves for a device: a file written there is lost. */
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
  // What is longer is no ending, but a name with a dot in it.
  return dot > 0 && name.length - dot <= 12 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

function shorten(name: string): string {
  const [stem, ending] = apart(name)
  const letters = Array.from(stem)
  let size = Buffer.byteLength(name)
  while (size > maxBytes && letters.length > 0) size -= Buffer.byteLength(letters.pop() ?? '')
  return size < Buffer.byteLength(name) ? `${letters.join('').trimEnd()}${ending}` : name
}
