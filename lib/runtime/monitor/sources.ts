/** What nodes tell of for lists that people look at: each place is a source, readers read all of them. */

export interface Sources<Item, Source extends { list(): Promise<readonly Item[]> }> {
  /** Adds what `place` (a node's id) knows of; gives what takes it out again. */
  register(place: string, source: Source): () => void
  of(place: string): Source | undefined
  all(): readonly Source[]
  /** What all of them know, and the `failures` of those that can't be read now. Never rejects. */
  list(): Promise<{ items: Item[]; failures: unknown[] }>
}

export function createSources<Item, Source extends { list(): Promise<readonly Item[]> }>(): Sources<Item, Source> {
  const sources = new Map<string, Source>()
  return {
    register(place, source) {
      sources.set(place, source)
      // The next deploy may have put its own there already.
      return () => void (sources.get(place) === source && sources.delete(place))
    },
    of: (place) => sources.get(place),
    all: () => [...sources.values()],
    async list() {
      const lists = await Promise.allSettled([...sources.values()].map((source) => source.list()))
      const items = lists.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      const failures = lists.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
      return { items, failures }
    },
  }
}
