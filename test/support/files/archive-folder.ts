/** An archive as "document" writes it, with invented documents. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBack, type ArchiveReport } from '../../../nodes/archive/check-archive'
import { finishInterrupted } from '../../../nodes/archive/finish'
import { commit, openStaging, type Committed } from '../../../nodes/archive/staging'

const never = new AbortController().signal

export interface ArchiveFolder {
  /** Archives a document with one file, which contains the document's id. */
  add(documentId: string): Promise<Committed>
  /** Leaves the folder in the state after a crash: the first file has been written, the line in the index has not. */
  begin(documentId: string): Promise<void>
  /** Finishes what an interrupted archiving has left. This happens first in every archiving and in every check. */
  finish(): Promise<void>
  check(): Promise<ArchiveReport>
  lines(): string[]
  write(index: string | Buffer): void
}

export function archiveFolder(folder: string, index = 'index.jsonl'): ArchiveFolder {
  const place = { folder, real: folder, index }
  const fill = async (documentId: string) => {
    const staging = await openStaging(place, documentId)
    writeFileSync(join(staging.path, 'signed.pdf'), documentId)
    return staging
  }
  return {
    async add(documentId) {
      const staging = await fill(documentId)
      const sha256 = createHash('sha256').update(documentId).digest('hex')
      const files = [{ name: 'signed.pdf', size: documentId.length, sha256 }]
      const entry = {
        time: new Date().toISOString(),
        documentId,
        title: `Leie \uFFFD ${documentId}`,
        signers: [],
        files,
      }
      const committed = await commit(place, staging.path, `Lease ${documentId}`, entry)
      await staging.end()
      return committed
    },
    async begin(documentId) {
      const { path, end } = await fill(documentId)
      await end()
      // After a crash, the folder of the document exists, and no process is filling it.
      mkdirSync(path)
      writeFileSync(join(path, 'signed.pdf'), documentId)
    },
    finish: () => finishInterrupted(place, never),
    async check() {
      const report = await readBack(folder, never)
      if (!report) throw new Error('There is no archive.')
      return report
    },
    lines: () => readFileSync(join(folder, index), 'utf8').split('\n').slice(0, -1),
    write: (text) => writeFileSync(join(folder, index), text),
  }
}
