/** Writes items down and reads their bodies when they are wanted: in memory is only what finds them. */
import { configError, type EidError } from '../../api/errors/errors'
import type { Clock } from '../clock'
import { nameOf } from '../item-name'
import type { Item, StoreEvent } from '../store'
import { bodyIn, itemOf, readEntry, textOf, type Entry } from './entry'
import type { ItemIndex } from './item-index'
import { OwnedElsewhere } from './sole-owner'
import { isTemporary, reasonOf, type TextLog } from './text-log'
import { probe, Writer } from './writer'

/** Milliseconds until items that could not be read now are tried again. */
const lateMs = 5_000

export interface ItemLogOptions {
  readonly index: ItemIndex
  /** Absent: everything is in memory alone. */
  readonly log: TextLog | undefined
  readonly clock: Clock
  onStoreEvent(event: StoreEvent, error?: unknown): void
}

export class ItemLog {
  readonly #options: ItemLogOptions
  readonly #writer: Writer | undefined
  /** Items that are there and can't be read now. */
  #late = new Map<string, unknown>()
  #timer: NodeJS.Timeout | undefined
  #toldUnreadable = false

  constructor(options: ItemLogOptions) {
    this.#options = options
    const { log, onStoreEvent } = options
    this.#writer =
      log &&
      new Writer({
        log,
        textOf: (name) => {
          const entry = options.index.named(name)
          return entry && textOf(entry, options.clock)
        },
        written: (name) => this.#dropText(options.index.named(name)),
        failed: (error) => onStoreEvent('unwritten', unwritten(error)),
        recovered: () => onStoreEvent('back'),
      })
  }

  /** Gives every item that is kept, in no order. Rejects when nothing at all can be read now. */
  async load(): Promise<Entry[]> {
    const { log, clock } = this.#options
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

  /** Retries items that could not be read at the start, until all are read; each is passed to `found`. */
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

  /** Throws when there is an item of this id that can't be read now. */
  assertRead(id: string): void {
    if (this.#late.size > 0 && this.#late.has(nameOf(id))) throw this.#unreadNow()
  }

  /** Throws when there is any item that can't be read now: what is listed would be missing something. */
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

  /** Resolves when the entry, as it now is, is written down; rejects with an EidError when it can't be. */
  async save(entry: Entry): Promise<void> {
    // An entry is always written whole, so a body that is only on disk is read first.
    if (entry.text === undefined && this.#options.index.has(entry)) {
      const item = await this.read(entry)
      if (!item) return
      entry.text ??= JSON.stringify(item.body) ?? ''
    }
    await this.#writer?.write(entry.name).catch((error: unknown) => {
      throw unwritten(error)
    })
  }

  /** Resolves when what is pending of the entry is written down, without writing more; rejects as `save` does. */
  async settle({ name }: Entry): Promise<void> {
    await this.#writer?.settle(name).catch((error: unknown) => {
      throw unwritten(error)
    })
  }

  /** Resolves when the entry is written down, or has been found to be not writable, and is tried again until it is. */
  async saveSoon(entry: Entry): Promise<void> {
    // `onStoreEvent` reports it.
    await this.save(entry).catch(() => undefined)
  }

  /**
   * Undefined when the body is damaged: the item is left in its place. Rejects when it can't be read now and perhaps
   * can later.
   */
  async read(entry: Entry): Promise<Item | undefined> {
    try {
      const text = entry.text ?? bodyIn((await this.#options.log?.read(entry.name)) ?? '')
      const item = itemOf(entry, text, this.#options.clock)
      // It is about to change, and to be written again.
      if (entry.owner !== undefined) entry.text = text
      return item
    } catch (error) {
      if (isTemporary(error)) throw unread(error)
      this.#options.index.remove(entry)
      this.#unreadable(error)
      return undefined
    }
  }

  /** The body need no longer be in memory, where it is written down. */
  release(entry: Entry): void {
    if (!this.isPending(entry)) this.#dropText(entry)
  }

  async clear(): Promise<void> {
    this.#late.clear()
    await this.#writer?.clear()
    await this.#options.log?.clear()
  }

  /** Resolves when everything is written, or has been found to be not writable. */
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
    // While it is being worked on, it is about to be written again.
    if (this.#writer && entry && entry.owner === undefined && entry.text !== '') entry.text = undefined
  }

  async #readLate(name: string, found: (entry: Entry) => void): Promise<void> {
    const { log, clock } = this.#options
    try {
      const entry = readEntry(name, (await log?.read(name)) ?? '', clock)
      if (this.#late.has(name) && entry !== 'newer') found(entry)
    } catch (error) {
      if (isTemporary(error)) return
      this.#unreadable(error)
    }
    this.#late.delete(name)
  }

  /** Report the first unreadable item only. */
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
