/** Reads the files of a folder at the start: of every item the newest one that can be read. */
import { nextTurn } from '../../common/event-loop'
import { readFileSync } from 'node:fs'
import { opendir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generations } from './generations'
import { inTurns } from '../in-turns'

/** The ending of a file while it is being written. */
export const unfinished = '.new'
const finished = /^([ew][0-9a-f]+)\.(\d+)$/
/** Files read in one turn of the loop: reading them at once is much quicker than one by one behind promises. */
const readAtOnce = 50
const listAtOnce = 2_000
/** Names that come in one turn. */
const namedAtOnce = 1_000

/**
 * Fills `generations`. `found` throws when a text is no item; then the one before counts. Rejects when the folder
 * can't be read.
 */
export async function loadFiles(
  folder: string,
  generations: Generations,
  found: (name: string, text: string) => void,
  unreadable: (error: unknown) => void,
): Promise<void> {
  const names = await list(folder)
  let turn = 0
  for (const [name, all] of names) {
    if (++turn % readAtOnce === 0) await nextTurn()
    generations.set(name, { current: all.at(-1) ?? 0, all })
    for (const generation of [...all].reverse()) {
      try {
        found(name, readFileSync(join(folder, `${name}.${generation}`), 'utf8'))
        generations.set(name, { current: generation, all })
        break
      } catch (error) {
        unreadable(error)
      }
    }
  }
}

/** What was being written when the process ended is cleared away. */
async function list(folder: string): Promise<Map<string, number[]>> {
  const names = new Map<string, number[]>()
  const sort = async (file: string) => {
    const [, name = '', generation = ''] = finished.exec(file) ?? []
    if (name !== '') {
      const others = names.get(name) ?? []
      names.set(
        name,
        [...others, Number(generation)].sort((one, other) => one - other),
      )
    } else if (file.endsWith(unfinished)) await unlink(join(folder, file))
  }
  await inTurns(await filesOf(folder), listAtOnce, async (part) => {
    for (const file of part) await sort(file)
  })
  return names
}

async function filesOf(folder: string): Promise<string[]> {
  const files: string[] = []
  try {
    for await (const { name } of await opendir(folder, { bufferSize: namedAtOnce })) files.push(name)
    return files
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
