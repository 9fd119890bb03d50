/**
 * The seal of an index: how many lines it has, and the SHA-256 of the last. The line after it covers every line but the
 * last, so without a seal a changed or removed last line would go unnoticed.
 */
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { patiently } from '../../../lib/common/patiently'
import { isPlainObject } from '../../../lib/common/plain-object'

/** A crash between line and seal leaves a seal of fewer lines than there are. */
export interface Seal {
  readonly lines: number
  /** In hex; empty without a line. */
  readonly sha256: string
}

/** Whether these lines begin with those that were sealed; `hashes` are the SHA-256 of each. */
export function fits({ lines, sha256 }: Seal, hashes: readonly string[]): boolean {
  return lines === 0 || hashes[lines - 1] === sha256
}

/** The name of the seal's file, beside the index. */
export const sealName = (index: string) => `.${index.replace(/\.jsonl$/, '')}.last`
const temporaryName = (index: string) => `${sealName(index)}.unfinished`

/** True for a file in which a seal is kept or written. */
export const isSealOf = (index: string, name: string) => [sealName(index), temporaryName(index)].includes(name)

/** `missing` and `changed` say what became of its file. Rejects with what the file system says otherwise. */
export async function readSeal(folder: string, index: string): Promise<Seal | 'missing' | 'changed'> {
  try {
    const seal: unknown = JSON.parse(await readFile(join(folder, sealName(index)), 'utf8'))
    const isSeal = isPlainObject(seal) && Number.isInteger(seal.lines) && typeof seal.sha256 === 'string'
    return isSeal ? { lines: Number(seal.lines), sha256: String(seal.sha256) } : 'changed'
  } catch (error) {
    if (error instanceof SyntaxError) return 'changed'
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw error
  }
}

/** The complete seal is on disk when this resolves. Rejects with the error of the file system. */
export async function writeSeal(folder: string, index: string, { lines, sha256 }: Seal): Promise<void> {
  const temporary = join(folder, temporaryName(index))
  const handle = await open(temporary, 'w')
  try {
    await handle.writeFile(`${JSON.stringify({ lines, sha256 })}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await patiently(() => rename(temporary, join(folder, sealName(index))))
}
