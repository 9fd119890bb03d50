/**
 * The storage that nodes use for everything that must survive: one interface for files, context stores and databases.
 */

/** An item to store. `body` and `summary` must survive JSON. */
export interface NewItem {
  readonly body?: unknown
  /** A few words for lists (title, names, times), read without the body. */
  readonly summary?: unknown
  /** The object of the work, such as `client/document/4711`, by which `makeDue` finds it. */
  readonly subject?: string
  /** Makes it work that can be claimed after this many milliseconds; absent: it is only stored. */
  readonly dueMs?: number
  /** Expires after this many milliseconds; absent: stored until it is completed or removed. */
  readonly keepMs?: number
}

/** An item as lists show it: everything but its body. */
export interface Listed {
  readonly id: string
  readonly summary: unknown
  readonly subject: string
  /** When it was first stored, by the store's clock; milliseconds since 1970. */
  readonly since: number
  /** When it is next due, by the same clock; absent if it is not work. */
  readonly due?: number
  /** How often it was delivered into the flow. */
  readonly deliveryCount: number
  /** Its place in lists; unchanged as long as the item exists, and never reused. */
  readonly position: number
}

export interface Item extends Listed {
  readonly body: unknown
  /** The version with which the node stored this; never newer than that with which the store was opened. */
  readonly version: number
  /** Milliseconds since it was first stored, by the store's clock, at the time of reading. */
  readonly ageMs: number
}

/**
 * Work that is ours until its lease expires or, in a store of one process, until we end it. A `deliveryCount` above 0
 * means that it may have been in the flow before.
 */
export interface Claim extends Item {
  /** Identifies this claim among all claims of the same item. */
  readonly owner: string
}

/**
 * The changes with which a claim ends or is rescheduled. Absent properties stay unchanged; `keepMs` counts from now.
 */
export type Changes = Omit<NewItem, 'dueMs'>

/**
 * Everything that one node keeps for one purpose: a key-value store and a work queue over the same items. All methods
 * are safe to call concurrently.
 *
 * When `put`, `add`, `increment`, `markDelivered` or `claim` resolves, the change is stored. With files, it survives
 * SIGKILL at once; a power cut may lose what was written in the last second (after a burst of thousands: in the last
 * seconds). A context store keeps what its plugin promises. A database has committed.
 *
 * If a change can't be written, the call rejects and nothing has changed: do not act on it. The error is EID_CONFIG
 * (`config.storeUnwritten`, `config.storeUnread`, `config.storeOwned`) for files and context stores, and EID_NETWORK for
 * a database. If the connection to the database broke, the change may have been made: every method may be repeated.
 *
 * Methods that end something (`reschedule`, `complete`, `returnClaims`, `remove`) take effect at once in files and
 * context stores, and are written as soon as possible. After a crash before that, the work comes back, with its
 * `deliveryCount`.
 *
 * Times: only spans are given, in milliseconds. Spans are counted by a monotonic clock (this process's, or the
 * database's).
 */
export interface Store extends KeyValueStore, WorkQueue {
  /**
   * Resolves when everything is written. `removed`: the node was deleted, so its data is removed too (unless others
   * share it).
   */
  close(removed: boolean): Promise<void>
}

/** Items by their ids. */
export interface KeyValueStore {
  /**
   * Stores an item, new or replacing the one with this id. Rejects with EID_CONFIG if there is no room (see `Limits`).
   */
  put(id: string, item: NewItem): Promise<void>
  /** Stores an item unless this id exists: of all callers, one gets true. Rejects as `put` does. */
  add(id: string, item: NewItem): Promise<boolean>
  /**
   * The item, unless it is missing, has expired, is damaged, or was written by a newer version. Rejects if it can't be
   * read now but perhaps later.
   */
  get(id: string): Promise<Item | undefined>
  /** Removes an item, claimed or not: of all callers, one gets true. */
  remove(id: string): Promise<boolean>
  /** Atomically adds 1 to the counter of this id, and returns the new value. `keepMs` counts from the first call. */
  increment(id: string, keepMs?: number): Promise<number>
  /**
   * In the order in which they were first stored, `limit` (1,000) at a time; `after` is the position of the last item
   * of the previous page, which may be gone by then. Rejects while an item can't be read, because the list would be
   * incomplete.
   */
  list(options?: { readonly limit?: number; readonly after?: number }): Promise<Listed[]>
  /**
   * The number of items; some that expired in the last minute may be included. Above 2,000, a database returns two
   * digits, because counting a million takes it long.
   */
  count(): Promise<number>
  /** Removes everything of this node and kind. */
  clear(): Promise<void>
}

