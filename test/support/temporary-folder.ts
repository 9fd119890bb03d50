/** A folder of a test's own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Those that are still there: a test that fails, or a run that is stopped, removes none of its own. */
const left = new Set<string>()
process.on('exit', () => {
  for (const path of left) remove(path)
})

/** A new empty folder that `remove` takes away again, and else the end of the process. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'eid-test-'))
  left.add(path)
  return { path, remove: () => remove(path) }
}

function remove(path: string): void {
  left.delete(path)
  rmSync(path, { recursive: true, force: true })
}
