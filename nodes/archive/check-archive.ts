/** "checkArchive": reads an archive back and reports which files are missing, changed or added. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { orAborted, sleep } from '../../lib/api/call/retry'
import { FileFault } from '../../lib/runtime/files/save-file'
import type { Patch } from '../../lib/runtime/node/message-call'
import type { DocumentCall } from '../document/document-call'
import { fileErrors } from '../document/file-errors'
import { placeOf } from './archive-document'
import { indexesIn, readIndexAgain } from './archive-index'
import { emptyIndex, type ArchivedFile, type ArchiveIndex } from './index-lines'
import { fits, isSealOf, readSeal, sealName, type Seal } from './index-seal'
import { stateOf, type State } from './file-state'
import { collectingMs } from './finish'
import { forgedOwners, ownedName } from './index-owner'
import { finishCrashed } from './keep'
import { ifMissing } from './read-file'
import { isBeingPlaced, stagingOf } from './staging'

/** The findings about an archive; files are named by their paths below the archive's folder. */
export interface ArchiveReport {
  /** `documents`: how many documents the indexes list, each counted once; `whole`: how many of these are unchanged. */
  readonly documents: number
  readonly whole: number
  readonly missing: readonly string[]
  readonly changed: readonly string[]
  /** Files that are not listed in any line of an index, and indexes that no Node-RED has written. */
  readonly added: readonly string[]
  /**
   * Either `whole`, or the number of the first line that does not match the previous one; `index` is given if there are
   * several indexes.
   */
  readonly chain: 'whole' | { readonly brokenAt: number; readonly index?: string }
}

/** Number of files that are read at once. */
const parallel = 8
/** How often files that are being written are checked again, and the milliseconds between two checks. */
const placingLooks = 10
const placingMs = 100

export async function checkArchive(call: DocumentCall): Promise<Patch> {
  const place = await placeOf(call)
  const failed = fileErrors(call, 'archiveFolder', place.folder)
  await orAborted(finishCrashed(place, call.signal, false), call.signal).catch(failed)
  const payload = await readBack(place.folder, call.signal).catch(failed)
  if (!payload) return call.check([{ path: 'archiveFolder', key: 'noArchive' }]) as never
  const { documents: count, whole, missing, changed, added, chain } = payload
  // File names may contain personal data, so they are not shown in the status.
  const isWhole = [missing, changed, added].every((files) => files.length === 0) && chain === 'whole'
  if (isWhole) call.setUnasked(count === 1 ? 'archiveWholeOne' : 'archiveWhole', { count })
  else call.setDoubtful('archiveDiffers', { count, whole })
  return { payload }
}

/**
 * Reads every index and every file of an archive. Returns undefined if there is no index. Rejects with the error of the
 * file system, or with the reason of the signal.
 */
