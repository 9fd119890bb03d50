/**
 * Upgrades the table of the previous version while it is in use. Until the upgrade is done, lists are slow, but all
 * results are correct.
 */
import type { Pool, PoolClient, PoolConfig } from 'pg'
import * as statements from './statements'

export interface Upgrade {
  /** Runs the upgrade in the background. If a step can't be done now, the next start tries again. */
  begin(): void
  /** Stops waiting for the upgrade; the database finishes the step that it has begun. */
  close(): void
}

/** The maximum number of milliseconds for one step. */
const longestMs = 3_600_000

export function createUpgrade(Pool: new (config: PoolConfig) => Pool, config: PoolConfig): Upgrade {
  let closed = false
  let letGo = () => {}
  const upgrade = async () => {
    // The upgrade uses a separate connection, because callers wait for results on the other connections.
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
