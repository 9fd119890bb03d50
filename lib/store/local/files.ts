/** Writes items down as files of one folder: each in a file of its own, written beside and renamed. */
import * as fs from 'node:fs'
import { chmod, mkdir, open, readFile, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Generations } from './generations'
import { loadFiles, unfinished } from './load-files'
import type { Persistence } from './writer'

/** What is written lies on the disk after so many milliseconds, though the plug be pulled. */
const syncMs = 500
const syncsAtOnce = 4
const folderMode = 0o700
const fileMode = 0o600

/**
 * `folder` need not exist; nobody else may look into it. A file is called `<name>.<generation>`: the older one goes
 * when the newer one surely is on the disk, otherwise pulling the plug could cost both.
 */
export function createFiles(folder: string): Persistence {
  const generations = new Generations()
  /** Names whose newest file may not be on the disk yet. */
  const unsynced = new Set<string>()
  let made = false
  let timer: NodeJS.Timeout | undefined
  let syncing = Promise.resolve()
  const pathOf = (name: string, generation: number) => join(folder, `${name}.${generation}`)

  const write = async (name: string, text: string) => {
    if (!made) await makeFolder(folder)
    made = true
    const { all } = generations.get(name) ?? { all: [] }
    const current = (all.at(-1) ?? 0) + 1
    const path = pathOf(name, current)
    await writeNew(path + unfinished, text)
    await renameFile(path + unfinished, path)
    generations.set(name, { current, all: [...all, current] })
    unsynced.add(name)
  }
  const remove = async (name: string) => {
    // The oldest first: whatever happens in between, no old state comes back.
    for (const one of generations.get(name)?.all ?? []) await unlink(pathOf(name, one)).catch(unlessGone)
    generations.delete(name)
    unsynced.delete(name)
  }
  const syncOne = async (name: string) => {
    const known = generations.get(name)
    if (!known) return
    await syncPath(pathOf(name, known.current)).catch(unlessGone)
    const old = known.all.filter((one) => one < known.current)
    for (const one of old) await unlink(pathOf(name, one)).catch(unlessGone)
    const latest = generations.get(name)
    if (latest) generations.set(name, { ...latest, all: latest.all.filter((one) => !old.includes(one)) })
  }
  const sync = async () => {
    timer = undefined
    const names = [...unsynced]
    unsynced.clear()
    if (names.length === 0) return
    // First the folder, so that the newer ones are found; then the older ones may go.
    await syncPath(folder)
    for (let at = 0; at < names.length; at += syncsAtOnce) {
      await Promise.all(names.slice(at, at + syncsAtOnce).map(syncOne))
    }
  }
  const syncNow = () => (syncing = syncing.then(sync).catch(ignore))
  return {
    async load(found, unreadable) {
      await loadFiles(folder, generations, found, unreadable)
    },
    read: (name) => readFile(pathOf(name, generations.get(name)?.current ?? 0), 'utf8'),
    async write(changes) {
      const failures = new Map<string, unknown>()
      const change = async ([name, text]: [string, string | undefined]) => {
        try {
          await (text === undefined ? remove(name) : write(name, text))
        } catch (error) {
          failures.set(name, error)
          // Perhaps the folder was taken away under us.
          made = false
        }
      }
      await Promise.all([...changes].map(change))
      timer ??= setTimeout(() => void syncNow(), syncMs).unref()
      return failures
    },
    async clear() {
      await syncing
      generations.clear()
      unsynced.clear()
      made = false
      await rm(folder, { recursive: true, force: true })
    },
    async flush() {
      clearTimeout(timer)
      timer = undefined
      await syncNow()
    },
  }
}

// Two thirds of the time that the same takes with file handles of promises.
const openFile = promisify(fs.open)
const writePart = promisify(fs.write)
const closeFile = promisify(fs.close)
const renameFile = promisify(fs.rename)

async function writeNew(path: string, text: string): Promise<void> {
  const file = await openFile(path, 'w', fileMode)
  try {
    await writeAll(file, Buffer.from(text))
  } finally {
    await closeFile(file)
  }
}

/** A disk that is nearly full takes a part. */
async function writeAll(file: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await writePart(file, bytes, at)).bytesWritten
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: folderMode })
  // It may have been there before, copied by somebody.
  await chmod(folder, folderMode)
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** A file system that can't sync is no reason to stop: what is written survives the process all the same. */
function ignore(): void {}
