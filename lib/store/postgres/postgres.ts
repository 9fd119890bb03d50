/**
 * One node's part of a store in PostgreSQL, which several Node-REDs share: all times and all decisions are
 * the database's.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from './database'
import { nameOf } from '../item-name'
import { createQuota } from './quota'
import type { Cipher } from './cipher'
import * as statements from './statements'
import { defaultLeaseMs } from '../store'
import type { Changes, Claim, Item, Listed, NewItem, Store, StoreOptions } from '../store'

interface About {
  readonly id: string
  readonly summary?: unknown
  readonly subject?: string
}

type Row = Record<string, unknown>

/** `database` is shared by all nodes and closed by who has made it. */
export function createPostgresStore(database: Database, cipher: Cipher, node: string, options: StoreOptions): Store {
  const { kind, version = 1, leaseMs = defaultLeaseMs, onStoreEvent } = options
  const scope = [database.namespace, node, kind]
  const run = (text: string, values: readonly unknown[] = []) => database.run(text, [...scope, ...values])
  const worked = async (text: string, values: readonly unknown[]) => (await run(text, values)).length > 0
  const reserve = createQuota(options, run)
  const aad = (key: string) => aadOf(scope, key)
  const unwatch = database.watch((there, error) => onStoreEvent(there ? 'back' : 'away', error))
  let toldUnreadable = false

  const encryptAbout = (about: About, key: string) => cipher.encrypt(JSON.stringify(about), aad(key))
  const encryptBody = (body: unknown, key: string) =>
    body === undefined ? '' : cipher.encrypt(JSON.stringify(body), `${aad(key)}\nbody`)

  const write = async (statement: string, id: string, { body, summary, subject, dueMs, keepMs }: NewItem) => {
    const key = nameOf(id)
    const about = encryptAbout({ id, summary, subject }, key)
    const text = encryptBody(body, key)
    const rows = await run(statement, [
      ...[key, version, cipher.id, about, text, subject === undefined ? null : nameOf(subject)],
      ...[dueMs ?? null, keepMs ?? null],
    ])
    if (dueMs === 0) database.nudge(node, kind)
    return rows.length > 0
  }
  /** What is there already needs no room. */
  const roomFor = (id: string, { body, summary }: NewItem) =>
    reserve(JSON.stringify([body, summary]).length).catch(async (full: unknown) => {
      if (!(await worked(statements.exists, [nameOf(id)]))) throw full
    })

  /** Undefined for a row that can't be read: told once, and left. */
  const listedOf = (row: Row): Listed | undefined => {
    try {
      return readListed(row, cipher, aad(String(row.key)))
    } catch (error) {
      return unreadable(error)
    }
  }
  const itemOf = (row: Row): Item | undefined => {
    const listed = listedOf(row)
    if (!listed) return undefined
    try {
      const text = String(row.body)
      const body =
        text === '' ? undefined : (JSON.parse(cipher.decrypt(text, `${aad(String(row.key))}\nbody`)) as unknown)
      return { ...listed, body, version: Number(row.version), ageMs: Number(row.age) }
    } catch (error) {
      return unreadable(error)
    }
  }
  const unreadable = (error: unknown): undefined => {
    if (!toldUnreadable) onStoreEvent('unreadable', error)
    toldUnreadable = true
  }

  /** What `later` and `finish` change, in the order of the statements. */
  const changesOf = (claim: Claim, changes: Changes): unknown[] => {
    const key = nameOf(claim.id)
    const { id, summary = claim.summary, subject = claim.subject } = { ...changes, id: claim.id }
    const about = encryptAbout({ id, summary, subject }, key)
    const body = changes.body === undefined ? null : encryptBody(changes.body, key)
    const written = changes.body === undefined ? null : version
    return [key, claim.owner, about, subject === '' ? null : nameOf(subject), changes.keepMs ?? null, written, body]
  }

  return {
    leaseMs,
    async put(id, item) {
      await roomFor(id, item)
      await write(statements.put, id, item)
    },
    async add(id, item) {
      await roomFor(id, item)
      return write(statements.add, id, item)
    },
    async get(id) {
      const [row] = await run(statements.get, [nameOf(id), version, cipher.id])
      return row && itemOf(row)
    },
    remove: (id) => worked(statements.remove, [nameOf(id)]),
    async increment(id, keepMs) {
      const key = nameOf(id)
      const [row] = await run(statements.increment, [
        key,
        version,
        cipher.id,
        encryptAbout({ id }, key),
        keepMs ?? null,
      ])
      return Number(row?.count)
    },
    async list({ limit = 1000, after = 0 } = {}) {
      const rows = await run(statements.list, [version, cipher.id, after, limit])
      return rows.map(listedOf).filter((one) => one !== undefined)
    },
    async count() {
      const [row] = await run(statements.count)
      return Number(row?.count)
    },
    async clear() {
      await run(statements.clear)
    },
    async claim(limit, { markedDelivered = false } = {}) {
      const owner = randomUUID()
      const rows = await run(statements.claim, [version, cipher.id, limit, owner, leaseMs, markedDelivered ? 1 : 0])
      rows.sort((one, other) => Number(one.due) - Number(other.due) || Number(one.seq) - Number(other.seq))
      const claims: Claim[] = []
      for (const row of rows) {
        const item = itemOf(row)
        // How often it was handed out before this time.
        if (item) claims.push({ ...item, owner, deliveryCount: item.deliveryCount - (markedDelivered ? 1 : 0) })
        else await run(statements.setAside, [row.key, owner])
      }
      return claims
    },
    async renew(claims) {
      if (claims.length === 0) return []
      const rows = await run(statements.renew, [...keysOf(claims), leaseMs])
      const ours = new Set(rows.map(({ key, owner }) => `${String(key)} ${String(owner)}`))
      return claims.filter(({ id, owner }) => ours.has(`${nameOf(id)} ${owner}`))
    },
    async markDelivered({ id, owner }) {
      const start = performance.now()
      const isOurs = await worked(statements.handOut, [nameOf(id), owner, leaseMs])
      // A process that was stopped in between may have lost it again.
      return isOurs && performance.now() - start < leaseMs
    },
    async reschedule(claim, dueMs, changes = {}) {
      const isOurs = await worked(statements.later, [...changesOf(claim, changes), dueMs])
      if (isOurs && dueMs === 0) database.nudge(node, kind)
      return isOurs
    },
    complete(claim, remain) {
      if (remain) return worked(statements.remain, changesOf(claim, remain))
      return worked(statements.finish, [nameOf(claim.id), claim.owner])
    },
    async returnClaims(claims) {
      if (claims.length === 0) return
      await run(statements.release, keysOf(claims))
      database.nudge(node, kind)
    },
    async makeDue(subjects) {
      if (subjects.length === 0) return
      const rows = await database.run(statements.wake, [database.namespace, subjects.map(nameOf)])
      for (const row of rows) database.nudge(String(row.node), String(row.kind))
    },
    ready: (signal) => database.ready(node, kind, signal),
    /** A node that was deleted here may be there in another Node-RED: what it kept stays, unless its time is over. */
    close() {
      unwatch()
      return Promise.resolve()
    },
  }
}

