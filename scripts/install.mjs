/** Installs the packages if node_modules does not match the lock file, no matter who created node_modules. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Runs `npm ci`, unless every package of the lock file is installed in its version. */
export function install() {
  const missing = missingPackages(join(root, 'package-lock.json'), join(root, 'node_modules', '.package-lock.json'))
  if (missing.length === 0) return
  console.log(`Install: fetching ${missing.length} packages (about a minute the first time)`)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  execFileSync(npm, ['ci', ...quiet], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
}

/**
 * The packages of `wantedFile` that are missing from `installedFile`, or are there in another version or from another
 * archive. npm writes `installedFile` after an installation. Packages that npm leaves out on this platform, and
 * packages inside another package, do not count as missing.
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
