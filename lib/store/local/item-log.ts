/**
 * Stores items, and reads their bodies only when needed, so that memory contains only what is needed to find the items.
 */
import { configError, type EidError } from '../../api/errors/errors'
import { createClockReader, type Clock } from '../clock'
import { nameOf } from '../item-name'
import type { Item, StoreEvent } from '../store'
import { bodyIn, itemOf, readEntry, textOf, type Entry } from './entry'
import type { ItemIndex } from './item-index'
import { OwnedElsewhere } from './sole-owner'
import { isTemporary, reasonOf, type TextLog } from './text-log'
import { probe, Writer } from './writer'

/** Milliseconds before items that can't be read at the moment are retried. */
const lateMs = 5_000

interface ItemLogOptions {
  readonly index: ItemIndex
  /** Where the texts are stored; if absent, everything is in memory only. */
  readonly log: TextLog | undefined
  readonly clock: Clock
  onStoreEvent(event: StoreEvent, error?: unknown): void
}

export class ItemLog {
  readonly #options: ItemLogOptions
  readonly #readClocks: () => Clock
  readonly #writer: Writer | undefined
  /** Items that exist but can't be read at the moment. */
  #late = new Map<string, unknown>()
  #timer: NodeJS.Timeout | undefined
  #toldUnreadable = false

  constructor(options: ItemLogOptions) {
    this.#options = options
    this.#readClocks = createClockReader(options.clock)
    const { log, onStoreEvent } = options
    this.#writer =
      log &&
      new Writer({
        log,
        textOf: (name) => {
          const entry = options.index.named(name)
          return entry && textOf(entry, this.#readClocks())
        },
        written: (name) => this.#dropText(options.index.named(name)),
        failed: (error) => onStoreEvent('unwritten', unwritten(error)),
        recovered: () => onStoreEvent('back'),
      })
  }

  /** Returns every stored item, in no particular order. Rejects if nothing at all can be read at the moment. */
  async load(): Promise<Entry[]> {
    const { log } = this.#options
    const clock = this.#readClocks()
    const found: Entry[] = []
    const add = (name: string, text: string) => {
      const entry = name !== probe && readEntry(name, text, clock)
      if (entry && entry !== 'newer') found.push(entry)
    }
    try {
      this.#late = new Map(await log?.load(add, (error) => this.#unreadable(error)))
    } catch (error) {
      throw unread(error)
    }
    return found
  }

  /** Retries the items that could not be read at the start until all are read, and passes each item to `found`. */
  readLate(found: (entry: Entry) => void): void {
    if (this.#late.size === 0) return
    this.#options.onStoreEvent('unread', this.#unreadNow())
    const again = async () => {
      for (const name of [...this.#late.keys()]) await this.#readLate(name, found)
      if (this.#late.size > 0) arm()
      else this.#options.onStoreEvent('back')
    }
    const arm = () => (this.#timer = setTimeout(() => void again(), lateMs).unref())
    arm()
  }

  /** Throws if the item with this id exists but can't be read at the moment. */
  assertRead(id: string): void {
    if (this.#late.size > 0 && this.#late.has(nameOf(id))) throw this.#unreadNow()
  }

  /** Throws if any item can't be read at the moment, because a list would be incomplete. */
  assertAllRead(): void {
    if (this.#late.size > 0) throw this.#unreadNow()
  }

  /** Throws when nothing can be written at present. */
  assertWritable(): void {
    const failure = this.#writer?.failure
    if (failure !== undefined) throw unwritten(failure)
  }

  isPending({ name }: Entry): boolean {
    return this.#writer?.isPending(name) ?? false
  }

  /** Resolves when the entry's current state is stored; rejects with an EidError if that fails. */
  async save(entry: Entry): Promise<void> {
    // An entry is always written as a whole, so a body that is only on disk is read first.
    if (entry.text === undefined && this.#options.index.has(entry)) {
      const item = await this.read(entry)
      if (!item) return
      entry.text ??= JSON.stringify(item.body) ?? ''
    }
    await this.#writer?.write(entry.name).catch((error: unknown) => {
      throw unwritten(error)
    })
  }

  /** Resolves when the entry's pending changes are stored, without writing the entry again. Rejects as `save` does. */
  async settle({ name }: Entry): Promise<void> {
    await this.#writer?.settle(name).catch((error: unknown) => {
      throw unwritten(error)
    })
  }

  /** Resolves when the entry is stored, or when a first attempt has failed; retries until it is stored. */
  async saveSoon(entry: Entry): Promise<void> {
    // `onStoreEvent` reports the failure.
    await this.save(entry).catch(() => undefined)
  }

  /**
   * The item; undefined if its body is damaged, in which case the stored text stays unchanged. Rejects if the item
   * can't be read at the moment but may be readable later.
   */
  async read(entry: Entry): Promise<Item | undefined> {
    try {
      const text = entry.text ?? bodyIn((await this.#options.log?.read(entry.name)) ?? '')
      const item = itemOf(entry, text, this.#options.clock)
      // The body of a claimed item is kept in memory, because the entry is about to change and will be written again.
      if (entry.owner !== undefined) entry.text = text
      return item
    } catch (error) {
      if (isTemporary(error)) throw unread(error)
      this.#options.index.remove(entry)
      this.#unreadable(error)
      return undefined
    }
  }

  /** Frees the memory of the body if the body is stored. */
  release(entry: Entry): void {
    if (!this.isPending(entry)) this.#dropText(entry)
  }

  async clear(): Promise<void> {
    this.#late.clear()
    await this.#writer?.clear()
    await this.#options.log?.clear()
  }

  /** Resolves when everything is stored, or when writing has failed. */
  async flush(): Promise<void> {
    await this.#writer?.flush()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#writer?.close()
  }

  #unreadNow(): EidError {
    const [error] = this.#late.values()
    return unread(error)
  }

  #dropText(entry: Entry | undefined): void {
    // The body of a claimed item is kept, because it is about to be written again.
    if (this.#writer && entry && entry.owner === undefined && entry.text !== '') entry.text = undefined
  }

  async #readLate(name: string, found: (entry: Entry) => void): Promise<void> {
    try {
      const text = await this.#options.log?.read(name)
      const entry = readEntry(name, text ?? '', this.#readClocks())
      if (this.#late.has(name) && entry !== 'newer') found(entry)
    } catch (error) {
      if (isTemporary(error)) return
      this.#unreadable(error)
    }
    this.#late.delete(name)
  }

  /** Reports only the first unreadable item. */
  #unreadable(error: unknown): void {
    if (!this.#toldUnreadable) this.#options.onStoreEvent('unreadable', error)
    this.#toldUnreadable = true
  }
}

function unwritten(error: unknown): EidError {
  return configError('storeUnwritten', { reason: reasonOf(error) })
}

function unread(error: unknown): EidError {
  if (error instanceof OwnedElsewhere) return configError('storeOwned', { process: error.owner })
  return configError('storeUnread', { reason: reasonOf(error) })
}
