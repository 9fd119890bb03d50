/**
 * The folder of a test run. It contains the run's temporary files, and is removed when the run ends or is killed;
 * programs that the run has started are then stopped.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A shell script that waits until the run has ended. It then gives the run's programs ten seconds to end by themselves,
 * kills the programs that are left, and removes the folder. The script has its own process group, so a signal to the
 * whole process group of the run does not reach it.
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

/** Begins a run in this process, or joins the run that has started this process. */
export function beginRun(): void {
  if (process.env.EID_RUN_FOLDER !== undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'eid-run-'))
  // The same permissions as /tmp, because the tests' PostgreSQL may run as another user and has its own folder in here.
  chmodSync(folder, 0o1777)
  const watching = spawn('sh', ['-c', supervisor, folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watching.unref()
  process.env.EID_RUN_FOLDER = folder
  endWithParent()
}

/**
 * From here on, this process creates its temporary files in the folder. The compiler of the tests keeps its cache where
 * it is.
 */
export function useRunFolder(): void {
  process.env.TMPDIR = process.env.EID_RUN_FOLDER ?? tmpdir()
}

/** Ends the run if its parent, or the `npm test` that started it, was killed, because no one would read its result. */
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
