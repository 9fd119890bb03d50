/**
 * The store of one node in a PostgreSQL database that several Node-REDs share. The database makes all decisions and
 * measures all times.
 */
import { randomUUID } from 'node:crypto'
import { atOnce } from '../../common/in-chunks'
import { nameOf } from '../item-name'
import { defaultLeaseMs } from '../store'
import type { Claim, KeyValueStore, Listed, NewItem, Store, StoreOptions, WorkQueue } from '../store'
import type { Cipher } from './cipher'
import type { Database } from './database'
import { countOf } from './estimate'
import { createQuota } from './quota'
import { createRowCodec, type Row, type RowCodec, type Scope } from './row-codec'
import * as statements from './statements'
import { createTogether } from './together'

/** The data and functions that the key-value store and the work queue share. */
interface Part {
  readonly database: Database
  readonly scope: Scope
  readonly cipher: Cipher
  readonly codec: RowCodec
  readonly version: number
  readonly leaseMs: number
  /** Runs one statement on the rows of this node and kind. */
  run(text: string, values?: readonly unknown[], repeatForMs?: number): Promise<Row[]>
  /** Whether the statement found a row. */
  worked(text: string, values: readonly unknown[]): Promise<boolean>
  /**
   * Returns the result of `read` for a row, or undefined if the row is damaged. Only the first damaged row is reported.
   */
  readable<T>(read: (row: Row) => T, row: Row): T | undefined
  /** Wakes the worker, because there is work now. */
  notify(): void
}

/** Creates the store of one node. `database` is shared by all nodes and closed by its creator. */
export function createPostgresStore(database: Database, cipher: Cipher, node: string, options: StoreOptions): Store {
  const { kind, version = 1, leaseMs = defaultLeaseMs, onStoreEvent } = options
  const scope: Scope = [database.namespace, node, kind]
  const run: Part['run'] = (text, values = [], repeatForMs = 0) =>
    database.run(text, [...scope, ...values], repeatForMs)
  let toldUnreadable = false
  const part: Part = {
    database,
    scope,
    cipher,
    version,
    leaseMs,
    run,
    codec: createRowCodec(cipher, scope, version),
    worked: async (text, values) => (await run(text, values)).length > 0,
    readable(read, row) {
      try {
        return read(row)
      } catch (error) {
        if (!toldUnreadable) onStoreEvent('unreadable', error)
        toldUnreadable = true
        return undefined
      }
    },
    notify: () => database.notify(node, kind),
  }
  const unwatch = database.watch((there, error) => onStoreEvent(there ? 'back' : 'away', error))
  return {
    ...keyValueStoreOf(part, options),
    ...workQueueOf(part),
    close() {
      unwatch()
      return Promise.resolve()
    },
  }
}

/** Milliseconds for which a put is repeated if its response was lost with the connection. */
const longestRepeatMs = 20_000

/** The number of items that are moved to another node at the same time. */
const movedAtOnce = 16

function keyValueStoreOf(part: Part, options: StoreOptions): KeyValueStore {
  const { cipher, codec, run, scope, worked, version } = part
  const reserve = createQuota(options, run)
  /**
   * Makes room for an item. If there is no room, rejects unless an item with this id exists, because replacing an item
   * needs no more room.
   */
  const roomFor = (id: string, { body, summary }: NewItem) =>
    reserve(JSON.stringify([body, summary]).length).catch(async (full: unknown) => {
      if (!(await worked(statements.exists, [nameOf(id)]))) throw full
    })
  const write = async (statement: string, id: string, item: NewItem, repeatForMs: number) => {
    await roomFor(id, item)
    const rows = await run(statement, codec.newRow(id, item), repeatForMs)
    if (item.dueMs === 0) part.notify()
    return rows.length > 0
  }
  return {
    async put(id, item) {
      // Once the item is due, another instance may have completed it, so the put must not be repeated after that.
      await write(statements.put, id, item, Math.min(item.dueMs ?? longestRepeatMs, longestRepeatMs))
    },
    add: (id, item) => write(statements.add, id, item, 0),
    async get(id) {
      const [row] = await run(statements.get, [nameOf(id), version, cipher.id])
      return row && part.readable(codec.itemOf, row)
    },
    remove: (id) => worked(statements.remove, [nameOf(id)]),
    async increment(id, keepMs) {
      const values = [nameOf(id), version, cipher.id, codec.encryptAbout({ id }), keepMs ?? null]
      const [row] = await run(statements.increment, values)
      return Number(row?.count)
    },
    async list({ limit = 1000, after = 0 } = {}) {
      const rows = await run(statements.list, [version, cipher.id, after, limit])
      return rows.map((row) => part.readable(codec.listedOf, row)).filter((one) => one !== undefined)
    },
    async count() {
      return countOf(await run(statements.count))
    },
    async clear() {
      await run(statements.clear)
    },
    async takeFrom(other) {
      const [namespace, , kind] = scope
      const theirs = createRowCodec(cipher, [namespace, other, kind], version)
      const rows = await part.database.run(statements.allOf, [namespace, other, kind, version, cipher.id])
      await atOnce(rows, movedAtOnce, async (row) => {
        const item = part.readable(theirs.itemOf, row)
        if (!item) return
        const { id, summary, subject, body } = item
        const about = subject === '' ? { id, summary } : { id, summary, subject }
        const texts = [codec.encryptAbout(about), codec.encryptBody(body, nameOf(id))]
        await run(statements.move, [other, row.key, ...texts])
      })
      part.notify()
    },
  }
}

