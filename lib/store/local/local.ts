/** A store in this process: on files, in a context store, or only in memory. */
import { systemClock, type Clock } from '../clock'
import { atOnce, inChunks } from '../../common/in-chunks'
import { defaultLeaseMs } from '../store'
import type { Changes, Claim, Item, Listed, NewItem, Store, StoreOptions } from '../store'
import { Claims } from './claims'
import { changeEntry, isExpired, listedOf, newEntry, type Entry } from './entry'
import { ItemIndex } from './item-index'
import { ItemLog } from './item-log'
import { forgottenFor } from './make-room'
import { Puts } from './puts'
import type { TextLog } from './text-log'
import { createWorkSignal, type WorkSignal } from './work-signal'

/** Every open store of this process, because an event about a subject is passed to all of them. */
const openStores = new Set<LocalStore>()

const sweepMs = 30_000
/** The number of items that are added to the index in one turn of the event loop. */
const setAtOnce = 2_000
/** The number of items that are moved to another node at the same time. */
const movedAtOnce = 64
/** Milliseconds before a folder that can't be read is retried. */
const retryMs = 2_000

/** A store in this process. Every call waits until the store has read what an earlier process stored. */
export class LocalStore implements Store {
  readonly #clock: Clock
  readonly #index = new ItemIndex()
  readonly #log: ItemLog
  readonly #puts: Puts
  readonly #claims: Claims
  readonly #signal: WorkSignal
  readonly #sweep: NodeJS.Timeout
  readonly #siblings: ((nodeId: string) => LocalStore) | undefined
  #options: StoreOptions
  #loaded: Promise<void>
  #seq = 0
  #closed = false

