/** Finds the earliest due item among very many items: a binary heap that skips outdated slots. */

interface Due {
  /** Decides which of two entries that are due at the same time comes first. */
  readonly seq: number
}

export interface DueHeap<T extends Due> {
  push(entry: T): void
  /** Returns the first entry, without removing it. */
  peek(): T | undefined
  /** The time at which the first entry is due. */
  peekAt(): number | undefined
  /** Removes and returns the first entry if it is due by `now`. */
  take(now: number): T | undefined
  clear(): void
}

/**
 * `atOf` returns the time at which an entry is due (Infinity means never). After this time has changed, the caller must
 * push the entry again. Times and entries are in two arrays, because an object for each pair would take more memory
 * than both arrays.
 */
export function createDueHeap<T extends Due>(atOf: (entry: T) => number): DueHeap<T> {
  let times: number[] = []
  let entries: T[] = []

  const before = (at: number, entry: T, other: number): boolean => {
    const otherAt = times[other] ?? Infinity
    return at < otherAt || (at === otherAt && entry.seq < (entries[other]?.seq ?? Infinity))
  }
  const put = (slot: number, at: number, entry: T) => {
    times[slot] = at
    entries[slot] = entry
  }
  const move = (from: number, to: number) => put(to, times[from] ?? Infinity, entries[from] as T)

  const rise = (at: number, entry: T) => {
    let slot = entries.length
    put(slot, at, entry)
    while (slot > 0) {
      const above = (slot - 1) >> 1
      if (!before(at, entry, above)) break
      move(above, slot)
      slot = above
    }
    put(slot, at, entry)
  }
  const sink = (at: number, entry: T) => {
    let slot = 0
    for (;;) {
      let below = 2 * slot + 1
      if (below >= entries.length) break
      const right = entries[below + 1]
      if (right && before(times[below + 1] ?? Infinity, right, below)) below++
      if (before(at, entry, below)) break
      move(below, slot)
      slot = below
    }
    put(slot, at, entry)
  }
  const drop = () => {
    const at = times.pop()
    const entry = entries.pop()
    if (at !== undefined && entry && entries.length > 0) sink(at, entry)
  }
  const peek = () => {
    // Drops outdated slots: the entry was removed, or was pushed again with another time.
    while (entries[0] && atOf(entries[0]) !== times[0]) drop()
    return entries[0]
  }
  return {
    push: (entry) => rise(atOf(entry), entry),
    peek,
    peekAt: () => (peek() ? times[0] : undefined),
    take(now) {
      const first = peek()
      if (!first || (times[0] ?? Infinity) > now) return undefined
      drop()
      return first
    },
    clear() {
      times = []
      entries = []
    },
  }
}
