/**
 * Writes down what has changed, as little as possible: what changes while it is being written is written once more,
 * not twice.
 */

/** Where texts are written down, each under its name. */
export interface Persistence {
  /** Gives every text that is kept; `found` throws when it is none. Rejects when nothing at all can be read. */
  load(found: (name: string, text: string) => void, unreadable: (error: unknown) => void): Promise<void>
  /** One text. Rejects when it can't be read. */
  read(name: string): Promise<string>
  /** Writes the texts, and removes what is undefined. Never rejects: gives what didn't work, by name. */
  write(changes: ReadonlyMap<string, string | undefined>): Promise<ReadonlyMap<string, unknown>>
  /** Removes everything. */
  clear(): Promise<void>
  /** Resolves when what is written would survive the plug being pulled. */
  flush(): Promise<void>
}

export interface Writer {
  /** Resolves when the latest state of this name is written down, or has been found to be not writable. */
  write(name: string): Promise<void>
  /** Whether the latest state still is in memory alone. */
  isPending(name: string): boolean
  /** Forgets what is still to be written; resolves when nothing is being written any more. */
  clear(): Promise<void>
  /** Resolves when everything is written, or has been found to be not writable. */
  flush(): Promise<void>
  /** Tries nothing again. */
  close(): void
}

export interface WriterOptions {
  readonly persistence: Persistence
  /** The text of a name as it now is; undefined when it is gone. */
  textOf(name: string): string | undefined
  /** What is written down now, for good. */
  written(name: string): void
  /** Told once until everything is written again. */
  failed(error: unknown): void
}

/** So few at a time that the next one doesn't wait long. */
const batch = 128
/** Milliseconds until what couldn't be written is tried again. */
const retryMs = 30_000

function firstOf(names: ReadonlySet<string>): string[] {
  const first: string[] = []
  for (const name of names) if (first.push(name) === batch) break
  return first
}

export function createWriter({ persistence, textOf, written, failed }: WriterOptions): Writer {
  const dirty = new Set<string>()
  const broken = new Set<string>()
  const waiting = new Map<string, (() => void)[]>()
  let current: ReadonlySet<string> = new Set()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async () => {
    // What changes in the same turn goes out together.
    await Promise.resolve()
    while (dirty.size > 0) await writeBatch(firstOf(dirty))
    running = undefined
  }
  const writeBatch = async (names: readonly string[]) => {
    current = new Set(names)
    const resolvers = names.flatMap((name) => waiting.get(name) ?? [])
    for (const name of names) {
      dirty.delete(name)
      waiting.delete(name)
    }
    const failures = await persistence.write(new Map(names.map((name) => [name, textOf(name)])))
    current = new Set()
    for (const name of names) settle(name, failures)
    // One that works tells that the others may, too.
    if (broken.size > 0 && failures.size < names.length) for (const name of broken) dirty.add(name)
    for (const resolve of resolvers) resolve()
  }
  const settle = (name: string, failures: ReadonlyMap<string, unknown>) => {
    if (!failures.has(name)) {
      broken.delete(name)
      if (!dirty.has(name)) written(name)
      return
    }
    if (broken.size === 0) failed(failures.get(name))
    broken.add(name)
    timer ??= setTimeout(again, retryMs).unref()
  }
  const again = () => {
    timer = undefined
    for (const name of broken) dirty.add(name)
    running ??= run()
  }
  return {
    write(name) {
      dirty.add(name)
      running ??= run()
      return new Promise((resolve) => {
        const before = waiting.get(name)
        if (before) before.push(resolve)
        else waiting.set(name, [resolve])
      })
    },
    isPending: (name) => dirty.has(name) || current.has(name) || broken.has(name),
    async clear() {
      for (const resolvers of waiting.values()) for (const resolve of resolvers) resolve()
      for (const all of [dirty, broken, waiting]) all.clear()
      await running
    },
    async flush() {
      await running
      await persistence.flush()
    },
    close: () => clearTimeout(timer),
  }
}
