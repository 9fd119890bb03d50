/**
 * The items of one store and where they are written down: what is found quickly is in memory, the bodies are read when
 * they are wanted.
 */
import { configError } from '../../api/errors/errors'
import type { Clock } from '../clock'
import { bodyIn, isExpired, itemOf, readEntry, textOf, type Entry } from './entry'
import { inTurns, sortInTurns } from '../in-turns'
import { itemBytes, Shelf } from './shelf'
import { defaultLimits, type Item, type StoreOptions } from '../store'
import { createWriter, type Persistence, type Writer } from './writer'

const sweepMs = 30_000
/** Items put on the shelf in one turn of the loop. */
const setAtOnce = 2_000

export class Keeper {
  readonly shelf = new Shelf()
  /** Resolves when what an earlier process has kept is known; never rejects. */
  readonly loaded: Promise<void>
  options: StoreOptions
  readonly #persistence: Persistence | undefined
  readonly #writer: Writer | undefined
  readonly #clock: Clock
  readonly #sweep: NodeJS.Timeout
  #seq = 0
  #toldUnreadable = false

  constructor(options: StoreOptions, persistence: Persistence | undefined, clock: Clock) {
    this.options = options
    this.#clock = clock
    this.#persistence = persistence
    this.#writer = persistence && this.#writerTo(persistence)
    this.loaded = persistence ? this.#load(persistence) : Promise.resolve()
    this.#sweep = setInterval(() => this.#forgetExpired(), sweepMs).unref()
  }

  nextSeq(): number {
    return ++this.#seq
  }

  /** The item of this id, unless its time is over. */
  find(id: string): Entry | undefined {
    const entry = this.shelf.find(id)
    if (!entry || !isExpired(entry, this.#clock.now())) return entry
    this.forget(entry)
    return undefined
  }

  /** Resolves when the entry, as it now is, is written down. */
  async save(entry: Entry): Promise<void> {
    // It is written as a whole.
    if (entry.text === undefined && this.shelf.find(entry.id) === entry) {
      const item = await this.read(entry)
      if (item) entry.text ??= JSON.stringify(item.body) ?? ''
    }
    await this.#writer?.write(entry.name)
  }

  /** Resolves when what was said of this entry is true after a crash too. */
  async settled(entry: Entry): Promise<void> {
    if (this.#writer?.isPending(entry.name)) await this.save(entry)
  }

  /** Undefined when the body can't be read: the item is left where it lies. */
  async read(entry: Entry): Promise<Item | undefined> {
    try {
      const text = entry.text ?? bodyIn((await this.#persistence?.read(entry.name)) ?? '')
      const item = itemOf(entry, text, this.#clock)
      // It is about to change, and to be written again.
      if (entry.lease) entry.text = text
      return item
    } catch (error) {
      this.shelf.remove(entry)
      this.#unreadable(error)
      return undefined
    }
  }

  remove(entry: Entry): Promise<void> {
    this.shelf.remove(entry)
    return this.save(entry)
  }

  /** Of what is forgotten nobody waits to hear. */
  forget(entry: Entry): void {
    void this.remove(entry)
  }

  /** Throws when there is no room for the entry, even without all that may be forgotten. */
  makeRoom({ bytes }: Entry, replaced?: Entry): void {
    const { maxItems = defaultLimits.maxItems, maxBytes = defaultLimits.maxBytes } = this.options
    const { shelf } = this
    const more = { items: replaced ? 0 : 1, bytes: bytes + itemBytes - (replaced ? replaced.bytes + itemBytes : 0) }
    const isOver = (size: number, all: number) => size + more.items > maxItems || all + more.bytes > maxBytes
    if (!isOver(shelf.size, shelf.bytes)) return
    if (isOver(shelf.workSize, shelf.workBytes)) throw configError('storeFull')
    while (isOver(shelf.size, shelf.bytes)) {
      const oldest = shelf.oldestPlain()
      if (!oldest) return
      this.forget(oldest)
    }
  }

  async clear(): Promise<void> {
    await this.loaded
    this.shelf.clear()
    await this.#writer?.clear()
    await this.#persistence?.clear()
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await this.loaded
    await this.#writer?.flush()
  }

  end(): void {
    clearInterval(this.#sweep)
    this.#writer?.close()
  }

  #writerTo(persistence: Persistence): Writer {
    return createWriter({
      persistence,
      textOf: (name) => {
        const entry = this.shelf.named(name)
        return entry && textOf(entry, this.#clock)
      },
      written: (name) => {
        const entry = this.shelf.named(name)
        // While it is being worked on, it is about to be written again.
        if (entry && !entry.lease && entry.text !== '') entry.text = undefined
      },
      failed: (error) => this.options.onStoreEvent('unwritten', error),
    })
  }

  async #load(persistence: Persistence): Promise<void> {
    const found: Entry[] = []
    const add = (name: string, text: string) => {
      const entry = readEntry(name, text, this.#clock)
      if (entry !== 'newer') found.push(entry)
    }
    try {
      await persistence.load(add, (error) => this.#unreadable(error))
    } catch (error) {
      this.options.onStoreEvent('unread', error)
    }
    const sorted = await sortInTurns(found, ({ seq }) => seq)
    await inTurns(sorted, setAtOnce, (part) => part.forEach((entry) => this.shelf.set(entry)))
    this.#seq = sorted.at(-1)?.seq ?? 0
  }

  /** One of many may be as bad as the next: told once. */
  #unreadable(error: unknown): void {
    if (!this.#toldUnreadable) this.options.onStoreEvent('unreadable', error)
    this.#toldUnreadable = true
  }

  #forgetExpired(): void {
    const now = this.#clock.now()
    for (const entry of this.shelf.values()) if (isExpired(entry, now)) this.forget(entry)
  }
}
