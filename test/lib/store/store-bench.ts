/** The setup for tests of a store's guarantees: where the items are, and how a store is opened again. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Claim, Store } from '../../../lib/store/store'
import { until } from '../../support/time'
import { programOf } from '../../support/program'
import type { ChildTask, ChildWord } from './store-child'
import { openAt, type Opened, type StoreLocation } from './store-places'

/** What the tests need to know about one kind of store. */
export interface Way {
  /** A new empty place for each test. */
  newPlace(): Promise<StoreLocation>
  /** Makes the stored data of an item unreadable. */
  corrupt(place: StoreLocation, id: string): Promise<void>
  /** Makes all leases end now. Does nothing where a claim ends with its process instead. */
  endLeases(place: StoreLocation): Promise<void>
  /** Whether several processes may have the store open at once. */
  readonly shared: boolean
}

interface StoreBench {
  place(): StoreLocation
  openStore(options?: Opened): Promise<Store>
  /** Closes all open stores. */
  closeAll(): Promise<void>
  endLeases(): Promise<void>
  /** Closes all stores and opens one again, as a restart does. */
  reopen(options?: Opened): Promise<Store>
}

/** Milliseconds of a lease: longer than any test takes. A test that needs its end uses `endLeases`. */
const longLeaseMs = 3_600_000

/** Call it inside a `describe`: every test gets a new place. */
export function storeBench({ newPlace, endLeases }: Way): StoreBench {
  let place: StoreLocation
  const open: Store[] = []
  const openStore = async (options: Opened = {}) => {
    const store = await openAt(place, { leaseMs: longLeaseMs, ...options })
    open.push(store)
    return store
  }
  const closeAll = async () => {
    await Promise.all(open.splice(0).map((store) => store.close()))
  }
  const reopen = async (options: Opened = {}) => {
    await closeAll()
    return openStore(options)
  }
  beforeEach(async () => {
    place = await newPlace()
  })
  afterEach(closeAll)
  return { place: () => place, openStore, closeAll, reopen, endLeases: () => endLeases(place) }
}

/** Claims until there are this many claims. */
export async function claimed(store: Store, count: number, handOut = false): Promise<Claim[]> {
  const claims: Claim[] = []
  await until(async () => {
    claims.push(...(await store.claim(count - claims.length, { markedDelivered: handOut })))
    return claims.length >= count
  })
  return claims
}

/** Starts a process that can be killed. */
export async function startChild(task: ChildTask) {
  const child = fork(await programOf(join(__dirname, 'store-child.ts')), [JSON.stringify(task)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const ids: string[] = []
  child.on('message', (word: ChildWord) => ids.push(...word.ids))
  return {
    ids,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Changes stored items behind the store's back. */
export async function changeItems(place: StoreLocation, what: string, ...values: string[]): Promise<void> {
  if (place.way !== 'postgres') return
  const client = new Client({ connectionString: place.url })
  await client.connect()
  await client.query(`update eid_kept set ${what}`, [place.namespace, ...values])
  await client.end()
}

/** Makes all leases of a shared store end now. */
export const endSharedLeases = (place: StoreLocation) =>
  changeItems(place, `leased = now() - interval '1 second' where ns = $1 and owner is not null`)
