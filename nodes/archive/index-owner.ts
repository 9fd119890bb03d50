/**
 * Decides which Node-RED writes an index, because two writers would break the chain of lines. The first Node-RED to
 * archive in a folder owns `index.jsonl` permanently; every other Node-RED writes its own index. This needs no clocks
 * or locks.
 */
import { createHash, randomUUID } from 'node:crypto'
import { link, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setLatest } from '../../lib/common/latest'
import { isPlainObject } from '../../lib/common/plain-object'
import { textOfFile } from './read-file'
import { unfinishedName, writeWhole } from './write-whole'

/** A Node-RED that archives, and the preferred names of its index. */
export interface Writer {
  /** Identifies the Node-RED; stays the same after a restart. */
  readonly id: string
  /** The names that the index of this Node-RED may have, without extension, in order of preference. */
  readonly names: readonly [string, ...string[]]
}

interface Owner {
  readonly writer: string
  /** Identifies the process that wrote the file last. */
  readonly process: string
}

const unknown: Owner = { writer: '', process: '' }

/** The name of an index's owner file. The file is in the same folder and says which Node-RED writes the index. */
const ownerName = (index: string) => `.${index}.owner`

/**
 * Returns the name, without extension, of the index to which an owner file belongs, even if the file is only half
 * written; undefined for any other file.
 */
export const ownedName = (name: string) =>
  /^\.(index(?:-[^/\\]+?)?)\.owner(?:(?:\.[\da-f]{16})?\.unfinished)?$/.exec(name)?.[1]

const ownProcess = randomUUID()
/**
 * The paths of the owner files that this process has claimed. The oldest are dropped, and then handled as after a
 * restart.
 */
const claimed = new Map<string, true>()
const maxClaimed = 10_000

/**
 * Returns the name of the index that this Node-RED writes in an existing folder, and claims it if necessary. Rejects
 * with the error of the file system.
 */
export async function claimIndex(folder: string, writer: Writer): Promise<string> {
  for (let number = 0; ; number++) {
    const name = nameAt(writer, number)
    const path = join(folder, ownerName(name))
    const own = { writer: writer.id, process: ownProcess }
    const owner = (await readOwner(path)) ?? (await makeOwner(path, own))
    if (owner.writer !== writer.id) continue
    if (owner.process !== ownProcess) {
      // Another process with the same settings has taken over this index after this process claimed it, and may be
      // writing.
      if (claimed.has(path)) continue
      await writeWhole(path, textOf(own))
      await rm(temporaryName(path, own), { force: true })
    }
    setLatest(claimed, path, true, maxClaimed)
    return `${name}.jsonl`
  }
}

/** Returns the name of the index that this Node-RED has written; undefined if it has written none. Claims no index. */
export async function ownedIndex(folder: string, writer: Writer): Promise<string | undefined> {
  for (let number = 0; ; number++) {
    const name = nameAt(writer, number)
    const owner = await readOwner(join(folder, ownerName(name)))
    if (owner === undefined) return undefined
    if (owner.writer === writer.id) return `${name}.jsonl`
  }
}

/**
 * Returns the name at position `at` in the order of preference. For positions after the last name, returns the last
 * name with a number.
 */
const nameAt = ({ names }: Writer, at: number) => names[at] ?? `${names.at(-1) ?? ''}-${at - names.length + 2}`

/**
 * Reads an owner file; undefined if it is missing. A file that can't be understood counts as belonging to another
 * Node-RED.
 */
async function readOwner(path: string): Promise<Owner | undefined> {
  const text = await textOfFile(path, 'other')
  return text === undefined ? undefined : ownerOf(text)
}

function ownerOf(text: string): Owner {
  try {
    const found: unknown = JSON.parse(text)
    if (!isPlainObject(found)) return unknown
    return { writer: String(found.writer), process: String(found.process) }
  } catch {
    return unknown
  }
}

/**
 * The name of a temporary file. Each writer uses a different name, because two processes that create the owner file at
 * once must not write to the same temporary file. If a crash leaves the temporary file behind, it is removed later.
 */
const temporaryName = (path: string, { writer }: Owner) =>
  unfinishedName(`${path}.${createHash('sha256').update(writer).digest('hex').slice(0, 16)}`)

/**
 * Creates the owner file, unless another process is faster, and returns the owner that the file names. The file must
 * not be empty, even after a crash: with an empty owner file, no Node-RED could ever use the index.
 */
async function makeOwner(path: string, owner: Owner): Promise<Owner> {
  const temporary = temporaryName(path, owner)
  try {
    await writeFile(temporary, textOf(owner))
    await link(temporary, path).catch((error: NodeJS.ErrnoException) =>
      error.code === 'EEXIST' ? undefined : writeWithoutLinks(path, owner),
    )
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
  return (await readOwner(path)) ?? unknown
}

/** Writes the owner file on file systems without hard links. If a full disk cuts the file off, the file is removed. */
async function writeWithoutLinks(path: string, owner: Owner): Promise<void> {
  await writeFile(path, textOf(owner), { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  })
}

const textOf = (owner: Owner) => `${JSON.stringify(owner)}\n`

/**
 * Returns the owner files that no Node-RED has written. An owner file without an index may be genuine, because its
 * Node-RED may not have archived anything yet. If two owner files have the same content, one is a copy of the other.
 */
export async function forgedOwners(
  folder: string,
  names: readonly string[],
  indexes: readonly string[],
): Promise<string[]> {
  const hasIndex = (name: string) => indexes.includes(`${ownedName(name) ?? ''}.jsonl`)
  const seen = new Set<string>()
  const forged: string[] = []
  for (const name of [...names.filter(hasIndex), ...names.filter((one) => !hasIndex(one))]) {
    const text = (await textOfFile(join(folder, name), 'other')) ?? ''
    const isGood = name.endsWith('.owner') ? isWhole(text) && !seen.has(text) : isBegun(text)
    if (!isGood) forged.push(name)
    if (name.endsWith('.owner')) seen.add(text)
  }
  return forged
}

const isWhole = (text: string) => ownerOf(text) !== unknown && text === textOf(ownerOf(text))

const beginning = textOf(unknown).slice(0, 11)

/**
 * Whether a text may be the rest of an owner file after a crash: a part of the file, or zeros in place of its content.
 */
function isBegun(text: string): boolean {
  const found = text.replace(/\0+$/, '')
  return isWhole(found) || beginning.startsWith(found) || (found.startsWith(beginning) && !found.includes('\n'))
}
