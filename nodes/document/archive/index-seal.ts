/**
 * The seal of an index: its number of lines, and the SHA-256 of the last one. Each line protects all lines before it,
 * so without a seal a changed or removed last line would go unnoticed.
 */
import { join } from 'node:path'
import { isPlainObject } from '../../../lib/common/plain-object'
import { textOfFile } from './read-file'
import { unfinishedName, writeWhole } from './write-whole'

/** A crash between line and seal leaves a seal with fewer lines than exist. */
export interface Seal {
  readonly lines: number
  /** In hex; empty without a line. */
  readonly sha256: string
}

/** Whether these lines begin with the sealed ones; `hashes` are their SHA-256 values. */
export function fits({ lines, sha256 }: Seal, hashes: readonly string[]): boolean {
  return lines === 0 || hashes[lines - 1] === sha256
}

/** The name of the seal's file, beside the index. */
export const sealName = (index: string) => `.${index.replace(/\.jsonl$/, '')}.last`
/** The index of a seal; undefined for any other file. */
export const sealedIndex = (name: string) => {
  const [, index] = /^\.(index(?:-.+)?)\.last$/.exec(name) ?? []
  return index === undefined ? undefined : `${index}.jsonl`
}

/** True for a file in which a seal is stored or being written. */
export const isSealOf = (index: string, name: string) =>
  [sealName(index), unfinishedName(sealName(index))].includes(name)

/** `missing` and `changed` describe its file. Rejects with the error of the file system otherwise. */
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

/** The complete seal is on disk when this resolves. Rejects with the error of the file system. */
export function writeSeal(folder: string, index: string, seal: Seal): Promise<void> {
  return writeWhole(join(folder, sealName(index)), textOf(seal))
}