export async function readBack(folder: string, signal: AbortSignal): Promise<ArchiveReport | undefined> {
  // Documents may be archived meanwhile. The files are listed before the indexes are read, so that every file found has
  // its line by then.
  const before = await filesIn(folder).catch(ifMissing({ found: [], collecting: new Set<string>() }))
  const all = await readIndexes(folder)
  if (all.length === 0) return undefined
  const indexes = withoutCopies(all)
  const entries = indexes.flatMap(({ name, index }) => [...index.entries.values()].map((entry) => ({ name, entry })))
  const files = entries.flatMap(({ name, entry }) =>
    entry.files.map((file) => ({ file, index: name, documentId: entry.documentId })),
  )
  const states = new Map(
    await inParallel(files, async (one) => [one.file, await stateNow(folder, one, signal)] as const),
  )
  const named = (state: State) =>
    files.filter(({ file }) => states.get(file) === state).map(({ file: { name } }) => name)
  const sealed = (state: State) => indexes.filter(({ seal }) => seal === state).map(({ name }) => sealName(name))
  const whole = entries.filter(({ entry }) => entry.files.every((file) => states.get(file) === 'whole'))
  const gone = indexes.filter(({ isThere }) => !isThere).map(({ name }) => name)
  const expected = new Set([...indexes.map(({ name }) => name), ...files.map(({ file: { name } }) => name)])
  const names = indexes.map(({ name }) => name)
  const allOwners = before.found.filter((name) => ownedName(name) !== undefined)
  const forged = await forgedOwners(folder, allOwners, names)
  const owners = allOwners.filter((name) => !forged.includes(name))
  const otherOwners = forged.filter((name) => names.includes(indexOf(name)))
  // If Node-RED is killed before the first line of an index is written, a seal or a part of a seal may remain. These
  // files are expected.
  const known = [...names, ...owners.map(indexOf)]
  const ofIndexes = new Set([...owners, ...otherOwners])
  const isExpected = (name: string) =>
    expected.has(name) || ofIndexes.has(name) || known.some((index) => isSealOf(index, name))
  const broken = indexes
    .map((one) => ({ index: one.name, brokenAt: brokenAt(one, before.collecting.has(one.name)) }))
    .find((one) => one.brokenAt !== undefined)
  const countOf = (those: typeof entries) => new Set(those.map(({ entry }) => entry.documentId)).size
  return {
    documents: countOf(entries),
    whole: countOf(whole),
    missing: [...gone, ...named('missing'), ...sealed('missing')],
    changed: [
      ...new Set([
        ...named('changed'),
        ...sealed('changed'),
        ...indexes.flatMap(({ others }) => others),
        ...otherOwners,
      ]),
    ],
    added: before.found.filter((name) => !isExpected(name)),
    chain:
      broken?.brokenAt === undefined
        ? 'whole'
        : { brokenAt: broken.brokenAt, ...(indexes.length > 1 && { index: broken.index }) },
  }
}

/** Returns the name of the index to which an owner file belongs. */
const indexOf = (owner: string) => `${ownedName(owner) ?? ''}.jsonl`

interface ListedFile {
  readonly file: ArchivedFile
  readonly index: string
  readonly documentId: string
}

/**
 * Returns the state of a file. The line of a document is written before its folder is in place, so a missing file is
 * looked for several times.
 */
async function stateNow(folder: string, { file, index, documentId }: ListedFile, signal: AbortSignal): Promise<State> {
  for (let left = placingLooks; ; left--) {
    const isPlaced = !(await isBeingPlaced(folder, index, documentId))
    const state = await stateOf(folder, file, signal)
    if (state !== 'missing' || isPlaced || left === 0) return state
    await sleep(placingMs, signal)
  }
}

interface SealedIndex {
  readonly name: string
  readonly seal: Seal | 'missing' | 'changed'
  readonly index: ArchiveIndex
  readonly isThere: boolean
  /**
   * The names of this index and its seal, but only those that belong to something other than a file. Links count too,
   * because their targets are not in the archive.
   */
  readonly others: readonly string[]
}

/**
 * Reads all indexes. If an index is missing but its seal still exists, the index is included, unless the seal covers no
 * lines: such an index was never begun.
 */
async function readIndexes(folder: string): Promise<SealedIndex[]> {
  const names = await indexesIn(folder)
  const there = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]))
  const all = await Promise.all(names.map((name) => readWithSeal(folder, name)))
  return all
    .map((one) => {
      const files = there.filter(({ name }) => name === one.name || name === sealName(one.name))
      const others = files.filter((file) => !file.isFile()).map(({ name }) => name)
      return { ...one, isThere: files.some(({ name }) => name === one.name), others }
    })
    .filter(({ isThere, seal }) => isThere || typeof seal === 'string' || seal.lines > 0)
}

/**
 * Reads an index and its seal. The seal is read first, so that a line added in between only makes the index longer than
 * the seal.
 */
