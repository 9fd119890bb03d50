/**
 * The connections to a PostgreSQL database. They are opened when needed and reopened when lost; the first connection
 * sets up the table.
 */
import type { ClientBase, Pool, PoolConfig } from 'pg'
import { configError } from '../../../api/errors/errors'
import { codeOf } from '../../../common/patiently'
import { isStandby } from './database-errors'
import * as statements from './statements'
import { createUpgrade, type Upgrade } from './upgrade'

/** Loads the module `pg`; rejects if it is not installed. */
export type LoadPg = () => Promise<{ Pool: new (config: PoolConfig) => Pool }>

interface Connections {
  query(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** Milliseconds after which a connection or a statement counts as lost. */
const timeoutMs = 10_000
export const maxConnections = 5

const loadPg: LoadPg = async () => (await import('pg')).default

export function createConnections(config: PoolConfig, load: LoadPg = loadPg): Connections {
  let pool: Promise<Pool> | undefined
  const upgrades = new Set<Upgrade>()
  const drop = () => {
    const lost = pool
    pool = undefined
    void lost?.then((one) => one.end()).catch(() => undefined)
  }
  return {
    async query(text, values) {
      const current = (pool ??= openPool(config, load, upgrades))
      try {
        const { rows } = await (await current).query<Record<string, unknown>>(text, [...values])
        return rows
      } catch (error) {
        // The pool is dropped, so that a retry starts from the beginning: by then, the module may be installed, the
        // database available, or the new primary found.
        if (pool === current && (isStandby(error) || !(await isOpen(current)))) drop()
        throw error
      }
    },
    async close() {
      for (const one of upgrades) one.close()
      await pool?.then((one) => one.end()).catch(() => undefined)
    },
  }
}

/**
 * Sets the isolation level of a connection before its first statement. Behind a pooler, this setting may not last;
 * statements that conflict are then repeated.
 */
const prepare = (client: ClientBase): unknown => client.query(statements.readCommitted).catch(() => undefined)

async function openPool(config: PoolConfig, load: LoadPg, upgrades: Set<Upgrade>): Promise<Pool> {
  const { Pool } = await load().catch((error: unknown) => {
    throw isMissing(error) ? configError('storePg') : error
  })
  const settings = {
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'node-red-eid',
    ...config,
    onConnect: prepare,
  }
  const pool = new Pool(settings)
  // A connection that is lost while idle needs no action, because the next statement gets a new connection.
  pool.on('error', () => undefined)
  const isOld = await setUp(pool).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  if (isOld && upgrades.size === 0) {
    const upgrade = createUpgrade(Pool, settings)
    upgrades.add(upgrade)
    upgrade.begin()
  }
  return pool
}

function isOpen(pool: Promise<Pool>): Promise<boolean> {
  return pool.then(
    () => true,
    () => false,
  )
}

function isMissing(error: unknown): boolean {
  return /MODULE_NOT_FOUND/.test(codeOf(error))
}

/**
 * Creates the table. If several processes start at once, only one of them does this at a time. If the table exists, no
 * right to create tables is needed. Returns whether an earlier version created the table.
 */
async function setUp(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ there: boolean }>(statements.tableExists)
  if (rows[0]?.there) {
    const known = await pool.query<{ version: number }>(statements.isSetUp)
    const version = known.rows[0]?.version ?? 0
    if (version > 0) return version < statements.schemaVersion
  }
  const client = await pool.connect()
  try {
    await client.query('begin isolation level read committed')
    await client.query('select pg_advisory_xact_lock($1)', [statements.setupLock])
    for (const statement of statements.setUp) await client.query(statement)
    await client.query('commit')
    client.release()
    return false
  } catch (error) {
    // The connection is closed, which also ends the transaction.
    client.release(true)
    throw error
  }
}
