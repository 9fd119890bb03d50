/** An archive as "document" writes it, with invented documents. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBack, type ArchiveReport } from '../../../nodes/document/archive/check-archive'
import { finishInterrupted } from '../../../nodes/document/archive/finish'
import { commit, openStaging, type Committed } from '../../../nodes/document/archive/staging'

const never = new AbortController().signal

export interface ArchiveFolder {
  /** Archives a document with one file, which contains the document's id. */
  add(documentId: string): Promise<Committed>
  /** Leaves what a crash leaves after the first file and before the line in the index. */
  begin(documentId: string): Promise<void>
  /** Does what every archiving and every check do first. */
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
      // After a kill, the folder exists and no process is filling it.
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
