/**
 * The storage that nodes use for all data that must survive a restart: the same interface for the embedded database and
 * a shared one.
 */

/** An item to store. `body` and `summary` must be values that JSON can express. */
export interface NewItem {
  readonly body?: unknown
  /** A few words for lists (title, names, times), which are read without the body. */
  readonly summary?: unknown
  /** The object that the work is about, such as `client/document/4711`; `makeDue` finds the work by it. */
  readonly subject?: string
  /** Makes the item work that can be claimed after this many milliseconds. If absent, the item is only stored. */
  readonly dueMs?: number
  /** Milliseconds after which the item expires. If absent, it is stored until it is completed or removed. */
  readonly keepMs?: number
}

/** An item as lists show it: everything except its body. */
export interface Listed {
  readonly id: string
  readonly summary: unknown
  readonly subject: string
  /** When the item was first stored, by the store's clock, in milliseconds since 1970. */
  readonly since: number
  /** When the item is next due, by the store's clock, in milliseconds since 1970; absent if the item is not work. */
  readonly due?: number
  /** How often the item was delivered into the flow. */
  readonly deliveryCount: number
  /** The place of the item in lists. It does not change as long as the item exists, and is never reused. */
  readonly position: number
}

export interface Item extends Listed {
  readonly body: unknown
  /** The version with which the node stored this item; never newer than the version with which the store was opened. */
  readonly version: number
  /** Milliseconds since the item was first stored, by the store's clock, at the time of reading. */
  readonly ageMs: number
}

/**
 * A claim on work. In a store that several processes share, the claim is ours until its lease expires. A store that
 * only this process uses has no leases, so the claim is ours until we end it. A `deliveryCount` above 0 means that the
 * work may have been in the flow before.
 */
export interface Claim extends Item {
  /** Identifies this claim among all claims of the same item. */
  readonly owner: string
}

/**
 * The changes that are made to an item when its claim ends or is rescheduled. Absent properties stay unchanged;
 * `keepMs` counts from now.
 */
export type Changes = Omit<NewItem, 'dueMs'>

/**
 * Everything that one node keeps for one purpose: a key-value store and a work queue over the same items. All methods
 * are safe to call concurrently.
 *
 * When `put`, `add`, `increment`, `markDelivered` or `claim` resolves, the change is stored. In the embedded
 * database, it survives SIGKILL at once, and a power cut a second later. In a shared database, it is committed.
 *
 * If a change can't be written, the call rejects and nothing has changed, so the caller must not act on the change.
 * The error is EID_CONFIG (`config.storeUnwritten`, `config.storeUnread`, `config.storeReadOnly`,
 * `config.storeBroken`, `config.storeOwned`, `config.storeNewer`) for the embedded database, and EID_NETWORK for a shared one. If the connection to a shared database broke, the change may have been made after
 * all. Every method may be called again.
 *
 * Callers give times only as durations in milliseconds. A monotonic clock counts them: the clock of this process, or
 * the clock of the database.
 */
export interface Store extends KeyValueStore, WorkQueue {
  /** Resolves when everything is written. What is stored stays, whatever the reason for closing. */
  close(): Promise<void>
}

/** Items by their ids. */
export interface KeyValueStore {
  /**
   * Stores a new item, or replaces the item with this id. Rejects with EID_CONFIG if there is no room (see `Limits`).
   */
  put(id: string, item: NewItem): Promise<void>
  /**
   * Stores an item unless an item with this id exists. Of several callers, only one gets true. Rejects as `put` does.
   */
  add(id: string, item: NewItem): Promise<boolean>
  /**
   * Returns the item; undefined if it does not exist, has expired, is damaged, or was written by a newer version.
   * Rejects if the item can't be read at the moment but may be readable later.
   */
  get(id: string): Promise<Item | undefined>
  /** Removes an item, whether claimed or not. Of several callers, only one gets true. */
  remove(id: string): Promise<boolean>
  /** Atomically adds 1 to the counter with this id, and returns the new value. `keepMs` counts from the first call. */
  increment(id: string, keepMs?: number): Promise<number>
  /**
   * Lists items in the order in which they were first stored, `limit` (1,000) at a time. `after` is the position of the
   * last item of the previous page; this item may have been removed by then. Rejects while an item can't be read,
   * because the list would be incomplete.
   */
  list(options?: { readonly limit?: number; readonly after?: number }): Promise<Listed[]>
  /**
   * The number of items; some items that expired in the last minute may be included. Above 2,000 items, a shared
   * database returns an estimate with two digits, because counting a million items takes long.
   */
  count(): Promise<number>
  /** Removes everything of this node and kind. */
  clear(): Promise<void>
  /**
   * Moves everything of another node and the same kind into this store, with its age and the number of its deliveries.
   * If an item with the same id exists here, this item stays, and the other one is not moved. The other node must not
   * be running. May be called again after a crash.
   */
  takeFrom(nodeId: string): Promise<void>
}