/** Throws when the row can't be read. */
function readListed(row: Row, cipher: Cipher, aad: string): Listed {
  const { id, summary, subject = '' } = JSON.parse(cipher.decrypt(String(row.about), aad)) as About
  const position = Number(row.seq)
  const listed = { id, summary, subject, since: Number(row.since), deliveryCount: Number(row.handed), position }
  return row.due === null ? listed : { ...listed, due: Number(row.due) }
}

const pageSize = 1000

/**
 * What all nodes of all Node-REDs that share the database keep for one purpose, in the order in which it was first
 * kept; what can't be read is left out.
 */
export async function listKind(
  database: Database,
  cipher: Cipher,
  kind: string,
): Promise<(Listed & { node: string })[]> {
  const found: (Listed & { node: string })[] = []
  for (let after = 0; ;) {
    const rows = await database.run(statements.listKind, [database.namespace, kind, cipher.id, after, pageSize])
    for (const row of rows) {
      const node = String(row.node)
      try {
        found.push({ ...readListed(row, cipher, aadOf([database.namespace, node, kind], String(row.key))), node })
      } catch {
        // Whoever keeps it tells that it can't be read.
      }
    }
    if (rows.length < pageSize) return found
    after = Number(rows.at(-1)?.seq)
  }
}

const aadOf = (scope: readonly string[], key: string) => [...scope, key].join('\n')

function keysOf(claims: readonly Claim[]): [string[], string[]] {
  return [claims.map(({ id }) => nameOf(id)), claims.map(({ owner }) => owner)]
}
