/** The files of each item. An item usually has a single file, so the memory use is optimized for this case. */

/** The generation numbers of an item's files, oldest first. `current` is the number of the valid file. */
interface Files {
  readonly current: number
  readonly all: readonly number[]
}

export class Generations {
  readonly #known = new Map<string, number | Files>()

  get(name: string): Files | undefined {
    const found = this.#known.get(name)
    return typeof found === 'number' ? { current: found, all: [found] } : found
  }

  set(name: string, { current, all }: Files): void {
    const only = all.length === 1 && all[0] === current
    this.#known.set(name, only ? current : { current, all })
  }

  delete(name: string): void {
    this.#known.delete(name)
  }

  clear(): void {
    this.#known.clear()
  }
}