/** The items with a `dueMs`. Each is claimed when it is due, and completed or rescheduled by the owner of the claim. */
export interface WorkQueue {
  /** Milliseconds for which a claim is valid unless it is renewed. */
  readonly leaseMs: number
  /** Aborted when the node begins to close, which is before its store is closed. Then nothing may be sent any more. */
  readonly closing?: AbortSignal | undefined

  /**
   * Claims work that is due, oldest first. No other instance gets this work before the lease expires. If
   * `markedDelivered` is true, the work counts as delivered as soon as it is claimed.
   */
  claim(limit: number, options?: { readonly markedDelivered?: boolean }): Promise<Claim[]>
  /** Restarts the leases of the claims; returns the claims that are still ours. */
  renew(claims: readonly Claim[]): Promise<Claim[]>
  /**
   * Must be called before a message goes into the flow; returns true if the claim is still ours. The delivery is
   * recorded, so that an instance that claims the item after a crash finds it in `deliveryCount`. If this returns
   * false, send nothing, because another owner sends the message.
   */
  markDelivered(claim: Claim): Promise<boolean>
  /**
   * Ends the claim and makes the work due again in `dueMs` milliseconds, or at once if it was made due in the meantime.
   * Returns false if the claim is no longer ours; then nothing is changed.
   */
  reschedule(claim: Claim, dueMs: number, changes?: Changes): Promise<boolean>
  /**
   * Completes the work. With `remain`, the item stays stored but is no longer work. Returns false if the claim is no
   * longer ours; then nothing is changed.
   */
  complete(claim: Claim, remain?: Changes): Promise<boolean>
  /** Releases the claims and makes their work due at once. Claims that are no longer ours are left unchanged. */
  returnClaims(claims: readonly Claim[]): Promise<void>
  /**
   * Makes the work about these subjects due at once, for all nodes that share the store. This may fail without an
   * error, so nothing may rely on it.
   */
  makeDue(subjects: readonly string[]): Promise<void>
  /** Resolves when there may be work to claim, or when the signal is aborted. Never rejects. */
  ready(signal: AbortSignal): Promise<void>
}

/**
 * How much one node may store. Above these limits, the oldest items that are not work are dropped. Work is never
 * dropped, so `put` and `add` reject if there is only work. Above 2,000 items, a database only estimates how much a
 * node stores, so the node may store a few per cent more or less than the limits.
 */
export interface Limits {
  /** The maximum number of items; 100,000 if absent. A shared store has its own setting. */
  readonly maxItems?: number
  /**
   * The maximum number of bytes of all bodies and summaries; 256 MiB if absent. A shared store sets a higher limit if
   * it may have more items.
   */
  readonly maxBytes?: number
}

export interface StoreOptions extends Limits {
  /** The kind of items that the node stores here, such as `waits`: letters only. */
  readonly kind: string
  /**
   * The version of the bodies that the node writes and reads; 1 if absent. The node gets items of older versions, but
   * none of newer versions.
   */
  readonly version?: number
  /**
   * Milliseconds for which a claim is valid unless it is renewed; 15 seconds if absent. A shared store has its own
   * setting.
   */
  readonly leaseMs?: number
  /** Aborted when the node begins to close. */
  readonly closing?: AbortSignal | undefined
  /** Absent if no one can tell people. Called once for each fault; not called again for this fault until it is over. */
  readonly onStoreEvent?: (event: StoreEvent, error?: unknown) => void
}

/**
 * `volatile`: data may not survive a crash, or a restart. `unwritten`: nothing can be written. `unread`: stored data
 * can't be read at the moment. `away`: the database can't be reached. `back`: the store works again. `unreadable`: an
 * item is damaged, but all others can be read. `notice`: people must know something about the file of the embedded
 * database; only one of all nodes gets it. All but `volatile`, `unreadable` and `back` come with an EidError.
 */
export type StoreEvent = 'volatile' | 'notice' | 'unwritten' | 'unread' | 'unreadable' | 'away' | 'back'

/**
 * An item that was delivered this many times without being completed is not delivered again, because it may be what
 * crashes the process.
 */
export const maxDeliveries = 5

/** True if an item must not be delivered again; `deliveryCount` is how often it was delivered. */
export function isDeliveredTooOften(deliveryCount: number): boolean {
  return deliveryCount >= maxDeliveries
}

export const defaultLeaseMs = 15_000
export const defaultLimits = { maxItems: 100_000, maxBytes: 256 * 1024 * 1024 } as const
