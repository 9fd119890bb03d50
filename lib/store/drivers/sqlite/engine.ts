/**
 * SQLite itself, with the file of one folder or in memory only. Everything here waits for the disk, so a file is used in
 * a thread of its own (`thread.ts`).
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { Database as Sqlite, type Statement } from 'node-sqlite3-wasm'
import { codeOf } from '../../../common/patiently'
import { copyIn, fileIn, logIn, putAside, replaceCopy, sync, type Notice } from './files'
import { noteClock, readClock, releaseAll, schemaVersion, setUp, shift } from './statements'

export type SqlValue = string | number | null

/** A statement and its parameters by name. */
export interface Request {
  readonly text: string
  readonly values: Readonly<Record<string, SqlValue>>
}

export type Row = Record<string, unknown>
/** The rows of a statement, or the reason why it failed: a code of the system, or a few words of SQLite. */
export type Result = { readonly rows: Row[] } | { readonly reason: string }

export interface Engine {
  /** What people must know, since the last call. */
  notices(): Notice[]
  /** Runs the statements in one transaction. A statement that fails by itself does not affect the others. */
  transact(requests: readonly Request[]): Result[]
  close(): Promise<void>
}

interface Session {
  transact(requests: readonly Request[]): Result[]
  close(): void
}

/** Milliseconds between two looks at the file: what is written reaches the disk within this time. */
const tickMs = 1_000
/** The log is moved into the file when it is larger than this many bytes. */
const largestLog = 8 * 1024 * 1024
/** Twice as many bytes as the file grows by at a time. */
const probeBytes = 8192
const copyMs = 24 * 3_600_000
/** A clock that differs more than this from the last use of the file was wrong before, or is wrong now. */
const mostBackMs = 60_000
const mostAheadMs = 365 * 24 * 3_600_000

const pragmas = [
  // A commit is in the log when it returns, which survives the end of the process. `tick` brings the log to the disk.
  'journal_mode = wal',
  'synchronous = normal',
  'wal_autocheckpoint = 0',
  `journal_size_limit = ${largestLog}`,
  'secure_delete = on',
  'cache_size = -8000',
]

/** Opens a database in memory. `now` is the present moment in milliseconds since 1970. */
export function openMemory(now: number): Engine {
  const { transact, close } = createSession(openFile(':memory:', now))
  return { notices: () => [], transact, close: () => Promise.resolve(close()) }
}

/** Opens the file of a folder. The caller has made sure that no other process uses the folder. */
export function openEngine(folder: string, now: number): Engine {
  const path = fileIn(folder)
  const log = logIn(folder)
  let database: Sqlite
  let session: Session
  const notices: Notice[] = []
  let copying: Promise<void> | undefined
  const open = () => {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    fs.chmodSync(folder, 0o700)
    // A killed process leaves this behind.
    fs.rmSync(`${path}.lock`, { recursive: true, force: true })
    fs.closeSync(fs.openSync(path, 'a', 0o600))
    try {
      // A file that has a copy was not empty before.
      if (fs.statSync(path).size === 0 && fs.existsSync(copyIn(folder))) throw new Error(malformed)
      database = openFile(path, now)
    } catch (error) {
      if (!isDamage(error)) throw new Error(diskReason(folder) ?? reasonOf(error))
      notices.push(putAside(folder))
      fs.closeSync(fs.openSync(path, 'a', 0o600))
      database = openFile(path, now)
    }
    fs.chmodSync(log, 0o600)
    session = createSession(database, () => diskReason(folder))
  }
  const checkpoint = () => void database.all('pragma wal_checkpoint(truncate)')
  const startCopy = () => {
    try {
      checkpoint()
    } catch {
      // The copy would lack what is only in the log. The next transaction reports why nothing can be written.
      return
    }
    copying ??= replaceCopy(folder)
      .then((isSound) => void (isSound || notices.push({ key: 'storeUnsound', params: {} })))
      .catch(() => undefined)
      .finally(() => (copying = undefined))
  }
  /** Writes everything into a new file if a person has removed the file. Throws if that is not possible. */
  const restore = () => {
    if (fs.existsSync(path)) return
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const unready = `${path}.new`
    fs.rmSync(unready, { force: true })
    database.run('vacuum into $1', { $1: unready })
    session.close()
    fs.renameSync(unready, path)
    open()
    notices.push({ key: 'storeRewritten', params: {} })
  }
  open()
  startCopy()
  let synced = 0
  const tick = () => {
    try {
      restore()
      const { size, mtimeMs } = fs.statSync(log)
      if (size > largestLog && !copying) checkpoint()
      // The next transaction reports why nothing can be written.
      else if (mtimeMs !== synced) void sync(log).catch(() => undefined)
      synced = mtimeMs
    } catch {
      // The next transaction reports why nothing can be written.
    }
  }
  const timers = [setInterval(tick, tickMs), setInterval(startCopy, copyMs)]
  return {
    notices: () => notices.splice(0),
    transact(requests) {
      try {
        restore()
      } catch (error) {
        return requests.map(() => ({ reason: reasonOf(error) }))
      }
      return session.transact(requests)
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await copying
      session.close()
    },
  }
}