  /**
   * If `siblings` is given, the store stays open over deploys, until the process ends. It returns the store of another
   * node for the same kind.
   */
  constructor(
    options: StoreOptions,
    log?: TextLog,
    clock: Clock = systemClock,
    siblings?: (nodeId: string) => LocalStore,
  ) {
    this.#options = options
    this.#clock = clock
    this.#siblings = siblings
    const onStoreEvent: StoreOptions['onStoreEvent'] = (event, error) => this.#options.onStoreEvent(event, error)
    this.#log = new ItemLog({ index: this.#index, log, clock, onStoreEvent })
    this.#puts = new Puts(this.#index, this.#log)
    this.#signal = createWorkSignal(clock, () => this.#index.due.peekAt())
    const parts = { index: this.#index, log: this.#log, signal: this.#signal, clock }
    this.#claims = new Claims({ ...parts, version: () => versionOf(this.#options) })
    this.#loaded = log ? this.#load(false) : Promise.resolve()
    // The rejection is ignored here, because every call rejects with the same error.
    this.#loaded.catch(() => undefined)
    this.#sweep = setInterval(() => this.#forgetExpired(), sweepMs).unref()
    openStores.add(this)
  }

  get leaseMs(): number {
    return this.#options.leaseMs ?? defaultLeaseMs
  }

  /** Hands the same store to the node of the next deploy, and releases the claims that the previous node still has. */
  reopen(options: StoreOptions): this {
    this.#options = options
    for (const entry of this.#index.values()) {
      if (entry.owner !== undefined && !this.#puts.isPutting(entry)) this.#claims.giveUp(entry)
    }
    return this
  }

  async put(id: string, item: NewItem): Promise<void> {
    await this.#loaded
    const before = this.#find(id)
    await this.#keep(this.#entryFor(id, item, before), before)
  }

  async add(id: string, item: NewItem): Promise<boolean> {
    await this.#loaded
    for (let before = this.#find(id); before; before = this.#find(id)) {
      if (!this.#log.isPending(before)) return false
      // Waits until the item is stored, because the answer to the caller must still be true after a crash.
      await this.#log.settle(before)
      if (this.#find(id) === before) return false
    }
    await this.#keep(this.#entryFor(id, item))
    return true
  }

  async get(id: string): Promise<Item | undefined> {
    await this.#loaded
    const entry = this.#find(id)
    return entry && this.#isKnown(entry) ? this.#log.read(entry) : undefined
  }

  async remove(id: string): Promise<boolean> {
    await this.#loaded
    const entry = this.#find(id)
    if (entry) await this.#claims.remove(entry)
    return entry !== undefined
  }

  async increment(id: string, keepMs?: number): Promise<number> {
    await this.#loaded
    const before = this.#find(id)
    const entry = before ?? this.#entryFor(id, { keepMs })
    // If the raised count of an existing item can't be saved, the count stays raised, because the write is retried
    // later.
    const count = ++entry.count
    await (before ? this.#log.save(entry) : this.#keep(entry))
    return count
  }

  async list({ limit = 1000, after = 0 }: { limit?: number; after?: number } = {}): Promise<Listed[]> {
    await this.#loaded
    this.#log.assertAllRead()
    const now = this.#clock.now()
    const found: Listed[] = []
    for (const entry of this.#index.after(after)) {
      if (found.length >= limit) break
      if (isExpired(entry, now) || !this.#isKnown(entry)) continue
      found.push(listedOf(entry, this.#clock))
    }
    return found
  }

  async count(): Promise<number> {
    await this.#loaded
    return this.#index.size
  }

  async clear(): Promise<void> {
    await this.#loaded.catch(() => undefined)
    this.#index.clear()
    await this.#log.clear()
  }

  async takeFrom(nodeId: string): Promise<void> {
    const from = this.#siblings?.(nodeId)
    if (!from || from === this) return
    await Promise.all([this.#loaded, from.#loaded])
    // Several at once, because each write waits for the disk.
    await atOnce([...from.#index.values()], movedAtOnce, async (entry) => {
      const known = this.#find(entry.id)
      if (!known) {
        const item = await from.#log.read(entry)
        if (!item) return
        const moved = newEntry(entry.id, ++this.#seq, entry.since, entry.createdAt)
        const text = item.body === undefined ? '' : JSON.stringify(item.body)
        const { version, summary, subject, deliveryCount, due, expires, count, bytes } = entry
        await this.#keep(
          Object.assign(moved, { version, summary, subject, deliveryCount, due, expires, count, bytes, text }),
        )
      }
      // An item of the same age was moved before a crash.
      if (!known || known.since === entry.since) await from.remove(entry.id)
    })
  }

  async claim(limit: number, options?: { readonly markedDelivered?: boolean }): Promise<Claim[]> {
    await this.#loaded
    return this.#claims.claim(limit, options)
  }

  renew(claims: readonly Claim[]): Promise<Claim[]> {
    return Promise.resolve(claims.filter((claim) => this.#claims.held(claim)))
  }

  markDelivered(claim: Claim): Promise<boolean> {
    return this.#claims.markDelivered(claim)
  }

  reschedule(claim: Claim, dueMs: number, changes?: Changes): Promise<boolean> {
    return this.#claims.reschedule(claim, dueMs, changes)
  }

  complete(claim: Claim, remain?: Changes): Promise<boolean> {
    return this.#claims.complete(claim, remain)
  }

  async returnClaims(claims: readonly Claim[]): Promise<void> {
    await Promise.all(claims.map((claim) => this.reschedule(claim, 0)))
  }

  makeDue(subjects: readonly string[]): Promise<void> {
    for (const store of openStores) store.#claims.makeDue(subjects)
    return Promise.resolve()
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#loaded.catch(() => undefined)
    await this.#signal.wait(signal)
  }

  /** Resolves when everything is stored, or when writing has failed. */
  async flush(): Promise<void> {
    await this.#loaded.catch(() => undefined)
    await this.#log.flush()
  }

  async close(): Promise<void> {
    await this.flush()
    if (this.#siblings) return
    openStores.delete(this)
    this.#closed = true
    clearInterval(this.#sweep)
    this.#log.close()
  }

  /**
   * Reads the stored items. If nothing at all can be read, rejects and tries again later. Until a try succeeds, every
   * call of the store rejects.
   */
  async #load(again: boolean): Promise<void> {
    try {
      const found = await this.#log.load()
      found.sort((one, other) => one.seq - other.seq)
      await inChunks(found, setAtOnce, (part) => part.forEach((entry) => this.#index.set(entry)))
      this.#seq = found.at(-1)?.seq ?? 0
    } catch (error) {
      if (!again) this.#options.onStoreEvent('unread', error)
      const timer = setTimeout(() => {
        if (this.#closed) return
        const loaded = this.#load(true)
        // Until a retry succeeds, calls are rejected as before and don't wait.
        loaded.then(() => (this.#loaded = loaded)).catch(() => undefined)
      }, retryMs)
      timer.unref()
      throw error
    }
    if (again) this.#options.onStoreEvent('back')
    this.#log.readLate((entry) => this.#setLate(entry))
    this.#signal.notify()
  }

  #setLate(entry: Entry): void {
    if (this.#index.find(entry.id)) return
    this.#seq = Math.max(this.#seq, entry.seq)
    this.#index.set(entry)
    this.#signal.notify()
  }

  /** The item with this id, unless it has expired. Throws if the item can't be read at the moment. */
  #find(id: string): Entry | undefined {
    const entry = this.#index.find(id)
    if (!entry) this.#log.assertRead(id)
    if (!entry || !isExpired(entry, this.#clock.now())) return entry
    this.#forget(entry)
    return undefined
  }

  #entryFor(id: string, item: NewItem, before?: Entry): Entry {
    const { seq = ++this.#seq, since = this.#clock.epochNow(), createdAt = this.#clock.now() } = before ?? {}
    const entry = newEntry(id, seq, since, createdAt)
    changeEntry(entry, item, this.#clock)
    entry.version = versionOf(this.#options)
    if (item.dueMs !== undefined) entry.due = this.#clock.now() + item.dueMs
    return entry
  }

  /** Stores a new entry, which replaces `before`. Rejects if the entry can't be written; then nothing has changed. */
  async #keep(entry: Entry, before?: Entry): Promise<void> {
    for (const one of forgottenFor(this.#index, this.#options, entry, before)) this.#forget(one)
    await this.#puts.put(entry, before)
    if (this.#index.due.peek() === entry) this.#signal.notify()
  }

  #isKnown(entry: Entry): boolean {
    return entry.version <= versionOf(this.#options)
  }

  /** Removes an entry without waiting for the result. */
  #forget(entry: Entry): void {
    void this.#claims.remove(entry)
  }

  #forgetExpired(): void {
    const now = this.#clock.now()
    for (const entry of this.#index.values()) if (isExpired(entry, now)) this.#forget(entry)
  }
}

function versionOf({ version = 1 }: StoreOptions): number {
  return version
}
