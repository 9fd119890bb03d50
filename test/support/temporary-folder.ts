/** A temporary folder for a test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The folders that still exist. They are removed when the process exits, because a test that fails, or a run that is
 * stopped, does not remove its folders.
 */
const left = new Set<string>()
process.on('exit', () => {
  for (const path of left) remove(path)
})

/** Creates an empty folder. It is removed by `remove`, or when the process ends. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'eid-test-'))
  left.add(path)
  return { path, remove: () => remove(path) }
}

function remove(path: string): void {
  left.delete(path)
  rmSync(path, { recursive: true, force: true })
}
