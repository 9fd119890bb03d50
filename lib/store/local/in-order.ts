/** The entries of a store in the order in which they were first stored, readable from any position. */

interface Numbered {
  readonly id: string
  readonly seq: number
}

interface InOrder<Entry extends Numbered> {
  /** Adds an entry, or replaces the entry with the same id. */
  set(entry: Entry): void
  remove(entry: Entry): void
  /** The entries after a position. No entry may be added or removed during the iteration. */
  after(seq: number): Iterable<Entry>
  clear(): void
}

export function createInOrder<Entry extends Numbered>(): InOrder<Entry> {
  /**
   * The entries in order. A removed entry leaves its number in its slot, because closing each gap at once would move
   * all later entries.
   */
  let slots: (Entry | number)[] = []
  let gaps = 0
  const seqAt = (index: number) => {
    const slot = slots[index] ?? NaN
    return typeof slot === 'number' ? slot : slot.seq
  }
  const firstBehind = (seq: number) => {
    let [low, high] = [0, slots.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (seqAt(middle) > seq) high = middle
      else low = middle + 1
    }
    return low
  }
  /** Compares ids too: an entry that could not be read at first may have the same number as a newer entry. */
  const find = ({ id, seq }: Entry) => {
    for (let index = firstBehind(seq) - 1; seqAt(index) === seq; index--) {
      const slot = slots[index]
      if (typeof slot === 'object' && slot.id === id) return index
    }
    return undefined
  }
  return {
    set(entry) {
      if (!(entry.seq <= seqAt(slots.length - 1))) return void slots.push(entry)
      const index = find(entry)
      if (index === undefined) slots.splice(firstBehind(entry.seq), 0, entry)
      else slots[index] = entry
    },
    remove(entry) {
      const index = find(entry)
      if (index === undefined) return
      slots[index] = entry.seq
      if (++gaps * 2 <= slots.length) return
      slots = slots.filter((slot) => typeof slot === 'object')
      gaps = 0
    },
    *after(seq) {
      for (let index = firstBehind(seq); index < slots.length; index++) {
        const slot = slots[index]
        if (typeof slot === 'object') yield slot
      }
    },
    clear() {
      slots = []
      gaps = 0
    },
  }
}
