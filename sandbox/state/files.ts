/** The folder of uploaded bytes: made on first use, bounded, removed when the sandbox closes. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** All kept files together may hold this many bytes; the oldest are removed beyond that. */
const LIMIT = 4 * 1024 ** 3

export class Files {
  private folder: string | undefined
  private readonly sizes = new Map<string, number>()
  private total = 0

  constructor(private readonly parent = tmpdir()) {}

  /** A path for a new file. Nothing is written. */
  newPath(): string {
    this.folder ??= mkdtempSync(join(this.parent, 'eid-sandbox-'))
    return join(this.folder, randomUUID())
  }

  /** Counts a written file in; the oldest files go when there is too much. */
  async keep(path: string, size: number): Promise<void> {
    this.sizes.set(path, size)
    this.total += size
    for (const [oldest] of this.sizes) {
      if (this.total <= LIMIT || oldest === path) return
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
