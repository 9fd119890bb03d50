/**
 * The folder of uploaded bytes: made on first use, bounded, removed when the sandbox closes or, if that was killed,
 * when the next one starts.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

/**
 * All kept files together may hold this many bytes, the oldest are removed beyond that; and so many may be
 * on their way.
 */
const MAX_BYTES = 4 * 1024 ** 3

/** When this process started: a number may be given to another process later, but not with the same start. */
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

  /** A path for a new file. Nothing is written. */
  newPath(): string {
    this.folder ??= mkdtempSync(join(this.parent, `eid-sandbox-${process.pid}-${started}-`))
    return join(this.folder, randomUUID())
  }

  /** Counts bytes of a file that is being written; false when there are too many. `left` subtracts them. */
  arrive(bytes: number): boolean {
    this.arriving += bytes
    return this.arriving <= this.maxBytes
  }

  /** Takes back what `arrive` has counted, when the file is written or given up. */
  left(bytes: number): void {
    this.arriving -= bytes
  }

  /** Counts a written file in; the oldest files go when there is too much. */
  async keep(path: string, size: number): Promise<void> {
    this.sizes.set(path, size)
    this.total += size
    for (const [oldest] of this.sizes) {
      if (this.total <= this.maxBytes || oldest === path) return
      await this.remove(oldest)
    }
  }

  /** Removes a file; one that isn't there is no error. */
  async remove(path: string): Promise<void> {
    this.total -= this.sizes.get(path) ?? 0
    this.sizes.delete(path)
    await rm(path, { force: true })
  }

  /** Removes everything, also what was never counted in. */
  clear(): void {
    if (this.folder) rmSync(this.folder, { recursive: true, force: true })
    this.folder = undefined
    this.sizes.clear()
    this.total = 0
  }
}

/** Removes the folders that processes left behind which are not running any more. */
export async function sweepFolders(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, pid, start] = /^eid-sandbox-(\d+)-(\d+)-/.exec(name) ?? []
    if (!pid || isRunning(Number(pid), Number(start))) continue
    // A folder of another user, or one that another sandbox is also removing, is left alone.
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
