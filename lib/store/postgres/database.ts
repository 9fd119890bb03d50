/**
 * The connections to a PostgreSQL database: made when needed, made again when lost; sets the table up, sweeps it, and
 * looks for work.
 */
import type { Pool, PoolConfig } from 'pg'
import { configError } from '../../api/errors/errors'
import { databaseError, isGone, isStandby } from './database-errors'
import { createStatementQueue } from './statement-queue'
import * as statements from './statements'

/** Gives the module `pg`; rejects when it isn't installed. */
export type LoadPg = () => Promise<{ Pool: new (config: PoolConfig) => Pool }>

export interface DatabaseOptions {
  readonly config: PoolConfig
  readonly namespace: string
  readonly load?: LoadPg
}

export interface Database {
  readonly namespace: string
  /**
   * One statement, a transaction of its own, when it is its turn: however many are before it, it waits as long as they
   * get through. Rejects with an EidError.
   */
  run(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>
  /** Resolves when this node may have work, or the signal is aborted. */
  ready(node: string, kind: string, signal: AbortSignal): Promise<void>
  /** This node has work now. */
  nudge(node: string, kind: string): void
  /** Told when the database can't be reached any more, and when it can again; gives what ends that. */
  watch(listener: (there: boolean, error?: unknown) => void): () => void
  close(): Promise<void>
}

/** Milliseconds between two looks for work, and after which a connection or a statement counts as lost. */
const pollMs = 1_000
const patienceMs = 10_000
const sweepMs = 60_000
const probeMs = 2_000
const connections = 5

const loadPg: LoadPg = async () => (await import('pg')).default

export function createDatabase({ config, namespace, load = loadPg }: DatabaseOptions): Database {
  const listeners = new Set<(there: boolean, error?: unknown) => void>()
  const waiting = new Map<string, Set<() => void>>()
  const queue = createStatementQueue(connections)
  let pool: Promise<Pool> | undefined
  let there = true
  let trouble: unknown
  let probe: NodeJS.Timeout | undefined
  let closed = false
  let poll: NodeJS.Timeout | undefined

  const tell = (now: boolean, error?: unknown) => {
    if (closed || now === there) return
    there = now
    trouble = error
    // Nobody may ask it for a long time: that it is back is found out all the same.
    if (now) clearInterval(probe)
    else probe = setInterval(() => void run('select 1', []).catch(() => undefined), probeMs).unref()
    for (const listener of listeners) listener(now, error)
  }
  const open = async () => {
    const { Pool } = await load().catch((error: unknown) => {
      throw isMissing(error) ? configError('storePg') : error
    })
    const made = new Pool({
      ...{ max: connections, connectionTimeoutMillis: patienceMs, query_timeout: patienceMs, keepAlive: true },
      ...{ allowExitOnIdle: true, application_name: 'node-red-eid', ...config },
    })
    // A connection that is lost while nobody uses it: the next statement gets a new one.
    made.on('error', () => undefined)
    await setUp(made).catch(async (error: unknown) => {
      await made.end()
      throw error
    })
    return made
  }
  const drop = () => {
    const lost = pool
    pool = undefined
    void lost?.then((one) => one.end()).catch(() => undefined)
  }
  // What waits is nobody's who waits for a connection of the pool: that has an end, and would be taken for an outage.
  const run = (text: string, values: readonly unknown[]) =>
    queue.run(statements.urgent.has(text), () => execute(text, values))
  const execute = async (text: string, values: readonly unknown[]) => {
    if (closed) throw configError('storeClosed')
    try {
      pool ??= open()
      const { rows } = await (await pool).query<Record<string, unknown>>(text, [...values])
      tell(true)
      return rows
    } catch (error) {
      // Another try may find the module installed, the database there, or the one that now is the first.
      if (!(await isOpen(pool)) || isStandby(error)) drop()
      const known = databaseError(error)
      // Whoever refuses us today may let us in tomorrow.
      if (known.code === 'EID_NETWORK' || /^config\.store(Refused|Pg)$/.test(known.text.key)) tell(false, known)
      // Each of those that wait would find out for itself, one patience after the other.
      if (isGone(error)) queue.fail(() => databaseError(error))
      throw known
    }
  }
  const look = async () => {
    const places = [...waiting.keys()].map((place) => JSON.parse(place) as [string, string])
    if (places.length === 0) return
    const values = [namespace, places.map(([node]) => node), places.map(([, kind]) => kind)]
    for (const { node, kind } of await run(statements.ready, values)) nudge(String(node), String(kind))
  }
  const again = () => {
    if (closed || waiting.size === 0) return
    // That it can't be reached is told by `watch`.
    poll ??= setTimeout(() => {
      void look()
        .catch(() => undefined)
        .finally(() => {
          poll = undefined
          again()
        })
    }, pollMs)
  }
  const nudge = (node: string, kind: string) => {
    for (const wake of waiting.get(placeOf(node, kind)) ?? []) wake()
  }
  const sweep = setInterval(() => void run(statements.sweep, []).catch(() => undefined), sweepMs).unref()
  return {
    namespace,
    run,
    nudge,
    ready: (node, kind, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || closed) return resolve()
        const place = placeOf(node, kind)
        const here = waiting.get(place) ?? new Set()
        const end = () => {
          here.delete(end)
          if (here.size === 0) waiting.delete(place)
          signal.removeEventListener('abort', end)
          resolve()
        }
        waiting.set(place, here.add(end))
        signal.addEventListener('abort', end)
        again()
      }),
    watch(listener) {
      listeners.add(listener)
      if (!there) listener(false, trouble)
      return () => void listeners.delete(listener)
    },
    async close() {
      closed = true
      clearInterval(sweep)
      clearInterval(probe)
      clearTimeout(poll)
      queue.fail(() => configError('storeClosed'))
      for (const here of [...waiting.values()]) for (const wake of [...here]) wake()
      await pool?.then((one) => one.end()).catch(() => undefined)
    },
  }
}

const placeOf = (node: string, kind: string) => JSON.stringify([node, kind])

async function isOpen(pool: Promise<Pool> | undefined): Promise<boolean> {
  return Boolean(
    await pool?.then(
      () => true,
      () => false,
    ),
  )
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /MODULE_NOT_FOUND/.test(String(error.code))
}

/**
 * Makes the table, one at a time of all who start at once; where it is there already, no right to make one is needed.
 */
async function setUp(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>(statements.tableExists)
  if (rows[0]?.there) {
    const known = await pool.query<{ version: number }>(statements.isSetUp)
    if ((known.rows[0]?.version ?? 0) >= statements.schemaVersion) return
  }
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [statements.setupLock])
    for (const statement of statements.setUp) await client.query(statement)
    await client.query('commit')
    client.release()
  } catch (error) {
    // Without the connection there is no transaction either.
    client.release(true)
    throw error
  }
}
