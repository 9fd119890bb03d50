/** Installs what is missing, once per state of the lock file. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Runs `npm ci` unless node_modules was made from this very lock file. */
export function install(log = console.log) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const mark = join(root, 'node_modules', '.installed-lock')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return
  log('Install: fetching the packages (about a minute the first time)')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  execFileSync(npm, ['ci', ...quiet], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  writeFileSync(mark, lock)
}
