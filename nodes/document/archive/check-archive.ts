/** "checkArchive": reads an archive back and says what is missing, changed or was added since it was written. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { orAborted, sleep } from '../../../lib/api/call/retry'
import type { Patch } from '../../../lib/runtime/node/api-node'
import type { DocumentCall } from '../document-call'
import { fileErrors } from '../file-errors'
import { archiveOf } from './archive'
import { ifMissing, indexesIn, readIndexAgain, type ArchivedFile, type ArchiveIndex } from './archive-index'
import { fits, isSealOf, readSeal, sealName, type Seal } from './index-seal'
import { stateOf, type State } from './file-state'
import { finishInterrupted } from './finish'
import { isBeingPlaced, stagingOf } from './staging'

/** What was found; files are named by their paths below the folder of the archive. */
export interface ArchiveReport {
  /** How many documents the indexes name, and how many of them are as they were archived. */
  readonly documents: number
  readonly whole: number
  readonly missing: readonly string[]
  readonly changed: readonly string[]
  /** Files that no line names, and indexes that no Node-RED has written. */
  readonly added: readonly string[]
  /** The first line that does not follow from the one before, and its index where there are several. */
  readonly chain: 'whole' | { readonly brokenAt: number; readonly index?: string }
}

/** So many files are read at once. */
const parallel = 8
/** Milliseconds after which no Node-RED is still collecting the files of a document. */
const collectingMs = 3_600_000
/** How often, and after how many milliseconds, what is just being written is looked at again. */
const placingLooks = 10
const placingMs = 100

export async function checkArchive(call: DocumentCall): Promise<Patch> {
  const place = await archiveOf(call)
  const failed = fileErrors(call, 'archiveFolder', place.folder)
  await orAborted(finishInterrupted(place, call.signal), call.signal).catch(failed)
  const payload = await readBack(place.folder, call.signal).catch(failed)
  if (!payload) return call.check([{ path: 'archiveFolder', key: 'noArchive' }]) as never
  const { documents: count, whole, missing, changed, added, chain } = payload
  // Their names may be personal, and stay out of the status.
  const isWhole = [missing, changed, added].every((files) => files.length === 0) && chain === 'whole'
  if (isWhole) call.setUnasked(count === 1 ? 'archiveWholeOne' : 'archiveWhole', { count })
  else call.setDoubtful('archiveDiffers', { count, whole })
  return { payload }
}

/**
 * Reads every index and every file of an archive. Undefined when there is no index. Rejects with what the file system
 * says, or with the reason of the signal.
 */
export async function readBack(folder: string, signal: AbortSignal): Promise<ArchiveReport | undefined> {
  if ((await indexesIn(folder)).length === 0) return undefined
  // Documents may be archived meanwhile: a folder that exists now has its line by the time the indexes are read.
  const before = await filesIn(folder)
  const all = await Promise.all((await indexesIn(folder)).map((name) => readWithSeal(folder, name)))
  const indexes = all.filter((one) => !isAdded(one, all))
  const entries = indexes.flatMap(({ index }) => [...index.entries.values()])
  const files = entries.flatMap((entry) => entry.files)
  const owners = new Map(
    indexes.flatMap(({ name, index }) =>
      [...index.entries.values()].flatMap((entry) =>
        entry.files.map((file) => [file, { index: name, documentId: entry.documentId }] as const),
      ),
    ),
  )
  const stateNow = async (file: ArchivedFile) => {
    const { index, documentId } = owners.get(file) ?? { index: '', documentId: '' }
    for (let left = placingLooks; ; left--) {
      const isPlaced = !(await isBeingPlaced(folder, index, documentId))
      const state = await stateOf(folder, file, signal)
      if (state !== 'missing' || isPlaced || left === 0) return state
      await sleep(placingMs, signal)
    }
  }
  const states = new Map(await inParallel(files, async (file) => [file, await stateNow(file)] as const))
  const named = (state: State) => files.filter((file) => states.get(file) === state).map(({ name }) => name)
  const sealed = (state: State) => indexes.filter(({ seal }) => seal === state).map(({ name }) => sealName(name))
  const isWhole = (those: readonly ArchivedFile[]) => those.every((file) => states.get(file) === 'whole')
  const expected = new Set([...indexes.map(({ name }) => name), ...files.map(({ name }) => name)])
  const isExpected = (name: string) => expected.has(name) || indexes.some((index) => isSealOf(index.name, name))
  const broken = indexes
    .map((one) => ({ index: one.name, brokenAt: brokenAt(one, before.collecting.has(one.name)) }))
    .find((one) => one.brokenAt !== undefined)
  return {
    documents: entries.length,
    whole: entries.filter((entry) => isWhole(entry.files)).length,
    missing: [...named('missing'), ...sealed('missing')],
    changed: [...named('changed'), ...sealed('changed')],
    added: before.found.filter((name) => !isExpected(name)),
    chain:
      broken?.brokenAt === undefined
        ? 'whole'
        : { brokenAt: broken.brokenAt, ...(indexes.length > 1 && { index: broken.index }) },
  }
}

