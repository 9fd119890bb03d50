/**
 * Upgrades the table of the previous version while everyone uses it: until then lists are slow, but nothing is wrong.
 */
import type { Pool, PoolClient, PoolConfig } from 'pg'
import * as statements from './statements'

export interface Upgrade {
  /** Runs in the background; what can't be done now is left to the next start. */
  begin(): void
  /** Stops waiting for it; the database finishes what it has begun. */
  close(): void
}

/** Maximum milliseconds for one step. */
const longestMs = 3_600_000

export function createUpgrade(Pool: new (config: PoolConfig) => Pool, config: PoolConfig): Upgrade {
  let closed = false
  let letGo = () => {}
  const upgrade = async () => {
    // A separate connection, because the others are for callers waiting for a result.
    const pool = new Pool({ ...config, max: 1, query_timeout: longestMs })
    pool.on('error', () => undefined)
    try {
      const client = await pool.connect()
      letGo = onlyOnce(() => client.release(true))
      if (!closed) await takeSteps(client)
    } finally {
      letGo()
      await pool.end()
    }
  }
  return {
    begin: () => void upgrade().catch(() => undefined),
    close() {
      closed = true
      letGo()
    },
  }
}

async function takeSteps(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query(statements.beginUpgrade)
  if (!rowCount) return
  try {
    const torn = await client.query(statements.isListIndexTorn)
    if (torn.rowCount) await client.query(statements.dropListIndex)
    await client.query(statements.createListIndex)
    await client.query(statements.noteVersion)
  } finally {
    await client.query(statements.endUpgrade)
  }
}

function onlyOnce(task: () => void): () => void {
  let done = false
  return () => {
    if (!done) task()
    done = true
  }
}
