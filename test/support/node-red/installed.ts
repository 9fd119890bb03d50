/**
 * Real Node-RED installations of several versions, each with its own Node.js, downloaded once from the npm registry.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { read, root } from '../house'
import { until } from '../time'

export interface Installation {
  readonly label: string
  /** Path of the Node.js binary. */
  readonly node: string
  readonly redMain: string
}

/** Installs (or finds) Node-RED `nodeRed` and Node.js `node` below `.cache/runtimes`. */
export async function installRuntime(nodeRed: string, node: string): Promise<Installation> {
  // Node.js binaries are packages of their own, one per platform; they need no install script.
  const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const binary = process.platform === 'win32' ? 'node.exe' : 'node'
  const [redMain, nodeFolder] = await Promise.all([redMainOf(nodeRed), installedOnce(platform, node)])
  return { label: `Node-RED ${nodeRed} on Node.js ${node}`, node: join(nodeFolder, 'bin', binary), redMain }
}

/** The Node-RED of the development dependencies if it is of this version; otherwise an installed one. */
async function redMainOf(version: string): Promise<string> {
  const { version: own } = JSON.parse(read('node_modules/node-red/package.json')) as { version: string }
  if (own.startsWith(`${version}.`)) return require.resolve('node-red/red.js')
  return join(await installedOnce('node-red', version), 'red.js')
}

const installing = new Map<string, Promise<string>>()

/** Installs a package, unless it has been installed before; returns its folder. */
function installedOnce(name: string, version: string): Promise<string> {
  const wanted = `${name}@${version}`
  const under = installing.get(wanted) ?? installedIn(join(root, '.cache', 'runtimes', wanted), wanted)
  installing.set(wanted, under)
  return under.then((folder) => join(folder, 'node_modules', name))
}

async function installedIn(folder: string, wanted: string): Promise<string> {
  if (existsSync(join(folder, 'ready'))) return folder
  // Another process may install the same version, so the folder gets its final name only when it is complete.
  const unready = `${folder}-${process.pid}`
  mkdirSync(unready, { recursive: true })
  writeFileSync(join(unready, 'package.json'), '{"private":true}')
  await npmInstall([wanted], unready, process.execPath)
  writeFileSync(join(unready, 'ready'), '')
  if (!existsSync(join(folder, 'ready'))) {
    rmSync(folder, { recursive: true, force: true })
    renameSync(unready, folder)
  }
  rmSync(unready, { recursive: true, force: true })
  return folder
}

/** npm sometimes hangs for good. A slow machine needs a tenth of this. */
const npmSeconds = 600

async function npm(args: readonly string[], cwd: string, node = process.execPath): Promise<string> {
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Packages that were downloaded before need not be requested again.
  const env = { ...process.env, PATH, npm_config_prefer_offline: 'true' }
  const limit = { timeout: npmSeconds * 1000, killSignal: 'SIGKILL' } as const
  const { stdout } = await promisify(execFile)('npm', [...args, ...quiet], { cwd, env, ...limit })
  return stdout
}

/**
 * Installs in this folder. If npm hangs, it is killed, its leftovers are removed, and it is started again, at most
 * once.
 */
async function npmInstall(args: readonly string[], folder: string, node: string): Promise<void> {
  for (let left = 1; ; left--) {
    try {
      return void (await npm(['install', ...args], folder, node))
    } catch (error) {
      if (left === 0 || !(error instanceof Error && 'killed' in error && error.killed)) throw error
      console.log(`      npm has hung for ${npmSeconds} s, and is started again`)
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
    }
  }
}

interface Packed {
  /** Path of the tarball. */
  readonly tarball: string
  /** The tarball's files, as paths from the root of the package. */
  readonly files: readonly string[]
}

/** Packs the built package into `folder`, as publishing it does. */
export async function pack(folder: string): Promise<Packed> {
  const answer = JSON.parse(await npm(['pack', '--json', '--pack-destination', folder], root)) as {
    filename: string
    files: { path: string }[]
  }[]
  const [packed] = answer
  if (!packed) throw new Error('npm packed nothing')
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path).sort() }
}

/**
 * Installs the tarball in a user directory with the same command as the palette manager. An installation of the same
 * tarball is kept below `.cache/installed` and copied.
 */
export async function installPacked({ label, node }: Installation, userDir: string, tarball: string): Promise<void> {
  const all = join(root, '.cache', 'installed')
  const name = label.replaceAll(' ', '-')
  const kept = join(all, `${name}-${createHash('sha256').update(readFileSync(tarball)).digest('hex').slice(0, 16)}`)
  if (!existsSync(kept)) {
    writeFileSync(join(userDir, 'package.json'), '{"name":"user","version":"1.0.0"}')
    const palette = ['--no-update-notifier', '--save', '--save-prefix=~', '--omit=dev', '--engine-strict']
    await npmInstall([...palette, tarball], userDir, node)
    mkdirSync(all, { recursive: true })
    for (const one of readdirSync(all)) if (one.startsWith(`${name}-`)) rmSync(join(all, one), { recursive: true })
    cpSync(userDir, `${kept}-${process.pid}`, { recursive: true, verbatimSymlinks: true })
    return renameSync(`${kept}-${process.pid}`, kept)
  }
  cpSync(kept, userDir, { recursive: true, verbatimSymlinks: true })
}

export interface NodeRedProcess {
  readonly url: string
  readonly output: () => string
  stop(): Promise<void>
  kill(): void
}

/**
 * Starts a Node-RED in `userDir` with these flows and the settings `more`; resolves when the flows run. A setting may
 * be a function that uses nothing outside itself.
 */
export async function startRuntime(
  at: Installation,
  userDir: string,
  flows: readonly object[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<NodeRedProcess> {
  const port = await freePort()
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flows))
  const settings = {
    uiHost: '127.0.0.1',
    flowFile: 'flows.json',
    credentialSecret: 'test',
    telemetry: { enabled: false },
    // With this setting, Node-RED does not run npm at each start, which it otherwise does to find out npm's version.
    externalModules: { palette: { allowInstall: false } },
    ...more,
  }
  const lines = Object.entries({ ...settings, uiPort: port }).map(([name, value]) => `  ${name}: ${sourceOf(value)},`)
  writeFileSync(join(userDir, 'settings.js'), `module.exports = {\n${lines.join('\n')}\n}`)
  // The tests read Node-RED's own messages, so its language must not depend on the machine.
  const env = { ...process.env, LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8', LANGUAGE: 'en', EID_SANDBOX_PORT: '0' }
  const child = spawn(at.node, [at.redMain, '--userDir', userDir], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)))
  const url = `http://127.0.0.1:${port}`
  try {
    await started(child, () => output)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return { url, output: () => output, stop: () => stop(child), kill: () => void child.kill('SIGKILL') }
}

function sourceOf(value: unknown): string {
  return typeof value === 'function' ? String(value) : JSON.stringify(value)
}

async function started(child: ChildProcess, output: () => string): Promise<void> {
  // On a busy machine, the flows may run before the server accepts requests.
  const has = () => ['Started flows', 'Server now running'].every((words) => output().includes(words))
  await until(() => has() || child.exitCode !== null || child.signalCode !== null).catch(() => undefined)
  if (!has()) throw new Error(`Node-RED did not start:\n${output()}`)
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/**
 * A free port outside the range from which the system assigns ports, so that the system does not assign it to another
 * program meanwhile.
 */
function freePort(): Promise<number> {
  const wanted = 20_000 + Math.floor(Math.random() * 12_000)
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(freePort()))
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(wanted)))
  })
}
