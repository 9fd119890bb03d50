/** Wakes the nodes that wait for work in a database. One query a second serves all these nodes. */

interface WorkWatch {
  /** Resolves when this node may have work, or the signal is aborted. */
  ready(node: string, kind: string, signal: AbortSignal): Promise<void>
  /** Wakes this node, which has work now. */
  notify(node: string, kind: string): void
  /** Resolves all waiting calls, and sends no further queries. */
  close(): void
}

type NodeAndKind = readonly [node: string, kind: string]

const pollMs = 1_000

const workKey = (node: string, kind: string) => JSON.stringify([node, kind])

/** `withWork` returns the nodes that have work; if it rejects, no node is woken. */
export function createWorkWatch(withWork: (nodes: readonly NodeAndKind[]) => Promise<NodeAndKind[]>): WorkWatch {
  const waiting = new Map<string, Set<() => void>>()
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const notify = (node: string, kind: string) => {
    for (const wake of waiting.get(workKey(node, kind)) ?? []) wake()
  }
  const poll = async () => {
    const nodes = [...waiting.keys()].map((key) => JSON.parse(key) as NodeAndKind)
    if (nodes.length > 0) for (const [node, kind] of await withWork(nodes).catch(() => [])) notify(node, kind)
    timer = undefined
    again()
  }
  const again = () => {
    if (!closed && waiting.size > 0) timer ??= setTimeout(() => void poll(), pollMs)
  }
  return {
    notify,
    ready: (node, kind, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || closed) return resolve()
        const key = workKey(node, kind)
        const here = waiting.get(key) ?? new Set()
        const end = () => {
          here.delete(end)
          if (here.size === 0) waiting.delete(key)
          signal.removeEventListener('abort', end)
          resolve()
        }
        waiting.set(key, here.add(end))
        signal.addEventListener('abort', end)
        again()
      }),
    close() {
      closed = true
      clearTimeout(timer)
      for (const here of [...waiting.values()]) for (const wake of [...here]) wake()
    },
  }
}
