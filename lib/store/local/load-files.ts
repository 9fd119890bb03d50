/** Reads the files of a folder at the start: for every item, the newest file that is readable. */
import { join } from 'node:path'
import { inChunks } from '../../common/in-chunks'
import type { Disk } from './disk'
import type { Generations } from './generations'
import { isTemporary, type Late, type TextLog } from './text-log'

/** The extension of a file while it is being written. */
export const unfinished = '.new'
const finished = /^([ew][0-9a-f]+)\.(\d+)$/
/** The number of files that are read in one turn of the event loop. */
const readAtOnce = 50
const listAtOnce = 2_000
/** Pauses in milliseconds before files that can't be read now are retried. */
const pausesMs = [20, 100, 500]

type Load = TextLog['load']

interface LoadOptions {
  readonly folder: string
  readonly disk: Disk
  /** Filled with the files that are found. */
  readonly generations: Generations
  /**
   * Receives the content of each file. Throws if the content is not a valid item; then the item's previous file is read.
   */
  readonly found: Parameters<Load>[0]
  readonly unreadable: Parameters<Load>[1]
}

/** Returns the items that can't be read at the moment. Rejects if the folder can't be read. */
export async function loadFiles(options: LoadOptions): Promise<Late> {
  const { folder, disk, generations } = options
  const names = await listNames(folder, disk)
  for (const [name, all] of names) generations.set(name, { current: all.at(-1) ?? 0, all })
  let late = await readAll(names, [...names.keys()], options)
  for (const pauseMs of pausesMs) {
    if (late.size === 0) break
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    late = await readAll(names, [...late.keys()], options)
  }
  return late
}

async function readAll(
  names: ReadonlyMap<string, readonly number[]>,
  some: readonly string[],
  options: LoadOptions,
): Promise<Late> {
  const late = new Map<string, unknown>()
  await inChunks(some, readAtOnce, (part) => {
    for (const name of part) {
      const error = readNewest(name, names.get(name) ?? [], options)
      if (error !== undefined) late.set(name, error)
    }
  })
  return late
}

/**
 * Reads the newest intact file of an item. If a newer file can't be read at the moment, returns the error, because an
 * older file must not take the place of the newer file.
 */
function readNewest(name: string, all: readonly number[], options: LoadOptions): unknown {
  const { folder, disk, generations, found, unreadable } = options
  for (const generation of [...all].reverse()) {
    try {
      found(name, disk.readNow(join(folder, `${name}.${generation}`)))
      generations.set(name, { current: generation, all })
      return undefined
    } catch (error) {
      if (isTemporary(error)) return error
      unreadable(error)
    }
  }
  return undefined
}

/** Lists the files of each item. Removes files that were still being written when an earlier process ended. */
async function listNames(folder: string, disk: Disk): Promise<Map<string, number[]>> {
  const names = new Map<string, number[]>()
  const sort = async (file: string) => {
    const [, name = '', generation = ''] = finished.exec(file) ?? []
    if (name !== '') {
      const others = names.get(name) ?? []
      names.set(
        name,
        [...others, Number(generation)].sort((one, other) => one - other),
      )
    } else if (file.endsWith(unfinished)) await disk.remove(join(folder, file)).catch(() => undefined)
  }
  await inChunks(await disk.list(folder), listAtOnce, async (part) => {
    for (const file of part) await sort(file)
  })
  return names
}
