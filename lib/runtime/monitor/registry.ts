/**
 * Collects what the nodes contribute to the lists in the editor: each node is a source, and readers combine all
 * sources.
 */

interface Registry<Item, Source extends { list(): Promise<readonly Item[]> }> {
  /** Adds the source of a node; returns the function that removes it. */
  register(nodeId: string, source: Source): () => void
  of(nodeId: string): Source | undefined
  all(): readonly Source[]
  /** The items of all sources, and the `failures` of the sources that can't be read at the moment. Never rejects. */
  list(): Promise<{ items: Item[]; failures: unknown[] }>
}

export function createRegistry<Item, Source extends { list(): Promise<readonly Item[]> }>(): Registry<Item, Source> {
  const sources = new Map<string, Source>()
  return {
    register(nodeId, source) {
      sources.set(nodeId, source)
      // The source is removed only if it is still registered, because the next deploy may already have registered a new
      // source for this node.
      return () => void (sources.get(nodeId) === source && sources.delete(nodeId))
    },
    of: (nodeId) => sources.get(nodeId),
    all: () => [...sources.values()],
    async list() {
      const lists = await Promise.allSettled([...sources.values()].map((source) => source.list()))
      const items = lists.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      const failures = lists.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
      return { items, failures }
    },
  }
}
