/**
 * A store's disk operations, adapted to the limits of Windows: folders can't be synced, and a file can't be renamed or
 * removed while a virus scanner or a backup holds the file open.
 */
import * as fs from 'node:fs'
import { chmod, mkdir, opendir, open, readFile, rm, stat, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { codeOf } from '../../common/patiently'

export interface Disk {
  /** The names in a folder; an empty list if the folder does not exist. */
  list(folder: string): Promise<string[]>
  exists(path: string): Promise<boolean>
  /** Reads a file synchronously, which is much faster for many small files than one promise for each. */
  readNow(path: string): string
  read(path: string): Promise<string>
  write(path: string, text: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Removes a file; does nothing if the file does not exist. */
  remove(path: string): Promise<void>
  /** Resolves when a file or folder would survive a power cut, as far as the file system reports this. */
  sync(path: string, mode: 'r' | 'r+'): Promise<void>
  /** Creates a folder that only this user may read. */
  makeFolder(folder: string): Promise<void>
  removeFolder(folder: string): Promise<void>
}

const folderMode = 0o700
const fileMode = 0o600
/** The number of names that are read in one turn of the event loop. */
const namedAtOnce = 1_000

// These functions take two thirds of the time that promise-based file handles take.
const openFile = promisify(fs.open)
const writePart = promisify(fs.write)
const closeFile = promisify(fs.close)
const renameFile = promisify(fs.rename)

export const disk: Disk = {
  async list(folder) {
    const files: string[] = []
    try {
      for await (const { name } of await opendir(folder, { bufferSize: namedAtOnce })) files.push(name)
      return files
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    }
  },
  exists: (path) =>
    stat(path).then(
      () => true,
      () => false,
    ),
  readNow: (path) => fs.readFileSync(path, 'utf8'),
  read: (path) => readFile(path, 'utf8'),
  async write(path, text) {
    const file = await openFile(path, 'w', fileMode)
    try {
      const bytes = Buffer.from(text)
      // A nearly full disk may accept only a part of the bytes, so the rest is written in further calls.
      for (let at = 0; at < bytes.length;) at += (await writePart(file, bytes, at)).bytesWritten
    } finally {
      await closeFile(file)
    }
  },
  rename: renameFile,
  remove: (path) => unlink(path).catch(unless(/^ENOENT$/)),
  async sync(path, mode) {
    // A missing file needs no syncing, and some systems can't sync a folder, so these errors are ignored.
    const file = await open(path, mode).catch(unless(/^(ENOENT|EISDIR|EPERM|EACCES)$/))
    try {
      await file?.sync().catch(unless(/^(EPERM|EINVAL|EBADF|ENOTSUP|EOPNOTSUPP|ENOSYS)$/))
    } finally {
      await file?.close()
    }
  },
  async makeFolder(folder) {
    await mkdir(folder, { recursive: true, mode: folderMode })
    // The permissions are set again, because the folder may have existed before, for example as a copy made by hand.
    await chmod(folder, folderMode)
  },
  removeFolder: (folder) => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
}

/** Temporary errors, such as a file that another process holds open, too many open files, or an unreachable drive. */
export const passing = /^(EMFILE|ENFILE|EAGAIN|EBUSY|EPERM|EACCES|EIO|ESTALE|ETIMEDOUT|ENOMEM)$/

/** Turns errors with these codes into undefined. */
export function unless(codes: RegExp): (error: unknown) => undefined {
  return (error) => {
    if (!codes.test(codeOf(error))) throw error
  }
}
