/**
 * Stores items as files in one folder. Each version of an item gets a file of its own: the version is written to a
 * temporary file, and the temporary file is then renamed.
 */
import { join } from 'node:path'
import { codeOf, patiently } from '../../common/patiently'
import { disk as realDisk, passing, type Disk } from './disk'
import { Generations } from './generations'
import { loadFiles, unfinished } from './load-files'
import type { Late, TextLog } from './text-log'

/** Milliseconds after which written data is on disk, so that it survives a power failure. */
const syncMs = 500
const syncsAtOnce = 4
/** Milliseconds for which a write is retried after a temporary error before its caller gets an error. */
const writeForMs = 1_000
const readForMs = 15_000

/** Rejects while another process uses the data. Nothing is read before the promise resolves. */
type Own = () => Promise<void>

/**
 * `folder` need not exist; only this user may read it. A file is called `<name>.<generation>`. The older file of an
 * item is removed only when the newer file is certainly on disk, because otherwise a power cut could lose both.
 */
export function createFileLog(folder: string, disk: Disk = realDisk, own: Own = free): TextLog {
  return new FileLog(folder, disk, own)
}

class FileLog implements TextLog {
  readonly #folder: string
  readonly #disk: Disk
  readonly #own: Own
  readonly #generations = new Generations()
  /** Names whose newest file may not be on disk yet. */
  readonly #unsynced = new Set<string>()
  #made = false
  #timer: NodeJS.Timeout | undefined
  #syncing = Promise.resolve()

  constructor(folder: string, disk: Disk, own: Own) {
    this.#folder = folder
    this.#disk = disk
    this.#own = own
  }

  async load(found: (name: string, text: string) => void, unreadable: (error: unknown) => void): Promise<Late> {
    await this.#own()
    return loadFiles({ folder: this.#folder, disk: this.#disk, generations: this.#generations, found, unreadable })
  }

  read(name: string): Promise<string> {
    return patiently(
      async () => {
        try {
          return await this.#disk.read(this.#pathOf(name, this.#generations.get(name)?.current ?? 0))
        } catch (error) {
          // A missing folder is a temporary error: if its drive was disconnected, the drive may come back, and the file
          // with it.
          if (codeOf(error) === 'ENOENT' && !(await this.#disk.exists(this.#folder))) throw away(error)
          throw error
        }
      },
      readForMs,
      passing,
    )
  }

  async write(changes: ReadonlyMap<string, string | undefined>): Promise<ReadonlyMap<string, unknown>> {
    const failures = new Map<string, unknown>()
    const change = async ([name, text]: [string, string | undefined]) => {
      try {
        await (text === undefined ? this.#remove(name) : this.#writeOne(name, text))
      } catch (error) {
        failures.set(name, error)
      }
    }
    await Promise.all([...changes].map(change))
    this.#timer ??= setTimeout(() => void this.#syncNow(), syncMs).unref()
    return failures
  }

  async clear(): Promise<void> {
    await this.#syncing
    this.#generations.clear()
    this.#unsynced.clear()
    this.#made = false
    await this.#disk.removeFolder(this.#folder)
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#syncNow()
  }

  #pathOf(name: string, generation: number): string {
    return join(this.#folder, `${name}.${generation}`)
  }

  async #writeOne(name: string, text: string): Promise<void> {
    const { all } = this.#generations.get(name) ?? { all: [] }
    const current = (all.at(-1) ?? 0) + 1
    const path = this.#pathOf(name, current)
    await this.#inFolder(() => patiently(() => this.#disk.write(path + unfinished, text), writeForMs, passing))
    await patiently(() => this.#disk.rename(path + unfinished, path), writeForMs, passing)
    this.#generations.set(name, { current, all: [...all, current] })
    this.#unsynced.add(name)
  }

  /** Runs the task after creating the folder; creates the folder again if it was removed in the meantime. */
  async #inFolder(task: () => Promise<void>): Promise<void> {
    if (this.#made) {
      try {
        return await task()
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
      }
    }
    await this.#disk.makeFolder(this.#folder)
    this.#made = true
    await task()
  }

  async #remove(name: string): Promise<void> {
    // The oldest file is removed first: if the removal is interrupted, no old state can come back.
    for (const one of this.#generations.get(name)?.all ?? []) await this.#removeFile(name, one)
    this.#generations.delete(name)
    this.#unsynced.delete(name)
  }

  #removeFile(name: string, generation: number): Promise<void> {
    return patiently(() => this.#disk.remove(this.#pathOf(name, generation)), writeForMs, passing)
  }

  async #syncOne(name: string): Promise<void> {
    const known = this.#generations.get(name)
    if (!known) return
    await this.#disk.sync(this.#pathOf(name, known.current), 'r+')
    const old = known.all.filter((one) => one < known.current)
    for (const one of old) await this.#removeFile(name, one)
    const latest = this.#generations.get(name)
    if (latest) this.#generations.set(name, { ...latest, all: latest.all.filter((one) => !old.includes(one)) })
  }

  async #sync(): Promise<void> {
    this.#timer = undefined
    const names = [...this.#unsynced]
    this.#unsynced.clear()
    if (names.length === 0) return
    // The folder is synced first, so that the newer files are found after a power cut; only then may the older files be
    // removed.
    await this.#disk.sync(this.#folder, 'r')
    for (let at = 0; at < names.length; at += syncsAtOnce) {
      // An older file that can't be removed now is removed with the next write of its item.
      await Promise.all(names.slice(at, at + syncsAtOnce).map((name) => this.#syncOne(name).catch(ignore)))
    }
  }

  #syncNow(): Promise<void> {
    return (this.#syncing = this.#syncing.then(() => this.#sync()).catch(ignore))
  }
}

function away(error: unknown): Error {
  return Object.assign(new Error('the folder is gone', { cause: error }), { code: 'ESTALE', syscall: 'read' })
}

const free: Own = () => Promise.resolve()

/** Ignores that a file system can't sync: written data survives the end of the process anyway. */
function ignore(): void {}
