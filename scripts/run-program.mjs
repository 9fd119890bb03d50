/** Runs the programs of a test run; when the run ends in any way, they end too. */
import { spawn } from 'node:child_process'
import { root } from './install.mjs'

/** The running child processes. */
const running = new Set()

/**
 * Runs Node.js with these arguments, in the root; resolves with the exit code. `hangs` is asked from time to time; when
 * it returns true, the program is killed, and the exit code is 1.
 */
export function run(args, env = {}, hangs = () => false) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      // The program gets a process group of its own, so that ending the group also ends all processes that the program
      // has started.
      detached: true,
      env: { ...process.env, EID_BUILT: 'yes', EID_STARTED_BY: String(process.pid), ...env },
    })
    running.add(child)
    const heir = endWithThis(child.pid)
    const guard = setInterval(() => hangs() && process.kill(-child.pid, 'SIGKILL'), 5000)
    child.on('exit', (code) => {
      clearInterval(guard)
      running.delete(child)
      heir.kill('SIGKILL')
      resolve(code ?? 1)
    })
  })
}

/** Ends all running programs, and the processes that they have started, when this process gets a signal. */
export function endOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      stopAll()
      console.log(`\nStopped by ${signal}`)
      process.exit(1)
    })
  }
}

function stopAll() {
  for (const { pid } of running) {
    try {
      process.kill(-pid, 'SIGTERM')
      // A process that a test has paused gets the signal only when it continues.
      process.kill(-pid, 'SIGCONT')
    } catch {
      // The process has just ended by itself, or the system has no process groups.
    }
  }
}

/**
 * Starts a process that ends the group `pid` when this process is gone, because a killed process can end nothing
 * itself.
 */
function endWithThis(pid) {
  const waiting = 'read -r word; kill -s TERM -- "-$0"; kill -s CONT -- "-$0"'
  const child = spawn('sh', ['-c', waiting, String(pid)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.on('error', () => undefined) // A system without a shell.
  return child
}
