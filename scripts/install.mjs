/** Installs what is missing: when node_modules is not what the lock file says, whoever made it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Runs `npm ci` unless every package of the lock file is there at its version. */
export function install(log = console.log) {
  const missing = missingPackages(join(root, 'package-lock.json'), join(root, 'node_modules', '.package-lock.json'))
  if (missing.length === 0) return
  log(`Install: fetching ${missing.length} packages (about a minute the first time)`)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  execFileSync(npm, ['ci', ...quiet], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
}

/**
 * The packages that the one lock file wants and the other, which npm writes when it has installed, does not have in
 * the same version from the same archive. What npm leaves out on this platform is not missing, nor
 * what comes inside of another package.
 */
export function missingPackages(wantedFile, installedFile) {
  const wanted = Object.entries(packagesOf(wantedFile)).filter(([path]) => path !== '')
  const installed = packagesOf(installedFile)
  const isThere = (path) => existsSync(join(dirname(dirname(installedFile)), path, 'package.json'))
  return wanted
    .filter(([path, { version, integrity, optional, inBundle }]) => {
      const there = installed[path]
      if (!there) return !optional && !inBundle
      return there.version !== version || there.integrity !== integrity || !isThere(path)
    })
    .map(([path]) => path)
}

function packagesOf(lockFile) {
  return existsSync(lockFile) ? (JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {}) : {}
}
