/** Lets the disk of embedded databases fail or be slow, in the threads that are started from now on. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder'

interface FaultyDisk {
  /** Every write fails with this code of the system. */
  fail(code: string): void
  /** Bringing a file to the disk takes this many milliseconds. */
  slow(syncMs: number): void
  works(): void
  /** Ends the faults for good. */
  remove(): void
}

export function faultyDisk(): FaultyDisk {
  const folder = temporaryFolder()
  const path = join(folder.path, 'faults.json')
  const { NODE_OPTIONS: before } = process.env
  const say = (faults: object) => writeFileSync(path, JSON.stringify(faults))
  process.env.EID_TEST_DISK = path
  process.env.NODE_OPTIONS = `${before ?? ''} --require ${join(__dirname, 'disk-faults.cjs')}`
  return {
    fail: (code) => say({ fail: code }),
    slow: (syncMs) => say({ syncMs }),
    works: () => rmSync(path, { force: true }),
    remove() {
      delete process.env.EID_TEST_DISK
      if (before === undefined) delete process.env.NODE_OPTIONS
      else process.env.NODE_OPTIONS = before
      folder.remove()
    },
  }
}
