/** Finds what is due first among very many: a binary heap, in which what has changed meanwhile is skipped. */

export interface Due {
  /** When it is due; whoever changes it pushes it again. Infinity: never. */
  at: number
  /** Decides between two of the same time. */
  readonly seq: number
}

export interface DueHeap<T extends Due> {
  push(entry: T): void
  /** The first one, which stays inside. */
  peek(): T | undefined
  /** Takes the first one out when it is due by `now`. */
  take(now: number): T | undefined
  clear(): void
}

interface Node<T> {
  readonly at: number
  readonly entry: T
}

export function createDueHeap<T extends Due>(): DueHeap<T> {
  let heap: Node<T>[] = []

  const before = (one: Node<T>, other: Node<T>) =>
    one.at < other.at || (one.at === other.at && one.entry.seq < other.entry.seq)

  const rise = (node: Node<T>) => {
    let place = heap.push(node) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (!parent || !before(node, parent)) break
      heap[place] = parent
      place = above
    }
    heap[place] = node
  }
  const sink = (node: Node<T>) => {
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      let child = heap[below]
      if (!child) break
      const right = heap[below + 1]
      if (right && before(right, child)) [below, child] = [below + 1, right]
      if (!before(child, node)) break
      heap[place] = child
      place = below
    }
    heap[place] = node
  }
  const drop = () => {
    const last = heap.pop()
    if (last && heap.length > 0) sink(last)
  }
  const peek = () => {
    // What was pushed again with another time has left this place behind.
    while (heap[0] && heap[0].entry.at !== heap[0].at) drop()
    return heap[0]?.entry
  }
  return {
    push: (entry) => rise({ at: entry.at, entry }),
    peek,
    take(now) {
      const first = peek()
      if (!first || first.at > now) return undefined
      drop()
      return first
    },
    clear: () => void (heap = []),
  }
}
