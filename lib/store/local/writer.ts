/**
 * Writes changes as rarely as possible: an item that changes several times while it is being written is written only
 * once more. A failed write is retried until it succeeds.
 */
import type { TextLog } from './text-log'

interface WriterOptions {
  readonly log: TextLog
  /** The current text under a name; undefined if the item was removed. */
  textOf(name: string): string | undefined
  /** Called when a text was stored successfully. */
  written(name: string): void
  /** Called at the first failure; not called again until everything could be written. */
  failed(error: unknown): void
  /** Called when everything could be written after a failure. */
  recovered(): void
}

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/** The number of texts in one write. It is small, so that the next write does not wait long. */
const batchSize = 128
/** Milliseconds before a failed write is retried. */
const retryMs = 2_000
/** The name of a text that is written and removed again to test whether writing works; no item has this name. */
export const probe = 'probe'

export class Writer {
  readonly #options: WriterOptions
  readonly #dirty = new Set<string>()
  readonly #broken = new Set<string>()
  readonly #waiting = new Map<string, Waiting[]>()
  /** The callers that wait for the texts being written, keyed by the name of the text. */
  #current: ReadonlyMap<string, Waiting[]> = new Map()
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: unknown
  #reported = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** The reason why nothing can be written at present; undefined if writing works. */
  get failure(): unknown {
    return this.#failure
  }

  /**
   * Resolves when the latest state under this name is written. Rejects if that fails; the write is then retried later.
   */
  write(name: string): Promise<void> {
    this.#dirty.add(name)
    this.#running ??= this.#run()
    const waiting = this.#waiting.get(name) ?? []
    this.#waiting.set(name, waiting)
    return waitIn(waiting)
  }

  /**
   * Resolves when the pending changes of this name are written, without writing them again. Rejects as `write` does.
   */
  settle(name: string): Promise<void> {
    const waiting = this.#dirty.has(name) ? undefined : this.#current.get(name)
    return waiting ? waitIn(waiting) : this.write(name)
  }

  /** Whether the latest state is still only in memory. */
  isPending(name: string): boolean {
    return this.#dirty.has(name) || this.#current.has(name) || this.#broken.has(name)
  }

  /** Drops all pending writes; resolves when no write is running any more. */
  async clear(): Promise<void> {
    for (const all of this.#waiting.values()) for (const one of all) one.resolve()
    for (const all of [this.#dirty, this.#broken, this.#waiting]) all.clear()
    await this.#running
  }

  /** Resolves when everything is written, or when writing has failed. */
  async flush(): Promise<void> {
    await this.#running
    await this.#options.log.flush()
  }

  /** Ends all retries. */
  close(): void {
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    // Waits for the end of this turn, so that all changes made in the turn are written together.
    await Promise.resolve()
    while (this.#dirty.size > 0) await this.#writeBatch(firstOf(this.#dirty))
    this.#running = undefined
  }

  async #writeBatch(names: readonly string[]): Promise<void> {
    const waiting = new Map(names.map((name) => [name, this.#waiting.get(name) ?? []]))
    this.#current = waiting
    for (const name of names) {
      this.#dirty.delete(name)
      this.#waiting.delete(name)
    }
    const texts = new Map(names.map((name) => [name, this.#options.textOf(name)]))
    const errors = await this.#options.log.write(texts)
    this.#current = new Map()
    for (const name of names) this.#note(name, errors)
    this.#judge([...texts].filter(([, text]) => text !== undefined).map(([name]) => errors.get(name)))
    for (const [name, all] of waiting) {
      const error = errors.get(name)
      for (const one of all)
        if (errors.has(name)) one.reject(error)
        else one.resolve()
    }
  }

  #note(name: string, errors: ReadonlyMap<string, unknown>): void {
    if (errors.has(name)) {
      this.#broken.add(name)
      return this.#report(errors.get(name))
    }
    this.#broken.delete(name)
    if (!this.#dirty.has(name)) this.#options.written(name)
  }

  #report(error: unknown): void {
    this.#timer ??= setTimeout(() => this.#again(), retryMs).unref()
    if (!this.#reported) this.#options.failed(error)
    this.#reported = true
  }

  /**
   * Decides whether writing works. `errors` has one value for each text, undefined for a text that was written. One
   * success shows that the other writes may succeed too.
   */
  #judge(errors: readonly unknown[]): void {
    if (errors.length > 0) this.#failure = errors.includes(undefined) ? undefined : errors[0]
    if (this.#failure !== undefined) return
    if (this.#broken.size > 0) {
      if (errors.length > 0 && !errors.some(Boolean)) for (const name of this.#broken) this.#dirty.add(name)
    } else if (this.#reported) {
      this.#reported = false
      this.#options.recovered()
    }
  }

  #again(): void {
    this.#timer = undefined
    if (this.#broken.size === 0) return void this.#tryProbe()
    for (const name of firstOf(this.#broken)) this.#dirty.add(name)
    this.#running ??= this.#run()
  }

  /**
   * Tests with a probe whether writing works again. Used if there is nothing left to write, because all callers have
   * been rejected.
   */
  async #tryProbe(): Promise<void> {
    if (!this.#reported) return
    const { log } = this.#options
    const error = (await log.write(new Map([[probe, probe]]))).get(probe)
    if (error === undefined) await log.write(new Map([[probe, undefined]]))
    this.#judge([error])
    if (error !== undefined) this.#report(error)
  }
}

function waitIn(waiting: Waiting[]): Promise<void> {
  return new Promise((resolve, reject) => void waiting.push({ resolve, reject }))
}

function firstOf(names: ReadonlySet<string>): string[] {
  const first: string[] = []
  for (const name of names) if (first.push(name) === batchSize) break
  return first
}
