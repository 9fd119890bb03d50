/**
 * What a node must not forget: the one interface to it, whether it is kept in files, in a context store or in a
 * database.
 */

/** What is to be kept. `body` and `summary` must survive JSON. */
export interface NewItem {
  readonly body?: unknown
  /** A few words for lists (title, names, times), read without the body. */
  readonly summary?: unknown
  /** What the work is about, such as `client/document/4711`, so that `makeDue` finds it. */
  readonly subject?: string
  /** Makes it work that can be claimed after so many milliseconds; absent: it is only kept. */
  readonly dueMs?: number
  /** Forgotten after so many milliseconds; absent: kept until it is finished or removed. */
  readonly keepMs?: number
}

/** What lists show of an item: everything but its body. */
export interface Listed {
  readonly id: string
  readonly summary: unknown
  readonly subject: string
  /** When it was first kept, by the store's clock; milliseconds since 1970. */
  readonly since: number
  /** When it is next due, by the same clock; absent for what is only kept. */
  readonly due?: number
  /** How often it was delivered into the flow. */
  readonly deliveryCount: number
  /** Its place in lists; unchanged as long as the item exists, and never reused. */
  readonly position: number
}

export interface Item extends Listed {
  readonly body: unknown
  /** The version that the node had when it wrote this; never newer than the version the store was opened with. */
  readonly version: number
  /** Milliseconds since it was first kept, by the store's clock, when it was read. */
  readonly ageMs: number
}

/**
 * Work that is ours until its lease expires, or, in a store of one process, until we end it. A `deliveryCount` above 0:
 * it may have been in the flow before.
 */
export interface Claim extends Item {
  /** Identifies this claim among all those of the same item. */
  readonly owner: string
}

/** What a claim leaves behind, or is put back with. Absent properties stay unchanged; `keepMs` counts from now. */
export type Changes = Omit<NewItem, 'dueMs'>

/**
 * Everything that one node keeps for one purpose: a key-value store and a work queue over the same items. All methods
 * are safe to call concurrently.
 *
 * What a resolved promise of `put`, `add`, `increment`, `markDelivered` or `claim` means: files survive SIGKILL at
 * once, and a power cut may cost what was written in the last second (after a burst of thousands: in the last seconds); a
 * context store keeps what its plugin promises; a database has committed. What can't be written rejects, and has not
 * happened: do not act. The error is EID_CONFIG (`config.storeUnwritten`, `config.storeUnread`, `config.storeOwned`) for files and context
 * stores, and EID_NETWORK for a database. After a connection that broke, it perhaps did happen: every method may be
 * repeated.
 *
 * What ends something (`reschedule`, `complete`, `returnClaims`, `remove`) does so at once in files and context stores,
 * and is written down as soon as that works: a crash before brings the work back, with its `deliveryCount`.
 *
 * Times: only spans are given, in milliseconds. Spans are counted by a monotonic clock (this process's, or the
 * database's).
 */
export interface Store extends KeyValueStore, WorkQueue {
  /**
   * Resolves when everything is written. `removed`: the node was deleted, and what it kept goes with it (not where
   * others share it).
   */
  close(removed: boolean): Promise<void>
}

/** Items by their ids. */
export interface KeyValueStore {
  /**
   * Keeps an item, new or in the place of the one with this id. Rejects with EID_CONFIG when there is no
   * room (see `Limits`).
   */
  put(id: string, item: NewItem): Promise<void>
  /** Keeps an item unless there is one with this id: of all callers, one gets true. Rejects as `put` does. */
  add(id: string, item: NewItem): Promise<boolean>
  /**
   * The item, unless it is missing, has expired, is damaged, or was written by a newer version. Rejects when it can't
   * be read now and perhaps can later.
   */
  get(id: string): Promise<Item | undefined>
  /** Forgets an item, claimed or not: of all callers, one gets true. */
  remove(id: string): Promise<boolean>
  /** Adds 1 to the counter of this id, in one step, and gives the new value. `keepMs` counts from the first time. */
  increment(id: string, keepMs?: number): Promise<number>
  /**
   * In the order in which they were first kept, `limit` (1,000) at a time; `after` is the position of the last of the
   * list before, which may be gone by then. Rejects while an item can't be read: the list would not be whole.
   */
  list(options?: { readonly limit?: number; readonly after?: number }): Promise<Listed[]>
  /**
   * How many items there are; those that expired in the last minute may be among them. Of more than 2,000 a database
   * gives two digits: counting a million takes it long.
   */
  count(): Promise<number>
  /** Forgets everything of this node and purpose. */
  clear(): Promise<void>
}

