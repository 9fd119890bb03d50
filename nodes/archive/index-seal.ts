/**
 * The seal of an index: the number of lines, and the SHA-256 of the last line. Each line protects all lines before it,
 * so without a seal, a changed or removed last line would go unnoticed.
 */
import { join } from 'node:path'
import { isPlainObject } from '../../lib/common/plain-object'
import { textOfFile } from './read-file'
import { unfinishedName, writeWhole } from './write-whole'

/** A seal; if a crash happened between writing a line and its seal, the seal has fewer lines than the index. */
export interface Seal {
  readonly lines: number
  /** The SHA-256 of the last line, in hex; empty if there is no line. */
  readonly sha256: string
}

/** Whether these lines begin with the sealed lines; `hashes` are the SHA-256 values of the lines. */
export function fits({ lines, sha256 }: Seal, hashes: readonly string[]): boolean {
  return lines === 0 || hashes[lines - 1] === sha256
}

/** The name of the file that contains the seal, in the folder of the index. */
export const sealName = (index: string) => `.${index.replace(/\.jsonl$/, '')}.last`
/** Returns the name of the index to which a seal's file belongs; undefined for any other file. */
export const sealedIndex = (name: string) => {
  const [, index] = /^\.(index(?:-.+)?)\.last$/.exec(name) ?? []
  return index === undefined ? undefined : `${index}.jsonl`
}

/** Whether a file with this name contains the index's seal, or a seal that is being written. */
export const isSealOf = (index: string, name: string) =>
  [sealName(index), unfinishedName(sealName(index))].includes(name)

/**
 * Reads the seal; returns `missing` or `changed` if its file is missing or not as it was written. Rejects with the
 * error of the file system.
 */
export async function readSeal(folder: string, index: string): Promise<Seal | 'missing' | 'changed'> {
  try {
    const text = await textOfFile(join(folder, sealName(index)), 'changed')
    if (text === undefined) return 'missing'
    const seal: unknown = JSON.parse(text)
    if (!isPlainObject(seal)) return 'changed'
    const { lines, sha256 } = seal
    const isSeal = Number.isInteger(lines) && typeof sha256 === 'string'
    const found = { lines: Number(lines), sha256: String(sha256) }
    return isSeal && text === textOf(found) ? found : 'changed'
  } catch (error) {
    if (error instanceof SyntaxError) return 'changed'
    throw error
  }
}

const textOf = ({ lines, sha256 }: Seal) => `${JSON.stringify({ lines, sha256 })}\n`

/** Writes a seal. The seal is completely on disk when this resolves. Rejects with the error of the file system. */
export function writeSeal(folder: string, index: string, seal: Seal): Promise<void> {
  return writeWhole(join(folder, sealName(index)), textOf(seal))
}
