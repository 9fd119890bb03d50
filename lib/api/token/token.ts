/**
 * Access tokens: fetched once, shared by the whole process, replaced shortly before they expire (`interface.md` 4.1,
 * 5).
 */
import { orAborted } from '../call/retry'

/**
 * The client that the token is for. The cache key is the token address, the client id and the set of scopes; if the
 * client secret changes, the old token is dropped.
 */
export interface TokenOwner {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
}

export interface Token {
  readonly value: string
  /** Lifetime in seconds, as given by the service. */
  readonly lifetime: number
}

/** Requests a token from the service; `signal` is aborted when no caller needs the token any more. */
type FetchToken = (owner: TokenOwner, signal: AbortSignal) => Promise<Token>

interface Entry {
  readonly secret: string
  token?: Token
  /** The time in milliseconds since 1970 from which the token is no longer used. */
  renewAt: number
  pending?: { readonly promise: Promise<Token>; readonly controller: AbortController; waiting: number }
}

/** Caches tokens, in memory only. */
export class TokenStore {
  private readonly entries = new Map<string, Entry>()
  private readonly keys = new WeakMap<TokenOwner, string>()

  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Returns the owner's valid token. `fetch` is called once, however many callers ask at the same time. Rejects with
   * the error of `fetch` or the signal's reason.
   */
  async get(owner: TokenOwner, fetch: FetchToken, signal?: AbortSignal): Promise<string> {
    const entry = this.entryOf(owner)
    if (entry.token && this.now() < entry.renewAt) return entry.token.value
    const token = await this.join(entry, owner, fetch, signal)
    return token.value
  }

  /** Drops this owner's token `value` after the service rejected it; a newer token stays. */
  forget(owner: TokenOwner, value: string): void {
    const entry = this.entries.get(this.keyOf(owner))
    if (entry?.token?.value === value) entry.token = undefined
  }

  /** The time up to which this owner's token is used, in milliseconds since 1970; undefined without a token. */
  usedUntil(owner: TokenOwner): number | undefined {
    const entry = this.entries.get(this.keyOf(owner))
    const valid = entry?.token !== undefined && entry.secret === owner.clientSecret && this.now() < entry.renewAt
    return valid ? entry.renewAt : undefined
  }

  private entryOf(owner: TokenOwner): Entry {
    const key = this.keyOf(owner)
    const known = this.entries.get(key)
    if (known?.secret === owner.clientSecret) return known
    const fresh: Entry = { secret: owner.clientSecret, renewAt: 0 }
    this.entries.set(key, fresh)
    return fresh
  }

  /** Computed once per owner, because every call needs it. */
  private keyOf(owner: TokenOwner): string {
    let key = this.keys.get(owner)
    if (key === undefined) {
      key = JSON.stringify([owner.tokenUrl, owner.clientId, [...new Set(owner.scopes)].sort()])
      this.keys.set(owner, key)
    }
    return key
  }

  private async join(entry: Entry, owner: TokenOwner, fetch: FetchToken, signal?: AbortSignal): Promise<Token> {
    const pending = (entry.pending ??= this.start(entry, owner, fetch))
    pending.waiting++
    try {
      return await orAborted(pending.promise, signal)
    } finally {
      pending.waiting--
      if (pending.waiting === 0 && entry.pending === pending) {
        entry.pending = undefined
        pending.controller.abort()
      }
    }
  }

  private start(entry: Entry, owner: TokenOwner, fetch: FetchToken): NonNullable<Entry['pending']> {
    const controller = new AbortController()
    const promise = fetch(owner, controller.signal)
      .then((token) => {
        entry.token = token
        entry.renewAt = this.now() + usableFor(token.lifetime)
        return token
      })
      .finally(() => {
        if (entry.pending?.promise === promise) entry.pending = undefined
      })
    // All callers may have been rejected by the time the request fails; without this, that failure would be unhandled.
    promise.catch(() => undefined)
    return { promise, controller, waiting: 0 }
  }
}

/**
 * How long a token is used, in milliseconds. It is replaced when a tenth of its lifetime or one minute is left,
 * whichever is less.
 */
export function usableFor(lifetime: number): number {
  return (lifetime - Math.min(60, lifetime / 10)) * 1000
}

/** The token store shared by all clients of this process. */
export const sharedTokens = new TokenStore()
