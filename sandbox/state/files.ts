/**
 * The folder of uploaded files: created on first use, limited in size, and removed when the sandbox closes or its
 * process ends. If the process was killed, the next sandbox removes the folder when it starts.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

/**
 * Maximum bytes of all stored files; above it, the oldest files are removed. Also the maximum bytes of all uploads in
 * progress.
 */
const MAX_BYTES = 4 * 1024 ** 3

/** The start time of this process. Another process may later get the same process id, but not the same start time. */
const started = Math.round(performance.timeOrigin)

export class Files {
  private folder: string | undefined
  private readonly sizes = new Map<string, number>()
  private total = 0
  private arriving = 0

  constructor(
    private readonly parent = tmpdir(),
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** A path for a new file. Writes nothing. */
  newPath(): string {
    this.folder ??= this.createFolder()
    return join(this.folder, randomUUID())
  }

  private createFolder(): string {
    // The folder is removed when the process ends, because the sandbox inside Node-RED is never closed.
    process.once('exit', this.removeFolder)
    return mkdtempSync(join(this.parent, `eid-sandbox-${process.pid}-${started}-`))
  }

  private readonly removeFolder = () => {
    process.off('exit', this.removeFolder)
    if (this.folder) rmSync(this.folder, { recursive: true, force: true })
    this.folder = undefined
  }

  /**
   * Counts bytes of a file that is being written. Returns false if all files being written have too many bytes
   * together.
   */
  arrive(bytes: number): boolean {
    this.arriving += bytes
    return this.arriving <= this.maxBytes
  }

  /** Subtracts the bytes that `arrive` has counted. Called when the file is written or abandoned. */
  left(bytes: number): void {
    this.arriving -= bytes
  }

  /** Adds a written file; if all files together exceed the limit, the oldest are removed. */
  async keep(path: string, size: number): Promise<void> {
    this.sizes.set(path, size)
    this.total += size
    for (const [oldest] of this.sizes) {
      if (this.total <= this.maxBytes || oldest === path) return
      await this.remove(oldest)
    }
  }

  /** Removes a file; a missing file is not an error. */
  async remove(path: string): Promise<void> {
    this.total -= this.sizes.get(path) ?? 0
    this.sizes.delete(path)
    await rm(path, { force: true })
  }

  /** Removes everything, including files that were never added. */
  clear(): void {
    this.removeFolder()
    this.sizes.clear()
    this.total = 0
  }
}

/** Removes folders left behind by processes that are no longer running. */
export async function sweepFolders(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, pid, start] = /^eid-sandbox-(\d+)-(\d+)-/.exec(name) ?? []
    if (!pid || isRunning(Number(pid), Number(start))) continue
    // Errors are ignored: the folder may belong to another user, or another sandbox may be removing the same folder.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function isRunning(pid: number, start: number): boolean {
  if (pid === process.pid) return start === started
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
