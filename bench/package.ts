/** The package as users get it: packed and installed into an empty folder, without development dependencies. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Installed {
  /** The folder with package.json and node_modules, which can be a user directory of Node-RED. */
  readonly folder: string
  /** Bytes of the packed file. */
  readonly packed: number
  remove(): void
}

let made: Installed | undefined

/** Packs and installs the package once per process. The folder is removed when the process exits. */
export function installPacked(): Installed {
  if (made) return made
  const folder = mkdtempSync(join(tmpdir(), 'eid-bench-package-'))
  const remove = () => {
    made = undefined
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', remove)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  npm(['pack', '--ignore-scripts', '--pack-destination', folder], join(__dirname, '..'))
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const packed = statSync(join(folder, file)).size
  npm(['install', '--omit=dev', '--prefer-offline', `./${file}`], folder)
  rmSync(join(folder, file))
  return (made = { folder, packed, remove })
}

function npm(args: readonly string[], cwd: string): void {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const shell = process.platform === 'win32'
  execFileSync(command, [...args, ...quiet], { cwd, shell, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The files below a folder. */
export function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
}

/** Bytes of the files below a folder. */
export function weigh(folder: string): number {
  return filesBelow(folder).reduce((sum, path) => sum + statSync(path).size, 0)
}
