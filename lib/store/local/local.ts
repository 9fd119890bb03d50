/** A store that lives in this process, over files, over a context store, or in memory alone. */
import { randomUUID } from 'node:crypto'
import { systemClock, type Clock } from '../clock'
import { changeEntry, isExpired, listedOf, newEntry, type Entry } from './entry'
import { Keeper } from './keeper'
import { createNudge, type Nudge } from './nudge'
import { defaultLeaseMs } from '../store'
import type { Changes, Claim, Item, Listed, NewItem, Store, StoreOptions } from '../store'
import type { Persistence } from './writer'

/** Every open store of this process: what happens to a subject concerns all of them. */
const openStores = new Set<LocalStore>()

/** What an earlier process has kept is read first; until then every call waits. */
export class LocalStore implements Store {
  readonly #keeper: Keeper
  readonly #clock: Clock
  readonly #nudge: Nudge

  constructor(options: StoreOptions, persistence?: Persistence, clock: Clock = systemClock) {
    this.#clock = clock
    this.#keeper = new Keeper(options, persistence, clock)
    this.#nudge = createNudge(clock, () => this.#keeper.shelf.firstDueAt())
    openStores.add(this)
  }

  get leaseMs(): number {
    return this.#keeper.options.leaseMs ?? defaultLeaseMs
  }

  /** The same store for the node of the next deploy. */
  reopen(options: StoreOptions): this {
    this.#keeper.options = options
    return this
  }

  async put(id: string, item: NewItem): Promise<void> {
    await this.#keeper.loaded
    const before = this.#keeper.find(id)
    const entry = this.#entryFor(id, item, before)
    this.#keeper.makeRoom(entry, before)
    await this.#set(entry)
  }

  async add(id: string, item: NewItem): Promise<boolean> {
    await this.#keeper.loaded
    const before = this.#keeper.find(id)
    if (before) {
      await this.#keeper.settled(before)
      return false
    }
    const entry = this.#entryFor(id, item)
    this.#keeper.makeRoom(entry)
    await this.#set(entry)
    return true
  }

  async get(id: string): Promise<Item | undefined> {
    await this.#keeper.loaded
    const entry = this.#keeper.find(id)
    return entry && this.#isKnown(entry) ? this.#keeper.read(entry) : undefined
  }

  async remove(id: string): Promise<boolean> {
    await this.#keeper.loaded
    const entry = this.#keeper.find(id)
    if (entry) await this.#keeper.remove(entry)
    return entry !== undefined
  }

