/** An archive as "archive" writes it, with invented documents. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../lib/store/open'
import { removeLeftovers, finishLines } from '../../../nodes/archive/finish'
import type { NewEntry } from '../../../nodes/archive/index-lines'
import { findKept, finishCrashed, keepFiles, type KeptDocument } from '../../../nodes/archive/keep'
import { createMemory, type Memory } from '../../../nodes/archive/memory'
import { createParts, type Archive } from '../../../nodes/archive/place'
import { readBack, type ArchiveReport } from '../../../nodes/archive/read-back'
import { stagingName } from '../../../nodes/archive/staging'

const never = new AbortController().signal

/** The memory of an invented installation; without a user folder, it lasts as long as the process. */
export function memoryIn(userDir?: string, nodeId: string = randomUUID()): Memory {
  const host = { nodeId, userDir }
  return createMemory((kind) => openStore(host, { kind, onStoreEvent: () => undefined }))
}

/** The archive of an invented installation `id` in this folder. */
export function placeIn(folder: string, id = 'a', memory = memoryIn()): Archive {
  return { folder, real: folder, index: `index-${id}.jsonl`, memory, parts: createParts() }
}

/** Reads an archive as an installation that does not write there and has not read it before. */
export async function reportOf(folder: string, place = placeIn(folder, 'reader')): Promise<ArchiveReport | undefined> {
  return (await readBack(place, never, 0))?.report
}

/** The line about an invented document with one file, which contains `text`. */
export function entryOf(documentId: string, text = documentId, below = ''): NewEntry {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const files = [{ name: `${below}signed.pdf`, size: text.length, sha256 }]
  return { time: new Date().toISOString(), documentId, title: `Leie \uFFFD ${documentId}`, signers: [], files }
}

export interface ArchiveFolder {
  readonly place: Archive
  /** Archives a document with one file, which contains the document's id, in the same way as "archive". */
  add(documentId: string): Promise<KeptDocument>
  /** Leaves the folder in the state after a crash: the first file has been written, the line in the index has not. */
  begin(documentId: string): void
  /** Finishes what an interrupted archiving has left. This happens first in every archiving. */
  finish(): Promise<void>
  check(): Promise<ArchiveReport>
  /** Checks in the same way as "check" of the node, which remembers the ends of the indexes. */
  checkAndRemember(): Promise<ArchiveReport>
  lines(): string[]
  write(text: string | Buffer): void
}

export function archiveFolder(folder: string, place = placeIn(folder)): ArchiveFolder {
  const index = join(folder, place.index)
  const read = async () => {
    const found = await readBack(place, never, 0)
    if (!found) throw new Error('There is no archive.')
    return found
  }
  return {
    place,
    async add(documentId) {
      await finishCrashed(place, never)
      const collect = (path: string) => {
        writeFileSync(join(path, 'signed.pdf'), documentId)
        return Promise.resolve({ wanted: `Lease ${documentId}`, entry: entryOf(documentId) })
      }
      return (await findKept(place, documentId, never)) ?? keepFiles(place, documentId, collect, never)
    },
    begin(documentId) {
      const path = join(folder, stagingName(place, documentId))
      mkdirSync(path)
      writeFileSync(join(path, 'signed.pdf'), documentId)
    },
    async finish() {
      await finishLines(place, never)
      await removeLeftovers(place, never)
    },
    check: async () => (await read()).report,
    async checkAndRemember() {
      await finishLines(place, never)
      const { report, seals } = await read()
      await place.memory.remember(place.real, seals)
      return report
    },
    lines: () => readFileSync(index, 'utf8').split('\n').slice(0, -1),
    write: (text) => writeFileSync(index, text),
  }
}
