/**
 * The store of one node in a SQL database: the embedded one, or one that several Node-REDs share. The database makes all
 * decisions and measures all times.
 */
import { randomUUID } from 'node:crypto'
import { EidError } from '../api/errors/errors'
import { atOnce } from '../common/in-chunks'
import { itemName } from './item-name'
import type { Cipher } from './sql/cipher'
import type { Database } from './sql/database'
import { countOf } from './sql/estimate'
import { createQuota } from './sql/quota'
import { createRowCodec, type Row, type RowCodec, type Scope } from './sql/row-codec'
import { createTogether } from './sql/together'
import { defaultLeaseMs } from './store'
import type { Claim, KeyValueStore, NewItem, Store, StoreEvent, StoreOptions, WorkQueue } from './store'

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
  /** Wakes the worker in time for work that is due in this many milliseconds. */
  notify(dueMs: number): void
}

/** Creates the store of one node. `database` is shared by all nodes and closed by its creator. */
export function createSqlStore(database: Database, cipher: Cipher, node: string, options: StoreOptions): Store {
  const { kind, version = 1, leaseMs = defaultLeaseMs, onStoreEvent = () => undefined } = options
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
    notify: (dueMs) => database.notify(node, kind, dueMs),
  }
  const unwatch = database.watch((works, error) => onStoreEvent(works ? 'back' : faultOf(error), error))
  return {
    ...keyValueStoreOf(part, options),
    ...workQueueOf(part),
    closing: options.closing,
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
  const { statements } = part.database
  const reserve = createQuota(options, statements, run)
  /**
   * Makes room for an item. If there is no room, rejects unless an item with this id exists, because replacing an item
   * needs no more room.
   */
  const roomFor = (id: string, { body, summary }: NewItem) =>
    reserve(JSON.stringify([body, summary]).length).catch(async (full: unknown) => {
      if (!(await worked(statements.exists, [itemName(id)]))) throw full
    })
  const write = async (statement: string, id: string, item: NewItem, repeatForMs: number) => {
    await roomFor(id, item)
    const rows = await run(statement, codec.newRow(id, item), repeatForMs)
    if (item.dueMs !== undefined) part.notify(item.dueMs)
    return rows.length > 0
  }
  return {
    async put(id, item) {
      // Once the item is due, another instance may have completed it, so the put must not be repeated after that.
      await write(statements.put, id, item, Math.min(item.dueMs ?? longestRepeatMs, longestRepeatMs))
    },
    add: (id, item) => write(statements.add, id, item, 0),
    async get(id) {
      const [row] = await run(statements.get, [itemName(id), version, cipher.id])
      return row && part.readable(codec.itemOf, row)
    },
    remove: (id) => worked(statements.remove, [itemName(id)]),
    async increment(id, keepMs) {
      const values = [itemName(id), version, cipher.id, codec.encryptAbout({ id }), keepMs ?? null]
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
        const texts = [codec.encryptAbout(about), codec.encryptBody(body, itemName(id))]
        await run(statements.move, [other, row.key, ...texts])
      })
      part.notify(0)
    },
  }
}

function workQueueOf(part: Part): WorkQueue {
  const { database, scope, cipher, codec, run, version, leaseMs } = part
  const { statements } = database
  const [namespace, node, kind] = scope
  /** Combines calls for different claims into one statement. */
  const together = (text: string, ...values: unknown[]) =>
    createTogether(
      async (columns) => (await run(text, [...columns, ...values])).map(({ key }) => String(key)),
      database.collect,
    )
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
      return claims.filter(({ id, owner }) => ours.has(`${itemName(id)} ${owner}`))
    },
    async markDelivered({ id, owner }) {
      const start = performance.now()
      const isOurs = await markDelivered([itemName(id), owner])
      // A process that was suspended while the statement ran may have lost the claim again.
      return isOurs && performance.now() - start < leaseMs
    },
    async reschedule(claim, dueMs, changes = {}) {
      const isOurs = await reschedule([...codec.changesOf(claim, changes), dueMs])
      if (isOurs) part.notify(dueMs)
      return isOurs
    },
    complete(claim, changes) {
      if (changes) return remain([...codec.changesOf(claim, changes), null])
      return complete([itemName(claim.id), claim.owner])
    },
    async returnClaims(claims) {
      if (claims.length === 0) return
      await Promise.all(claims.map(({ id, owner }) => returnClaims([itemName(id), owner])))
      part.notify(0)
    },
    async makeDue(subjects) {
      if (subjects.length === 0) return
      const rows = await database.run(statements.makeDue, [namespace, subjects.map(itemName)])
      for (const row of rows) database.notify(String(row.node), String(row.kind), 0)
    },
    ready: (signal) => database.ready(node, kind, signal),
  }
}

function keysOf(claims: readonly Claim[]): [string[], string[]] {
  return [claims.map(({ id }) => itemName(id)), claims.map(({ owner }) => owner)]
}

/** The event for a database that does not work any more. */
function faultOf(error: unknown): StoreEvent {
  const key = error instanceof EidError ? error.text.key : ''
  if (/^config\.store(Unwritten|ReadOnly)$/.test(key)) return 'unwritten'
  return /^config\.store(Unread|Owned|Newer|Broken)$/.test(key) ? 'unread' : 'away'
}
