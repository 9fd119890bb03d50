/**
 * The sandbox's own time: it passes like the real time and can be moved forward, so that a test need not wait ten
 * minutes.
 */

/** Node's longest timer, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

interface Task {
  readonly at: number
  readonly run: () => void | Promise<void>
}

export class Clock {
  private ahead = 0
  /** The moves of the clock that are in progress, with their targets. */
  private readonly moves = new Set<{ readonly target: number }>()
  /** The scheduled tasks, sorted by time. */
  private tasks: Task[] = []
  private timer: NodeJS.Timeout | undefined

  /** The sandbox's current time, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.ahead
  }

  /**
   * The time at which the current move of the clock ends, in milliseconds since 1970; now if there is no move in
   * progress.
   */
  arrival(): number {
    return Math.max(this.now(), ...Array.from(this.moves, ({ target }) => target))
  }

  /** Now as ISO 8601, in UTC. */
  iso(): string {
    return new Date(this.now()).toISOString()
  }

  /**
   * Runs `run` after `milliseconds` have passed or were skipped; returns a function that cancels it. Does not keep the
   * process alive.
   */
  after(milliseconds: number, run: () => void | Promise<void>): () => void {
    const task = { at: this.now() + milliseconds, run }
    this.tasks.splice(this.placeAfter(task.at), 0, task)
    if (this.tasks[0] === task) this.arm()
    return () => this.take(task)
  }

  /**
   * Moves the time forward and runs what became due, in order, each at its own time. A move that is requested during
   * another move is added to that move.
   */
  advance(milliseconds: number): Promise<void> {
    return this.moveTo(this.arrival() + milliseconds)
  }

  private async moveTo(target: number): Promise<void> {
    const move = { target }
    this.moves.add(move)
    try {
      for (let task = this.due(target); task; task = this.due(target)) {
        this.ahead += Math.max(0, task.at - this.now())
        await task.run()
        // If the clock was put back meanwhile, the move ends.
        if (!this.moves.has(move)) return
      }
      this.ahead += Math.max(0, target - this.now())
    } finally {
      this.moves.delete(move)
      this.arm()
    }
  }

  /** Cancels everything scheduled. */
  clear(): void {
    this.tasks = []
    clearTimeout(this.timer)
  }

  /** Puts the clock back to the real time. */
  putBack(): void {
    this.ahead = 0
    this.moves.clear()
    this.arm()
  }

  private due(until: number): Task | undefined {
    return (this.tasks[0]?.at ?? Infinity) <= until ? this.tasks.shift() : undefined
  }

  private arm(): void {
    clearTimeout(this.timer)
    const first = this.tasks[0]
    if (!first) return
    const wait = Math.min(Math.max(0, first.at - this.now()), MAX_TIMEOUT_MS)
    // A failed task has no caller to report to, and must not crash the surrounding Node-RED.
    const tell = (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error))
    this.timer = setTimeout(() => void this.moveTo(this.now()).catch(tell), wait)
    this.timer.unref()
  }

  private take(task: Task): void {
    const index = this.tasks.indexOf(task, Math.max(0, this.placeBefore(task.at)))
    if (index >= 0) this.tasks.splice(index, 1)
  }

  private placeBefore(at: number): number {
    return this.search((task) => task.at < at)
  }

  private placeAfter(at: number): number {
    return this.search((task) => task.at <= at)
  }

  private search(earlier: (task: Task) => boolean): number {
    let low = 0
    let high = this.tasks.length
    while (low < high) {
      const middle = (low + high) >> 1
      const task = this.tasks[middle]
      if (task && earlier(task)) low = middle + 1
      else high = middle
    }
    return low
  }
}
