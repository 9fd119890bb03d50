/** "checkArchive": reads an archive back and says what is missing, changed or was added since it was written. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { orAborted } from '../../../lib/api/call/retry'
import type { Patch } from '../../../lib/runtime/node/api-node'
import type { DocumentCall } from '../document-call'
import { fileErrors } from '../file-errors'
import { archiveOf } from './archive'
import { ifMissing, indexesIn, readIndex, type ArchivedFile } from './archive-index'
import { finishInterrupted, isStaging } from './staging'

/** What was found; files are named by their paths below the folder of the archive. */
export interface ArchiveReport {
  /** How many documents the indexes name, and how many of them are as they were archived. */
  readonly documents: number
  readonly whole: number
  readonly missing: readonly string[]
  readonly changed: readonly string[]
  /** Files that no line names. */
  readonly added: readonly string[]
  /** The first line that does not follow from the one before, and its index where there are several. */
  readonly chain: 'whole' | { readonly brokenAt: number; readonly index?: string }
}

/** So many files are read at once. */
const parallel = 8

export async function checkArchive(call: DocumentCall): Promise<Patch> {
  const place = archiveOf(call)
  const failed = fileErrors(call, 'archiveFolder', place.folder)
  await orAborted(finishInterrupted(place), call.signal).catch(failed)
  const payload = await readBack(place.folder, call.signal).catch(failed)
  if (!payload) return call.check([{ path: 'archiveFolder', key: 'noArchive' }]) as never
  const { documents: count, whole, added, chain } = payload
  const problems = count - whole + added.length + (chain === 'whole' ? 0 : 1)
  if (problems > 0) call.setDoubtful('archiveDiffers', { count, whole })
  else call.setUnasked('archiveWhole', { count })
  return { payload }
}

/**
 * Reads every index and every file of an archive. Undefined when there is no index. Rejects with what the file system
 * says, or with the reason of the signal.
 */
export async function readBack(folder: string, signal: AbortSignal): Promise<ArchiveReport | undefined> {
  const names = await indexesIn(folder)
  if (names.length === 0) return undefined
  const indexes = await Promise.all(names.map(async (name) => ({ name, ...(await readIndex(folder, name)) })))
  const entries = indexes.flatMap((index) => [...index.entries.values()])
  const files = entries.flatMap((entry) => entry.files)
  const states = new Map(await inParallel(files, async (file) => [file, await stateOf(folder, file, signal)] as const))
  const named = (state: State) => files.filter((file) => states.get(file) === state).map(({ name }) => name)
  const isWhole = (all: readonly ArchivedFile[]) => all.every((file) => states.get(file) === 'whole')
  const expected = new Set([...names, ...files.map(({ name }) => name)])
  const broken = indexes.find(({ brokenAt }) => brokenAt !== undefined)
  return {
    documents: entries.length,
    whole: entries.filter((entry) => isWhole(entry.files)).length,
    missing: named('missing'),
    changed: named('changed'),
    added: (await filesIn(folder)).filter((name) => !expected.has(name)),
    chain:
      broken?.brokenAt === undefined
        ? 'whole'
        : { brokenAt: broken.brokenAt, ...(names.length > 1 && { index: broken.name }) },
  }
}

type State = 'whole' | 'missing' | 'changed'

async function stateOf(folder: string, { name, sha256 }: ArchivedFile, signal: AbortSignal): Promise<State> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(join(folder, name)), hash, { signal })
  } catch (error) {
    if (signal.aborted) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
    if (code === 'EISDIR') return 'changed'
    throw error
  }
  return hash.digest('hex') === sha256 ? 'whole' : 'changed'
}

async function inParallel<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  const left = items.entries()
  const one = async () => {
    for (const [at, item] of left) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: parallel }, one))
  return results
}

/** All files below a folder, by their paths with slashes. Links are not followed; they are files of their own. */
async function filesIn(folder: string, below = ''): Promise<string[]> {
  const found = await readdir(join(folder, below), { withFileTypes: true }).catch(ifMissing([]))
  const all = found
    .filter(({ name }) => below !== '' || !isStaging(name))
    .map(async (one) => (one.isDirectory() ? filesIn(folder, `${below}${one.name}/`) : [`${below}${one.name}`]))
  return (await Promise.all(all)).flat()
}
