/**
 * One of several processes that handle the same waits, as the nodes of a Node-RED do. Reports to its parent what it
 * sends.
 */
import type { PoolConfig } from 'pg'
import { createDatabase, type LoadPg } from '../../../lib/store/drivers/postgres/database'
import { createSqlStore } from '../../../lib/store/sql-store'
import { createCipher } from '../../../lib/store/sql/cipher'
import type { Claim } from '../../../lib/store/store'
import { startWorker } from '../../../lib/store/worker'

export interface SeveralTask {
  readonly url: string
  readonly namespace: string
  readonly leaseMs: number
  /** How often each wait polls before it ends, and the milliseconds in between. */
  readonly questions: number
  readonly pauseMs: number
}

/** The report that a message has left the node. */
export interface Sent {
  readonly id: string
  readonly redelivered: boolean
  /** The number of statements that this process has made so far. */
  readonly statements: number
}

const task = JSON.parse(process.argv[2] ?? '') as SeveralTask
const { url, namespace, leaseMs, questions, pauseMs } = task
let statements = 0
const load: LoadPg = async () => {
  const { Pool } = (await import('pg')).default
  // Every statement acquires a connection of the pool, including those that look for work.
  const Counting = class extends Pool {
    constructor(config: PoolConfig) {
      super(config)
      this.on('acquire', () => statements++)
    }
  }
  return { Pool: Counting }
}
const database = createDatabase({ config: { connectionString: url }, namespace, load })
const troubled = () => undefined
const store = createSqlStore(database, createCipher(''), 'wait', {
  kind: 'waits',
  leaseMs,
  onStoreEvent: troubled,
})

async function work(claim: Claim): Promise<void> {
  const { asked } = claim.body as { asked: number }
  if (asked < questions) return void (await store.reschedule(claim, pauseMs, { body: { asked: asked + 1 } }))
  if (!(await store.markDelivered(claim))) return
  const sent: Sent = { id: claim.id, redelivered: claim.deliveryCount > 0, statements }
  process.send?.(sent)
  await store.complete(claim)
}

// Work that fails because of the database is tried again.
startWorker({ store, parallel: 32, work, failed: () => undefined })
process.send?.({ ready: true })