function openFile(path: string, now: number): Sqlite {
  const database = new Sqlite(path)
  try {
    // Only this process uses the file, so the index of its log needs no memory that processes share.
    database.all('pragma locking_mode = exclusive')
    const version = Number(database.get('pragma user_version')?.user_version)
    if (version > schemaVersion) throw new Error('newer')
    for (const pragma of pragmas) database.all(`pragma ${pragma}`)
    if (version < schemaVersion) database.exec(setUp)
    database.exec('begin')
    database.run(releaseAll)
    rightClock(database, now)
    database.exec('commit')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Continues at the last moment of use if the clock of the machine was wrong then, or is wrong now. */
function rightClock(database: Sqlite, now: number): void {
  const last = database.get(readClock)?.since
  const passed = typeof last === 'number' ? now - last : 0
  if (passed < -mostBackMs || passed > mostAheadMs) database.run(shift, { $1: passed })
  database.run(noteClock, { $now: now })
}

/** Keeps the statements of a database prepared. */
function createSession(database: Sqlite, reasonOfDisk: () => string | undefined = () => undefined): Session {
  const prepared = new Map<string, Statement>()
  const statementOf = (text: string) => {
    const known = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, known)
    return known
  }
  const run = ({ text, values }: Request): Result => {
    try {
      return { rows: statementOf(text).all(values) as Row[] }
    } catch (error) {
      return { reason: reasonOf(error) }
    }
  }
  const transact: Session['transact'] = (requests) => {
    try {
      database.exec('begin')
      const results = requests.map((request) => (database.inTransaction ? run(request) : undefined))
      // A full or broken disk ends the transaction.
      if (!database.inTransaction) throw new Error(reasonIn(results))
      database.exec('commit')
      return results.flatMap((one) => one ?? [])
    } catch (error) {
      if (database.inTransaction) database.exec('rollback')
      const reason = reasonOfDisk() ?? reasonOf(error)
      return requests.map(() => ({ reason }))
    }
  }
  return {
    transact,
    close() {
      for (const one of prepared.values()) one.finalize()
      database.close()
    },
  }
}

const reasonIn = (results: readonly (Result | undefined)[]) =>
  results.map((one) => (one && 'reason' in one ? one.reason : '')).find((reason) => reason !== '')

/** Why the disk can't be written: a code of the system, which SQLite does not pass on; undefined if it can be written. */
function diskReason(folder: string): string | undefined {
  const path = join(folder, 'probe')
  try {
    fs.writeFileSync(path, Buffer.alloc(probeBytes), { mode: 0o600 })
    fs.rmSync(path)
    return undefined
  } catch (error) {
    return codeOf(error)
  }
}

const malformed = 'database disk image is malformed'

/** True if the file can't be read as a database. */
function isDamage(error: unknown): boolean {
  return /not a database|malformed/.test(String(error))
}

/** The reason in a few words, without any stored data. */
export function reasonOf(error: unknown): string {
  return codeOf(error) || (error instanceof Error ? error.message : '')
}