async function readWithSeal(folder: string, name: string): Promise<Omit<SealedIndex, 'isThere' | 'others'>> {
  const seal = await readSeal(folder, name)
  const read = () =>
    readIndexAgain(folder, name).catch((error: unknown) => {
      // If something other than a file has the index's name, it counts as an index without lines, and is reported.
      if (error instanceof FileFault) return emptyIndex
      throw error
    })
  let index = await read()
  // A line that is being written is complete in a moment.
  for (let left = placingLooks; (index.isCut || index.isUnended) && left > 0; left--) {
    await sleep(placingMs)
    index = await read()
  }
  return { name, seal, index }
}

/**
 * Leaves out copies of indexes, which no Node-RED has written. If one index contains only lines of another index, one
 * of the two is a copy: the one without a seal, otherwise the shorter one, otherwise the one with the longer name. An
 * original index has a seal from its first line on.
 */
function withoutCopies(all: readonly SealedIndex[]): SealedIndex[] {
  const seen = new Set<string>()
  const rank = ({ seal, index, name }: SealedIndex) => [Number(seal !== 'missing'), index.hashes.length, -name.length]
  const inOrder = [...all].sort((one, other) => {
    const [own, others] = [rank(one), rank(other)]
    const at = own.findIndex((value, index) => value !== others[index])
    return at < 0 ? 0 : (others[at] ?? 0) - (own[at] ?? 0)
  })
  const copies = inOrder.filter(({ seal, index, isThere }) => {
    const isCopy =
      index.hashes.length === 0 ? isThere && seal === 'missing' : index.hashes.every((one) => seen.has(one))
    for (const hash of index.hashes) seen.add(hash)
    return isCopy
  })
  return all.filter((one) => !copies.includes(one))
}

/** The number of the first line that is not as it was written. A line that is being written does not count yet. */
function brokenAt({ seal, index }: SealedIndex, isCollecting: boolean): number | undefined {
  const { hashes, isCut, isUnended } = index
  const problems = [
    ...(index.brokenAt === undefined ? [] : [index.brokenAt]),
    ...(typeof seal !== 'string' && !fits(seal, hashes) ? [Math.min(seal.lines, hashes.length + 1)] : []),
    ...(isCut && !isCollecting ? [hashes.length + 1] : []),
    ...(isUnended ? [hashes.length] : []),
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
  /** Paths with slashes, relative to the archive's folder. */
  readonly found: readonly string[]
  /** The indexes for which files of a document are being collected now. */
  readonly collecting: ReadonlySet<string>
}

/** Lists all files below a folder, except those being collected. */
async function filesIn(folder: string): Promise<Found> {
  const collecting = new Set<string>()
  const found: string[] = []
  for (const one of await readdir(folder, { withFileTypes: true })) {
    const index = one.isDirectory() ? stagingOf(one.name) : undefined
    if (index !== undefined && (await isNew(join(folder, one.name)))) collecting.add(index)
    else found.push(...(one.isDirectory() ? await filesBelow(folder, `${one.name}/`) : [one.name]))
  }
  return { found, collecting }
}

async function isNew(path: string): Promise<boolean> {
  const { mtimeMs } = (await lstat(path).catch(ifMissing(undefined))) ?? { mtimeMs: 0 }
  // A time far in the future does not count as new.
  return Math.abs(Date.now() - mtimeMs) < collectingMs
}

/** Lists the files below a folder. Links are not followed; each link counts as a file. */
async function filesBelow(folder: string, below: string): Promise<string[]> {
  const found = await readdir(join(folder, below), { withFileTypes: true }).catch(ifMissing(undefined))
  // A folder whose name is not valid UTF-8 can't be opened, so it counts as one entry. Any other folder that can't be
  // read was removed meanwhile.
  if (!found) return below.includes('\uFFFD') ? [below.slice(0, -1)] : []
  const all = found.map(async (one) =>
    one.isDirectory() ? filesBelow(folder, `${below}${one.name}/`) : [`${below}${one.name}`],
  )
  return (await Promise.all(all)).flat()
}