function workQueueOf(part: Part): WorkQueue {
  const { database, scope, cipher, codec, run, version, leaseMs } = part
  const [namespace, node, kind] = scope
  /** Combines calls for different claims into one statement. */
  const together = (text: string, ...values: unknown[]) =>
    createTogether(async (columns) => (await run(text, [...columns, ...values])).map(({ key }) => String(key)))
  const markDelivered = together(statements.markDelivered, leaseMs)
  const reschedule = together(statements.reschedule)
  const remain = together(statements.remain)
  const complete = together(statements.complete)
  const returnClaims = together(statements.returnClaims)
  return {
    leaseMs,
    async claim(limit, { markedDelivered = false } = {}) {
      const owner = randomUUID()
      const marked = markedDelivered ? 1 : 0
      const rows = await run(statements.claim, [version, cipher.id, limit, owner, leaseMs, marked])
      rows.sort((one, other) => Number(one.due) - Number(other.due) || Number(one.seq) - Number(other.seq))
      const claims: Claim[] = []
      for (const row of rows) {
        const item = part.readable(codec.itemOf, row)
        // `deliveryCount` is the number of deliveries before this one.
        if (item) claims.push({ ...item, owner, deliveryCount: item.deliveryCount - marked })
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
      const isOurs = await markDelivered([nameOf(id), owner])
      // A process that was suspended while the statement ran may have lost the claim again.
      return isOurs && performance.now() - start < leaseMs
    },
    async reschedule(claim, dueMs, changes = {}) {
      const isOurs = await reschedule([...codec.changesOf(claim, changes), dueMs])
      if (isOurs && dueMs === 0) part.notify()
      return isOurs
    },
    complete(claim, changes) {
      if (changes) return remain([...codec.changesOf(claim, changes), null])
      return complete([nameOf(claim.id), claim.owner])
    },
    async returnClaims(claims) {
      if (claims.length === 0) return
      await Promise.all(claims.map(({ id, owner }) => returnClaims([nameOf(id), owner])))
      part.notify()
    },
    async makeDue(subjects) {
      if (subjects.length === 0) return
      const rows = await database.run(statements.makeDue, [namespace, subjects.map(nameOf)])
      for (const row of rows) database.notify(String(row.node), String(row.kind))
    },
    ready: (signal) => database.ready(node, kind, signal),
  }
}

const pageSize = 1000

export type ListedOfNode = Listed & { readonly node: string }

/**
 * Lists the items of one kind for all nodes in all Node-REDs that share the database. The items are in the order in
 * which they were first stored. Items that can't be read are left out.
 */
export async function listKind(database: Database, cipher: Cipher, kind: string): Promise<ListedOfNode[]> {
  const found: ListedOfNode[] = []
  for (let after = 0; ;) {
    const rows = await database.run(statements.listKind, [database.namespace, kind, cipher.id, after, pageSize])
    for (const row of rows) found.push(...readableOf(database, cipher, kind, row))
    if (rows.length < pageSize) return found
    after = Number(rows.at(-1)?.seq)
  }
}

/** The item with this id, whichever node stores it; undefined if the item does not exist or can't be read. */
export async function findOfKind(
  database: Database,
  cipher: Cipher,
  kind: string,
  id: string,
): Promise<ListedOfNode | undefined> {
  const rows = await database.run(statements.findKind, [database.namespace, kind, cipher.id, nameOf(id)])
  return rows.flatMap((row) => readableOf(database, cipher, kind, row))[0]
}

function readableOf(database: Database, cipher: Cipher, kind: string, row: Row): ListedOfNode[] {
  const node = String(row.node)
  try {
    return [{ ...createRowCodec(cipher, [database.namespace, node, kind], 1).listedOf(row), node }]
  } catch {
    // The node that stores the item reports that the item can't be read.
    return []
  }
}

function keysOf(claims: readonly Claim[]): [string[], string[]] {
  return [claims.map(({ id }) => nameOf(id)), claims.map(({ owner }) => owner)]
}