interface SealedIndex {
  readonly name: string
  readonly seal: Seal | 'missing' | 'changed'
  readonly index: ArchiveIndex
}

/** The seal first: a line that is added in between is behind it. */
async function readWithSeal(folder: string, name: string): Promise<SealedIndex> {
  const seal = await readSeal(folder, name)
  let index = await readIndexAgain(folder, name)
  // A line that is just being written is whole in a moment.
  for (let left = placingLooks; index.isCut && left > 0; left--) {
    await sleep(placingMs)
    index = await readIndexAgain(folder, name)
  }
  return { name, seal, index }
}

/** An index without a seal was written by no Node-RED when it has no line of its own. */
function isAdded({ name, seal, index }: SealedIndex, all: readonly SealedIndex[]): boolean {
  if (seal !== 'missing') return false
  const others = new Set(
    all.filter((one) => one.name !== name && one.seal !== 'missing').flatMap((one) => one.index.hashes),
  )
  return index.hashes.every((hash) => others.has(hash))
}

/** The first line that is not as it was written. A line that is being written now is not there yet. */
function brokenAt({ seal, index }: SealedIndex, isCollecting: boolean): number | undefined {
  const { hashes, isCut } = index
  const problems = [
    ...(index.brokenAt === undefined ? [] : [index.brokenAt]),
    ...(typeof seal !== 'string' && !fits(seal, hashes) ? [Math.min(seal.lines, hashes.length + 1)] : []),
    ...(isCut && !isCollecting ? [hashes.length + 1] : []),
  ]
  return problems.length > 0 ? Math.min(...problems) : undefined
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

interface Found {
  /** Paths with slashes. */
  readonly found: readonly string[]
  /** The indexes for which files of a document are being collected now. */
  readonly collecting: ReadonlySet<string>
}

/** All files below a folder, but for those that are being collected. */
async function filesIn(folder: string): Promise<Found> {
  const collecting = new Set<string>()
  const found: string[] = []
  for (const one of await readdir(folder, { withFileTypes: true })) {
    const index = stagingOf(one.name)
    if (index !== undefined && (await isNew(join(folder, one.name)))) collecting.add(index)
    else found.push(...(one.isDirectory() ? await filesBelow(folder, `${one.name}/`) : [one.name]))
  }
  return { found, collecting }
}

async function isNew(path: string): Promise<boolean> {
  const { mtimeMs } = (await stat(path).catch(ifMissing(undefined))) ?? { mtimeMs: 0 }
  return Date.now() - mtimeMs < collectingMs
}

/** Links are not followed; they are files of their own. */
async function filesBelow(folder: string, below: string): Promise<string[]> {
  const found = await readdir(join(folder, below), { withFileTypes: true }).catch(ifMissing([]))
  const all = found.map(async (one) =>
    one.isDirectory() ? filesBelow(folder, `${below}${one.name}/`) : [`${below}${one.name}`],
  )
  return (await Promise.all(all)).flat()
}
