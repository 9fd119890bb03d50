/** Writes text in the encoding of the file that it belongs to. */
import type { Encoding } from './row-list'

/**
 * Encodes a text. Returns a string for UTF-8, with or without the byte-order mark, and bytes for any other encoding. A
 * character that Windows-1252 lacks becomes a question mark.
 */
export function encodeText(text: string, encoding: Encoding): string | Buffer {
  if (encoding === 'utf-8') return text
  if (encoding === 'utf-8-bom') return `\uFEFF${text}`
  if (encoding === 'utf-16le') return Buffer.from(`\uFEFF${text}`, 'utf16le')
  windows ??= windowsBytes()
  return Buffer.from(Array.from(text, (letter) => windows?.get(letter) ?? 0x3f))
}

let windows: ReadonlyMap<string, number> | undefined

function windowsBytes(): ReadonlyMap<string, number> {
  const all = Buffer.from(Array.from({ length: 256 }, (_none, byte) => byte))
  // The bytes are decoded as a stream, because some versions of Node.js 20 to 22 decode Windows-1252 as ISO 8859-1
  // unless they decode it as a stream.
  const letters = new TextDecoder('windows-1252').decode(all, { stream: true })
  return new Map(Array.from(letters, (letter, byte) => [letter, byte]))
}
