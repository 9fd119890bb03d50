/** The items of a store in memory, to be found by id, by name, by subject and by due time. */
import { createDueHeap, type DueHeap } from './due-heap'
import { claimableAt, type Entry } from './entry'
import { createInOrder } from './in-order'

/** The number of bytes that an item takes in addition to its body and summary. */
export const itemBytes = 400

export class ItemIndex {
  readonly #byId = new Map<string, Entry>()
  readonly #inOrder = createInOrder<Entry>()
  /** Entries whose name differs from their id. */
  readonly #byName = new Map<string, Entry>()
  /**
   * Most subjects have a single item, which is stored without a set: a set for each subject would take more memory than
   * the items.
   */
  readonly #bySubject = new Map<string, Entry | Set<Entry>>()
  /** Entries that are not work and may be dropped, oldest first. */
  readonly #plain = new Set<Entry>()
  /** The heap of due work; it skips entries that were replaced or removed. */
  readonly due: DueHeap<Entry> = createDueHeap((entry) =>
    this.#byId.get(entry.id) === entry ? claimableAt(entry) : Infinity,
  )
  #bytes = 0

  get size(): number {
    return this.#byId.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The size of the items that may not be dropped. Computing it takes a while. */
  get workBytes(): number {
    let bytes = this.#bytes
    for (const entry of this.#plain) bytes -= entry.bytes + itemBytes
    return bytes
  }

  get workSize(): number {
    return this.size - this.#plain.size
  }

  find(id: string): Entry | undefined {
    return this.#byId.get(id)
  }

  named(name: string): Entry | undefined {
    const entry = this.#byName.get(name) ?? this.#byId.get(name)
    return entry?.name === name ? entry : undefined
  }

  has(entry: Entry): boolean {
    return this.#byId.get(entry.id) === entry
  }

  /** All entries, in no particular order. Items may be removed during the iteration. */
  values(): IterableIterator<Entry> {
    return this.#byId.values()
  }

  /**
   * The entries after a position, in the order in which they were first stored. No entry may be added or removed during
   * the iteration.
   */
  after(seq: number): Iterable<Entry> {
    return this.#inOrder.after(seq)
  }

  about(subject: string): Iterable<Entry> {
    const found = this.#bySubject.get(subject)
    if (!found) return []
    return found instanceof Set ? found : [found]
  }

  /** Items that are not work, oldest first. */
  plain(): Iterable<Entry> {
    return this.#plain
  }

  /** Adds an entry, or replaces the entry with the same id. */
  set(entry: Entry): void {
    const before = this.#byId.get(entry.id)
    if (before) this.#takeOut(before)
    if (before && before.seq !== entry.seq) this.#inOrder.remove(before)
    this.#inOrder.set(entry)
    this.#byId.set(entry.id, entry)
    if (entry.name !== entry.id) this.#byName.set(entry.name, entry)
    this.#place(entry)
  }

  /** Changes an entry. Every change of an indexed property must be made through this method. */
  change(entry: Entry, change: () => void): void {
    this.#displace(entry)
    change()
    this.#place(entry)
  }

  remove(entry: Entry): void {
    this.#takeOut(entry)
    this.#inOrder.remove(this.#byId.get(entry.id) ?? entry)
    this.#byId.delete(entry.id)
    this.#byName.delete(entry.name)
  }

  clear(): void {
    for (const map of [this.#byId, this.#byName, this.#bySubject, this.#plain]) map.clear()
    this.#inOrder.clear()
    this.due.clear()
    this.#bytes = 0
  }

  #takeOut(entry: Entry): void {
    this.#displace(entry)
    this.#plain.delete(entry)
  }

  #displace(entry: Entry): void {
    this.#bytes -= entry.bytes + itemBytes
    const about = this.#bySubject.get(entry.subject)
    if (about instanceof Set) about.delete(entry)
    if (about === entry || (about instanceof Set && about.size === 0)) this.#bySubject.delete(entry.subject)
  }

  #place(entry: Entry): void {
    this.#bytes += entry.bytes + itemBytes
    if (entry.subject !== '') {
      const about = this.#bySubject.get(entry.subject)
      if (about instanceof Set) about.add(entry)
      else this.#bySubject.set(entry.subject, about && about !== entry ? new Set([about, entry]) : entry)
    }
    if (entry.due === undefined) this.#plain.add(entry)
    else this.#plain.delete(entry)
    // A claim removes the entry from the heap, so the entry has to be pushed again even if its time is the same.
    if (claimableAt(entry) !== Infinity) this.due.push(entry)
  }
}
