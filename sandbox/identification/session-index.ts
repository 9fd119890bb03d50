/** All identification sessions, found by id, by page and by age. Above a limit, the oldest are dropped. */
import type { Session } from './session'

const MAX_SESSIONS = 150_000

export class Sessions {
  private readonly byId = new Map<string, Session>()
  private readonly byToken = new Map<string, Session>()
  /**
   * All sessions, oldest first. The first entry has the position `start`. The first `gone` entries count as dropped,
   * and are removed from the list later, many at once.
   */
  private ordered: Session[] = []
  private start = 0
  private gone = 0

  constructor(private readonly limit = MAX_SESSIONS) {}

  add(session: Session): void {
    this.byId.set(session.id, session)
    this.byToken.set(session.token, session)
    this.ordered.push(session)
    if (this.byId.size > this.limit) this.forgetOldest()
  }

  get size(): number {
    return this.byId.size
  }

  get(id: string): Session | undefined {
    return this.byId.get(id)
  }

  atToken(token: string): Session | undefined {
    return this.byToken.get(token)
  }

  /** The sessions before the position `before`, newest first, each with its position. */
  *before(before = Infinity): Generator<readonly [number, Session]> {
    for (let index = Math.min(before - this.start, this.ordered.length) - 1; index >= this.gone; index--) {
      const session = this.ordered[index]
      if (session) yield [this.start + index, session]
    }
  }

  private forgetOldest(): void {
    const oldest = this.ordered[this.gone]
    if (!oldest) return
    this.byId.delete(oldest.id)
    this.byToken.delete(oldest.token)
    this.gone += 1
    if (this.gone < this.limit) return
    this.ordered = this.ordered.slice(this.gone)
    this.start += this.gone
    this.gone = 0
  }
}