  async increment(id: string, keepMs?: number): Promise<number> {
    await this.#keeper.loaded
    const before = this.#keeper.find(id)
    const entry = before ?? this.#entryFor(id, { keepMs })
    const count = ++entry.count
    if (!before) this.#keeper.makeRoom(entry)
    await (before ? this.#keeper.save(entry) : this.#set(entry))
    return count
  }

  async list({ limit = 1000, after = 0 }: { limit?: number; after?: number } = {}): Promise<Listed[]> {
    await this.#keeper.loaded
    const now = this.#clock.now()
    const found: Listed[] = []
    // Sorting or copying all of them for each page would take longer than a turn of the loop may.
    for (const entry of this.#keeper.shelf.values()) {
      if (found.length >= limit) break
      if (entry.seq <= after || isExpired(entry, now) || !this.#isKnown(entry)) continue
      found.push(listedOf(entry, this.#clock))
    }
    return found
  }

  async count(): Promise<number> {
    await this.#keeper.loaded
    return this.#keeper.shelf.size
  }

  clear(): Promise<void> {
    return this.#keeper.clear()
  }

  async claim(limit: number, { markedDelivered = false }: { markedDelivered?: boolean } = {}): Promise<Claim[]> {
    await this.#keeper.loaded
    const entries = this.#takeDue(limit)
    const claims = await Promise.all(entries.map((entry) => this.#claimOf(entry, markedDelivered)))
    return claims.filter((claim) => claim !== undefined)
  }

  renew(claims: readonly Claim[]): Promise<Claim[]> {
    const ours = claims.filter((claim) => {
      const entry = this.#held(claim)
      if (entry) this.#lease(entry, claim.owner)
      return entry !== undefined
    })
    return Promise.resolve(ours)
  }

  async markDelivered(claim: Claim): Promise<boolean> {
    const entry = this.#held(claim)
    if (!entry) return false
    entry.handedOut++
    this.#lease(entry, claim.owner)
    await this.#keeper.save(entry)
    return this.#held(claim) !== undefined
  }

  async reschedule(claim: Claim, dueMs: number, changes: Changes = {}): Promise<boolean> {
    return this.#endClaim(claim, changes, (entry) => {
      entry.due = this.#clock.now() + (entry.woken ? 0 : dueMs)
    })
  }

  async complete(claim: Claim, remain?: Changes): Promise<boolean> {
    if (remain) {
      return this.#endClaim(claim, remain, (entry) => {
        if (remain.body === undefined) Object.assign(entry, { text: '', bytes: 0 })
        entry.due = undefined
      })
    }
    const entry = this.#held(claim)
    if (entry) await this.#keeper.remove(entry)
    return entry !== undefined
  }

  async returnClaims(claims: readonly Claim[]): Promise<void> {
    await Promise.all(claims.map((claim) => this.reschedule(claim, 0)))
  }

  makeDue(subjects: readonly string[]): Promise<void> {
    for (const store of openStores) store.#wakeOwn(subjects)
    return Promise.resolve()
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#keeper.loaded
    await this.#nudge.wait(signal)
  }

  /** Resolves when everything is written. */
  flush(): Promise<void> {
    return this.#keeper.flush()
  }

  async close(removed: boolean): Promise<void> {
    openStores.delete(this)
    if (removed) await this.clear()
    await this.flush()
    this.#keeper.end()
  }

  #entryFor(id: string, item: NewItem, before?: Entry): Entry {
    const { seq = this.#keeper.nextSeq(), since = this.#clock.epochNow(), born = this.#clock.now() } = before ?? {}
    const entry = newEntry(id, seq, since, born)
    changeEntry(entry, item, this.#clock)
    entry.version = this.#version
    if (item.dueMs !== undefined) entry.due = this.#clock.now() + item.dueMs
    return entry
  }

  get #version(): number {
    return this.#keeper.options.version ?? 1
  }

  #isKnown(entry: Entry): boolean {
    return entry.version <= this.#version
  }

  /** The entry of a claim that still is ours. */
  #held({ id, owner }: Claim): Entry | undefined {
    const entry = this.#keeper.shelf.find(id)
    const held = entry?.lease?.owner === owner && entry.lease.until > this.#clock.now()
    return held ? entry : undefined
  }

  #lease(entry: Entry, owner: string): void {
    this.#keeper.shelf.change(entry, () => (entry.lease = { owner, until: this.#clock.now() + this.leaseMs }))
  }

  #takeDue(limit: number): Entry[] {
    const now = this.#clock.now()
    const taken: Entry[] = []
    while (taken.length < limit) {
      const entry = this.#keeper.shelf.takeDue(now)
      if (!entry) break
      if (isExpired(entry, now)) this.#keeper.forget(entry)
      else if (this.#isKnown(entry)) {
        entry.woken = false
        this.#lease(entry, randomUUID())
        taken.push(entry)
      }
    }
    return taken
  }

  async #claimOf(entry: Entry, markedDelivered: boolean): Promise<Claim | undefined> {
    const owner = entry.lease?.owner ?? ''
    const item = await this.#keeper.read(entry)
    if (!item) return undefined
    const claim = { ...item, owner }
    return markedDelivered && !(await this.markDelivered(claim)) ? undefined : claim
  }

  async #endClaim(claim: Claim, changes: Changes, change: (entry: Entry) => void): Promise<boolean> {
    const entry = this.#held(claim)
    if (!entry) return false
    this.#keeper.shelf.change(entry, () => {
      change(entry)
      changeEntry(entry, changes, this.#clock)
      if (changes.body !== undefined) entry.version = this.#version
      entry.lease = undefined
    })
    await this.#announce(entry)
    return true
  }

  async #set(entry: Entry): Promise<void> {
    this.#keeper.shelf.set(entry)
    await this.#announce(entry)
  }

  /** Whoever waits for work is told when this is the next. */
  async #announce(entry: Entry): Promise<void> {
    if (this.#keeper.shelf.firstDue() === entry) this.#nudge.now()
    await this.#keeper.save(entry)
  }

  #wakeOwn(subjects: readonly string[]): void {
    const now = this.#clock.now()
    const { shelf } = this.#keeper
    for (const entry of subjects.flatMap((subject) => [...shelf.about(subject)])) {
      if (entry.due === undefined) continue
      entry.woken = entry.lease !== undefined
      shelf.change(entry, () => (entry.due = Math.min(entry.due ?? now, now)))
    }
    this.#nudge.now()
  }
}
