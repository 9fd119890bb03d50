/**
 * The folder of a run: its temporary files are in there and are removed with the run, as does
 * what it has started. That holds for a run that is killed as well.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * It reads until the run is gone, gives what that has started ten seconds to end by itself, and takes away what is left.
 * A signal to the whole group, as a stopped run sends it, does not reach it.
 */
const supervisor = `read -r word
left() { grep -lsF "EID_RUN_FOLDER=$0" /proc/[0-9]*/environ | cut -d / -f 3; }
for second in 1 2 3 4 5 6 7 8 9 10; do
  [ -z "$(left)" ] || sleep 1
done
left | xargs -r kill -KILL
for second in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$0"
  [ ! -e "$0" ] || sleep 1
done`

/** Begins a run in this process, or takes part in the one that has started it. */
export function beginRun(): void {
  if (process.env.EID_RUN_FOLDER !== undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'eid-run-'))
  // As the folder for temporary files is: the user of a PostgreSQL has his own in there.
  chmodSync(folder, 0o1777)
  const watching = spawn('sh', ['-c', supervisor, folder], {
    ...{ cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  })
  watching.unref()
  process.env.EID_RUN_FOLDER = folder
  endWithParent()
}

/** From here on, files of this process are there. What has compiled the tests keeps its own where it has them. */
export function useRunFolder(): void {
  process.env.TMPDIR = process.env.EID_RUN_FOLDER ?? tmpdir()
}

/** A run ends when its parent, or the `npm test` that has started it, was killed: its result is of no use then. */
function endWithParent(): void {
  const parent = process.ppid
  const { EID_STARTED_BY } = process.env
  const isWanted = () => process.ppid === parent && (EID_STARTED_BY === undefined || isAlive(Number(EID_STARTED_BY)))
  setInterval(() => isWanted() || process.exit(1), 1000).unref()
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