/** The items with a `dueMs`: each is claimed when due, and completed or rescheduled by its owner. */
export interface WorkQueue {
  /** Milliseconds that a claim lasts unless renewed. */
  readonly leaseMs: number

  /**
   * Work that is due, oldest first; no other instance gets it before the lease expires. With `markedDelivered`, it
   * already counts as delivered.
   */
  claim(limit: number, options?: { readonly markedDelivered?: boolean }): Promise<Claim[]>
  /** Restarts the lease; returns the claims that are still ours. */
  renew(claims: readonly Claim[]): Promise<Claim[]>
  /**
   * Call this before a message goes into the flow; true if the claim is still ours. The delivery is recorded, so that the
   * instance that claims the item after a crash finds it in `deliveryCount`. If this returns false, send nothing: another
   * owner does.
   */
  markDelivered(claim: Claim): Promise<boolean>
  /**
   * Puts the work back, due in `dueMs`, or at once if it was woken meanwhile. False if it is no longer ours: then
   * nothing is changed.
   */
  reschedule(claim: Claim, dueMs: number, changes?: Changes): Promise<boolean>
  /**
   * Completes the work; with `remain`, the item stays without being work. False if it is no longer ours: then nothing
   * is changed.
   */
  complete(claim: Claim, remain?: Changes): Promise<boolean>
  /** Releases claims and makes them due at once; claims that are no longer ours are left alone. */
  returnClaims(claims: readonly Claim[]): Promise<void>
  /**
   * Makes the work about these subjects due at once, for all nodes that share the store. Best effort: nothing relies on
   * it.
   */
  makeDue(subjects: readonly string[]): Promise<void>
  /** Resolves when there may be work to claim, or the signal is aborted. Never rejects. */
  ready(signal: AbortSignal): Promise<void>
}

/**
 * How much one node may store. Above that, the oldest items that are not work are dropped; work never is, so `put` and
 * `add` reject. Above 2,000 items a database estimates: it stores a few per cent more or fewer.
 */
export interface Limits {
  /** 100,000 if absent; a shared store has a setting of its own. */
  readonly maxItems?: number
  /** Total size of bodies and summaries; 256 MiB if absent, more in a shared store with more items. */
  readonly maxBytes?: number
}

export interface StoreOptions extends Limits {
  /** The kind of items the node stores here, such as `waits`: letters only. */
  readonly kind: string
  /** The version of the bodies that the node writes and reads; it gets older ones, but not newer ones. 1 if absent. */
  readonly version?: number
  /** 15 seconds if absent; a shared store has a setting of its own. */
  readonly leaseMs?: number
  /** Called once for each fault until it is over. */
  readonly onStoreEvent: (event: StoreEvent, error?: unknown) => void
}

/**
 * `volatile`: data may not survive a crash, or a restart. `unwritten`: nothing can be written. `unread`: stored data
 * can't be read now. `away`: the database can't be reached. `back`: the store works again. `unreadable`: an item is
 * damaged; all others are fine. Faults come with an EidError.
 */
export type StoreEvent = 'volatile' | 'unwritten' | 'unread' | 'unreadable' | 'away' | 'back'

/**
 * An item delivered this often without being completed is not delivered again: it may be the reason why the process
 * ends.
 */
export const maxDeliveries = 5

/** True if an item must not be delivered again; `deliveryCount` is how often it was delivered. */
export function isDeliveredTooOften(deliveryCount: number): boolean {
  return deliveryCount >= maxDeliveries
}

export const defaultLeaseMs = 15_000
export const defaultLimits = { maxItems: 100_000, maxBytes: 256 * 1024 * 1024 } as const
