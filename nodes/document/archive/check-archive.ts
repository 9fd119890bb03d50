/** "checkArchive": reads an archive back and reports what is missing, changed or has been added since. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { orAborted, sleep } from '../../../lib/api/call/retry'
import { FileFault } from '../../../lib/runtime/files/save-file'
import type { Patch } from '../../../lib/runtime/node/api-node'
import type { DocumentCall } from '../document-call'
import { fileErrors } from '../file-errors'
import { placeOf } from './archive'
import { indexesIn, readIndexAgain } from './archive-index'
import { emptyIndex, type ArchivedFile, type ArchiveIndex } from './index-lines'
import { fits, isSealOf, readSeal, sealName, type Seal } from './index-seal'
import { stateOf, type State } from './file-state'
import { collectingMs } from './finish'
import { forgedOwners, ownedName } from './index-owner'
import { finishCrashed } from './keep'
import { ifMissing } from './read-file'
import { isBeingPlaced, stagingOf } from './staging'

/** The findings; files are named by their paths below the archive's folder. */
export interface ArchiveReport {
  /** How many documents the indexes list, each counted once, and how many are unchanged. */
  readonly documents: number
  readonly whole: number
  readonly missing: readonly string[]
  readonly changed: readonly string[]
  /** Files that no line lists, and indexes that no Node-RED has written. */
  readonly added: readonly string[]
  /** The first line that does not match the previous one, and its index if there are several. */
  readonly chain: 'whole' | { readonly brokenAt: number; readonly index?: string }
}

/** Files read at once. */
const parallel = 8
/** How often, and after how many milliseconds, files being written at this moment are checked again. */
const placingLooks = 10
const placingMs = 100

export async function checkArchive(call: DocumentCall): Promise<Patch> {
  const place = await placeOf(call)
  const failed = fileErrors(call, 'archiveFolder', place.folder)
  await orAborted(finishCrashed(place, call.signal, false), call.signal).catch(failed)
  const payload = await readBack(place.folder, call.signal).catch(failed)
  if (!payload) return call.check([{ path: 'archiveFolder', key: 'noArchive' }]) as never
  const { documents: count, whole, missing, changed, added, chain } = payload
  // File names may be personal, and stay out of the status.
  const isWhole = [missing, changed, added].every((files) => files.length === 0) && chain === 'whole'
  if (isWhole) call.setUnasked(count === 1 ? 'archiveWholeOne' : 'archiveWhole', { count })
  else call.setDoubtful('archiveDiffers', { count, whole })
  return { payload }
}

/**
 * Reads every index and every file of an archive. Undefined if there is no index. Rejects with the error of the file
 * system, or with the reason of the signal.
 */
export async function readBack(folder: string, signal: AbortSignal): Promise<ArchiveReport | undefined> {
  // Documents may be archived meanwhile: a folder that exists now has its line by the time the indexes are read.
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
  // A crash may leave a seal, or part of one, before the first line.
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

/** The index of an owner's file. */
const indexOf = (owner: string) => `${ownedName(owner) ?? ''}.jsonl`

interface ListedFile {
  readonly file: ArchivedFile
  readonly index: string
  readonly documentId: string
}

/** The line of a document is written before its folder is in place, so a missing file is looked for a few times. */
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
  /** Its index and seal, as far as they are not files. The target of a link, for example, is not in the archive. */
  readonly others: readonly string[]
}

/**
 * Also returns an index that is missing if its seal is still there; a seal of no lines does not count, because that
 * index was never begun.
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

/** The seal first, so that a line added in between comes after it. */
async function readWithSeal(folder: string, name: string): Promise<Omit<SealedIndex, 'isThere' | 'others'>> {
  const seal = await readSeal(folder, name)
  const read = () =>
    readIndexAgain(folder, name).catch((error: unknown) => {
      // Anything but a file counts as an index without lines, and is reported.
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
 * Leaves out copies of indexes, which no Node-RED has written. If one index contains only lines of another one, the
 * copy is the one without a seal, else the shorter one, else the one with the longer name. An index has a seal from its
 * first line on.
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

/** The first line that is not as written. A line being written now does not count yet. */
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
  /** Paths with slashes. */
  readonly found: readonly string[]
  /** The indexes for which files of a document are being collected now. */
  readonly collecting: ReadonlySet<string>
}

/** All files below a folder, except those being collected. */
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

/** Links are not followed; each counts as a file. */
async function filesBelow(folder: string, below: string): Promise<string[]> {
  const found = await readdir(join(folder, below), { withFileTypes: true }).catch(ifMissing(undefined))
  // A folder can't be opened if its name is not valid UTF-8. Any other folder that can't be read was removed meanwhile.
  if (!found) return below.includes('\uFFFD') ? [below.slice(0, -1)] : []
  const all = found.map(async (one) =>
    one.isDirectory() ? filesBelow(folder, `${below}${one.name}/`) : [`${below}${one.name}`],
  )
  return (await Promise.all(all)).flat()
}
