/**
 * Decides which Node-RED writes an index, because two writers would break its chain. The first one to archive in a
 * folder owns `index.jsonl` permanently; any other writes its own index. Needs no clocks or locks.
 */
import { createHash, randomUUID } from 'node:crypto'
import { link, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainObject } from '../../../lib/common/plain-object'
import { textOfFile } from './read-file'
import { unfinishedName, writeWhole } from './write-whole'

/** A Node-RED that archives, and the names of its indexes. */
export interface Writer {
  /** Stays the same after a restart. */
  readonly id: string
  /** The names of its index without extension, in order of preference. */
  readonly names: readonly [string, ...string[]]
}

interface Owner {
  readonly writer: string
  /** The process that wrote last. */
  readonly process: string
}

const unknown: Owner = { writer: '', process: '' }

/** The file beside an index that names its owner. */
const ownerName = (index: string) => `.${index}.owner`

/** The name, without extension, of the index that an owner file belongs to, even if the file is only half written. */
export const ownedName = (name: string) =>
  /^\.(index(?:-[^/\\]+?)?)\.owner(?:(?:\.[\da-f]{16})?\.unfinished)?$/.exec(name)?.[1]

const ownProcess = randomUUID()
/** The claims of this process, by the path of the owner file. */
const claimed = new Set<string>()

/** The name of the index that this Node-RED writes in an existing folder. Rejects with the error of the file system. */
export async function claimIndex(folder: string, writer: Writer): Promise<string> {
  for (let number = 0; ; number++) {
    const name = nameAt(writer, number)
    const path = join(folder, ownerName(name))
    const own = { writer: writer.id, process: ownProcess }
    const owner = (await readOwner(path)) ?? (await makeOwner(path, own))
    if (owner.writer !== writer.id) continue
    if (owner.process !== ownProcess) {
      // Another process with the same settings has taken it over, and may be writing.
      if (claimed.has(path)) continue
      await writeWhole(path, textOf(own))
      await rm(temporaryName(path, own), { force: true })
    }
    claimed.add(path)
    return `${name}.jsonl`
  }
}

/** The name of the index that this Node-RED has written, without claiming one; undefined if it has written none. */
export async function ownedIndex(folder: string, writer: Writer): Promise<string | undefined> {
  for (let number = 0; ; number++) {
    const name = nameAt(writer, number)
    const owner = await readOwner(join(folder, ownerName(name)))
    if (owner === undefined) return undefined
    if (owner.writer === writer.id) return `${name}.jsonl`
  }
}

/** The names in order of preference, then the last of them with a number. */
const nameAt = ({ names }: Writer, at: number) => names[at] ?? `${names.at(-1) ?? ''}-${at - names.length + 2}`

/** Undefined when the file is missing; one that can't be understood belongs to another Node-RED. */
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
 * A file of its own for each writer: two processes that create the same file at once must not write to one. A leftover
 * of a crash is removed later.
 */
const temporaryName = (path: string, { writer }: Owner) =>
  unfinishedName(`${path}.${createHash('sha256').update(writer).digest('hex').slice(0, 16)}`)

/**
 * Returns the owner that ends up in the file. The file must never be empty, as a crash could leave it, because then no
 * one could ever use this index.
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

/** For file systems without hard links. If a full disk cuts the file off, it is removed. */
async function writeWithoutLinks(path: string, owner: Owner): Promise<void> {
  await writeFile(path, textOf(owner), { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  })
}

const textOf = (owner: Owner) => `${JSON.stringify(owner)}\n`

/**
 * Returns the owner files that no Node-RED has written. An index may still be missing, because its Node-RED may not
 * have archived anything yet. If two have the same content, one is a copy of the other.
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

/** A crash may leave a part of it, or zeros in its place. */
function isBegun(text: string): boolean {
  const found = text.replace(/\0+$/, '')
  return isWhole(found) || beginning.startsWith(found) || (found.startsWith(beginning) && !found.includes('\n'))
}
