/** The claims of a store in this process: which owner has claimed which work, and how a claim ends. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock'
import type { Changes, Claim } from '../store'
import { changeEntry, isExpired, type Entry } from './entry'
import type { ItemIndex } from './item-index'
import type { ItemLog } from './item-log'
import type { WorkSignal } from './work-signal'

interface ClaimsOptions {
  readonly index: ItemIndex
  readonly log: ItemLog
  readonly signal: WorkSignal
  readonly clock: Clock
  /** The version of the bodies that the node reads and writes. */
  version(): number
}

/** Milliseconds before a retry of work whose body can't be read at the moment. */
const retryMs = 2_000

export class Claims {
  readonly #options: ClaimsOptions

  constructor(options: ClaimsOptions) {
    this.#options = options
  }

  /** Rejects if nothing can be written, because work that can't be recorded must not be started. */
  async claim(limit: number, { markedDelivered = false }: { markedDelivered?: boolean } = {}): Promise<Claim[]> {
    this.#options.log.assertWritable()
    const results = await Promise.allSettled(this.#takeDue(limit).map((entry) => this.#claimOf(entry, markedDelivered)))
    const claims = results.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []))
    const failed = results.find((one) => one.status === 'rejected')
    if (failed && claims.length === 0) throw failed.reason
    return claims
  }

  /**
   * The entry of a claim that is still ours. No clock is used: in a store of one process, the owner keeps the claim as
   * long as the process runs, however long the event loop was busy.
   */
  held({ id, owner }: Claim): Entry | undefined {
    const entry = this.#options.index.find(id)
    return entry?.owner === owner ? entry : undefined
  }

  /** Rejects if the delivery can't be written; then the claim counts as not delivered. */
  async markDelivered(claim: Claim): Promise<boolean> {
    const entry = this.held(claim)
    if (!entry) return false
    entry.deliveryCount++
    try {
      await this.#options.log.save(entry)
    } catch (error) {
      entry.deliveryCount--
      throw error
    }
    return this.held(claim) !== undefined
  }

  reschedule(claim: Claim, dueMs: number, changes: Changes = {}): Promise<boolean> {
    return this.#end(claim, changes, (entry) => {
      entry.due = this.#options.clock.now() + (entry.woken ? 0 : dueMs)
    })
  }

  async complete(claim: Claim, remain?: Changes): Promise<boolean> {
    if (remain) {
      return this.#end(claim, remain, (entry) => {
        if (remain.body === undefined) Object.assign(entry, { text: '', bytes: 0 })
        entry.due = undefined
      })
    }
    const entry = this.held(claim)
    if (entry) await this.remove(entry)
    return entry !== undefined
  }

  async remove(entry: Entry): Promise<void> {
    this.#options.index.remove(entry)
    await this.#options.log.saveSoon(entry)
  }

  /** Ends a claim whose owner no longer exists. */
  giveUp(entry: Entry): void {
    const { index, log, signal } = this.#options
    index.change(entry, () => (entry.owner = undefined))
    log.release(entry)
    signal.notify()
  }

  makeDue(subjects: readonly string[]): void {
    const { index, clock, signal } = this.#options
    const now = clock.now()
    for (const entry of subjects.flatMap((subject) => [...index.about(subject)])) {
      if (entry.due === undefined) continue
      entry.woken = entry.owner !== undefined
      index.change(entry, () => (entry.due = Math.min(entry.due ?? now, now)))
    }
    signal.notify()
  }

  #takeDue(limit: number): Entry[] {
    const { index, clock, version } = this.#options
    const now = clock.now()
    const taken: Entry[] = []
    while (taken.length < limit) {
      const entry = index.due.take(now)
      if (!entry) break
      if (isExpired(entry, now)) void this.remove(entry)
      else if (entry.version <= version()) {
        Object.assign(entry, { woken: false, owner: randomUUID() })
        taken.push(entry)
      }
    }
    return taken
  }

  async #claimOf(entry: Entry, markedDelivered: boolean): Promise<Claim | undefined> {
    const { index, log, clock } = this.#options
    const owner = entry.owner ?? ''
    try {
      const item = await log.read(entry)
      if (!item) return undefined
      const claim = { ...item, owner }
      return markedDelivered && !(await this.markDelivered(claim)) ? undefined : claim
    } catch (error) {
      const again = { owner: undefined, due: clock.now() + retryMs }
      if (this.held({ id: entry.id, owner } as Claim)) index.change(entry, () => Object.assign(entry, again))
      throw error
    }
  }

  async #end(claim: Claim, changes: Changes, change: (entry: Entry) => void): Promise<boolean> {
    const { index, log, signal, clock, version } = this.#options
    const entry = this.held(claim)
    if (!entry) return false
    index.change(entry, () => {
      change(entry)
      changeEntry(entry, changes, clock)
      if (changes.body !== undefined) entry.version = version()
      entry.owner = undefined
    })
    if (index.due.peek() === entry) signal.notify()
    await log.saveSoon(entry)
    return true
  }
}