/** The items with a `dueMs`: each is claimed when it is due, and completed or rescheduled by its owner. */
export interface WorkQueue {
  /** Milliseconds that a claim lasts unless it is renewed. */
  readonly leaseMs: number

  /**
   * Work that is due, oldest first; no other instance gets it before the lease is over. With `markedDelivered`
   * it counts as delivered already.
   */
  claim(limit: number, options?: { readonly markedDelivered?: boolean }): Promise<Claim[]>
  /** Restarts the lease; gives those that still are ours. */
  renew(claims: readonly Claim[]): Promise<Claim[]>
  /**
   * To be called before a message goes into the flow: true when the claim still is ours. It is noted, so that who
   * claims the item after a crash finds it in `deliveryCount`. If this returns false, send nothing: another owner does.
   */
  markDelivered(claim: Claim): Promise<boolean>
  /**
   * Puts the work back, due in `dueMs`; 0 when it was woken meanwhile. False when it no longer is ours: then nothing
   * is changed.
   */
  reschedule(claim: Claim, dueMs: number, changes?: Changes): Promise<boolean>
  /**
   * Ends the work; what is to `remain` is kept as no work. False when it no longer is ours: then nothing is changed.
   */
  complete(claim: Claim, remain?: Changes): Promise<boolean>
  /** Releases claims and makes them due at once; claims that are no longer ours are left alone. */
  returnClaims(claims: readonly Claim[]): Promise<void>
  /**
   * Makes the work about these subjects due at once, of all nodes that share the store. Best effort:
   * nothing relies on it.
   */
  makeDue(subjects: readonly string[]): Promise<void>
  /** Resolves when there may be work to claim, or the signal is aborted. Never rejects. */
  ready(signal: AbortSignal): Promise<void>
}

/**
 * How much one node may keep. Over it the oldest items that are no work are forgotten; work is not: then `put` and
 * `add` reject. A database estimates what is more than 2,000 items: it keeps a few in a hundred more or fewer.
 */
export interface Limits {
  /** 100,000 when absent; a shared store has a setting of its own. */
  readonly maxItems?: number
  /** Total size of bodies and summaries; 256 MiB if absent, more in a shared store with more items. */
  readonly maxBytes?: number
}

export interface StoreOptions extends Limits {
  /** What the node keeps here, such as `waits`: letters only. */
  readonly kind: string
  /**
   * The version of the bodies that the node writes and reads; older ones are passed to it, newer ones are not. 1 if
   * absent.
   */
  readonly version?: number
  /** 15 seconds when absent; a shared store has a setting of its own. */
  readonly leaseMs?: number
  /** Called once for each fault until it is over. */
  readonly onStoreEvent: (event: StoreEvent, error?: unknown) => void
}

/**
 * `volatile`: what is kept may not survive a crash, or a restart. `unwritten`: nothing can be written. `unread`: what
 * was kept can't be read now. `away`: the database can't be reached. `back`: the store works again. `unreadable`: an
 * item is damaged; all others are fine. Those with an error come with an EidError.
 */
export type StoreEvent = 'volatile' | 'unwritten' | 'unread' | 'unreadable' | 'away' | 'back'

/**
 * An item delivered this often without being completed is not delivered again: it may be what ends the process.
 */
export const maxDeliveries = 5

/** Whether an item must not be delivered any more; `deliveryCount` is how often it was delivered. */
export function isDeliveredTooOften(deliveryCount: number): boolean {
  return deliveryCount >= maxDeliveries
}

export const defaultLeaseMs = 15_000
export const defaultLimits = { maxItems: 100_000, maxBytes: 256 * 1024 * 1024 } as const
