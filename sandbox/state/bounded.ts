/** Collections that drop their oldest entries, so that a sandbox can run for months. */

/** A map of at most `limit` entries; the oldest is dropped first, and `dropped` is called with each dropped value. */
export class BoundedMap<Value> extends Map<string, Value> {
  constructor(
    private readonly limit: number,
    private readonly dropped: (value: Value) => void = () => undefined,
  ) {
    super()
  }

  override set(key: string, value: Value): this {
    super.set(key, value)
    if (this.size > this.limit) this.dropOldest()
    return this
  }

  private dropOldest(): void {
    for (const [key, value] of this) {
      this.delete(key)
      this.dropped(value)
      return
    }
  }
}

/** The latest `limit` entries. */
export class Ring<Value> {
  private entries: Value[] = []
  private next = 0

  constructor(private readonly limit: number) {}

  push(value: Value): void {
    this.entries[this.next] = value
    this.next = (this.next + 1) % this.limit
  }

  /** All entries, oldest first. */
  list(): Value[] {
    return [...this.entries.slice(this.next), ...this.entries.slice(0, this.next)]
  }

  clear(): void {
    this.entries = []
    this.next = 0
  }
}
