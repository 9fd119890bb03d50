/**
 * Remembers which rows the lists of all *batch* nodes have sent to which service, so that a copied flow sends nothing
 * twice. Only hashes of the rows are kept, for 30 days.
 */
import { randomUUID } from 'node:crypto'
import { sleep } from '../../../lib/api/call/retry'
import { inputError, withCause, type EidError } from '../../../lib/api/errors/errors'
import { isPlainObject } from '../../../lib/common/plain-object'
import type { Clock } from '../../../lib/store/clock'
import { listAll } from '../../../lib/store/list-all'
import type { Store } from '../../../lib/store/store'
import { digest, keepMs } from '../rows/row'

interface SentRowsOptions {
  /** The memories of this Node-RED and of those that share a store with it. */
  readonly stores: readonly Pick<Store, 'add' | 'put' | 'get' | 'remove' | 'list'>[]
  readonly clock: Pick<Clock, 'epochNow'>
  readonly nodeId: string
  /** The names of the node and its flow, for people. */
  place(): { readonly node: string; readonly flow: string }
  /** The services that the rows lead to. */
  services(): readonly string[]
  /** Milliseconds in which this many rows are sent. */
  durationMs(rows: number): number
  readonly signal: AbortSignal
  /** Formats a time for people. */
  moment(at: number): string
}

/** A list that is about to be sent. */
interface Claimant {
  readonly id: string
  /** Whether a person has given the list its name. */
  readonly isNamed: boolean
  /** Whether the rows are sent even if another node has sent them. */
  readonly sendAnyway: boolean
  /** The fingerprints of the rows that will be sent. */
  readonly rows: readonly string[]
}

export interface SentRows {
  /**
   * Notes that a list is about to be sent. Throws EID_INVALID_INPUT if another node has sent one of its rows. Returns
   * the function that takes the note back.
   */
  claim(list: Claimant): Promise<() => Promise<void>>
}

/** What is stored beside the hashes of some rows. */
interface Summary {
  /** Hashes of the ids of node and list. */
  readonly owner: string
  readonly list: string
  readonly services: readonly string[]
  /** When the node got the list, and until when its rows count, in milliseconds since 1970. */
  readonly at: number
  readonly until: number
  readonly node: string
  readonly flow: string
}

const rowsPerItem = 1000
/** Only one node at a time may compare and note its rows; after this time, it is taken for killed. */
const lockMs = 30_000
const lockRetryMs = 100

export function createSentRows(options: SentRowsOptions): SentRows {
  const { stores, nodeId } = options
  const owner = digest(nodeId)
  return {
    async claim(list) {
      const services = options.services().map(digest)
      const notes: (() => Promise<unknown>)[] = []
      const undo = async () => void (await Promise.all(notes.map((remove) => remove())))
      if (services.length === 0 || list.rows.length === 0) return undo
      try {
        for (const store of stores)
          await alone(store, options.signal, () => claimIn(store, options, { ...list, owner, services }, notes))
      } catch (error) {
        await undo()
        throw error
      }
      return undo
    },
  }
}

type Memory = SentRowsOptions['stores'][number]

interface Claiming extends Claimant {
  readonly owner: string
  readonly services: readonly string[]
}

/** Compares the rows with those of other nodes, and notes them. `notes` gets the functions that remove the notes. */
async function claimIn(store: Memory, options: SentRowsOptions, claiming: Claiming, notes: (() => unknown)[]) {
  const { clock, durationMs, place } = options
  const { owner, services, sendAnyway } = claiming
  const now = clock.epochNow()
  const list = digest(claiming.id)
  const known = (await knownIn(store, now)).filter((one) => one.services.some((service) => services.includes(service)))
  const isOwn = (one: Summary) => one.owner === owner && one.list === list
  const own = new Set<string>()
  for (const one of known.filter(isOwn)) for (const row of await rowsOf(store, one.id)) own.add(row)
  const rows = [...new Set(claiming.rows)].filter((row) => !own.has(row))
  if (!sendAnyway) await refuseSent(store, rows, othersIn(known, claiming, list), options)
  const until = now + keepMs + durationMs(claiming.rows.length)
  for (let at = 0; at < rows.length; at += rowsPerItem) {
    const id = `${owner.slice(0, 24)}/${randomUUID()}`
    notes.push(() => store.remove(id))
    const summary: Summary = { owner, list, services, at: now, until, ...place() }
    await store.put(id, { body: rows.slice(at, at + rowsPerItem), summary, keepMs: until - now })
  }
}

type NotedRows = Summary & { readonly id: string }

/** The notes of other nodes that count: not those of nodes that have never used the name that a person gave the list. */
function othersIn(known: readonly NotedRows[], { owner, isNamed }: Claiming, list: string): NotedRows[] {
  const others = known.filter((one) => one.owner !== owner)
  const users = new Set(others.filter((one) => one.list === list).map((one) => one.owner))
  return isNamed ? others.filter((one) => users.has(one.owner)) : others
}

/** Throws EID_INVALID_INPUT if one of the rows is among those of the other nodes. */
async function refuseSent(
  store: Memory,
  rows: readonly string[],
  others: readonly NotedRows[],
  options: SentRowsOptions,
) {
  const wanted = new Set(rows)
  for (const { id, node, flow, at } of others)
    if ((await rowsOf(store, id)).some((row) => wanted.has(row))) throw sentBefore(node, flow, at, options)
}

function sentBefore(node: string, flow: string, at: number, { moment }: SentRowsOptions): EidError {
  const error = inputError([{ path: 'rows', key: 'sentBefore', params: { node, flow, at: moment(at) } }])
  return withCause(error, { sentBy: { node, flow, at: new Date(at).toISOString() } })
}

async function knownIn(store: Memory, now: number): Promise<NotedRows[]> {
  const items = await listAll(store)
  // Only this package writes to the store.
  return items
    .flatMap(({ id, summary }) => (isPlainObject(summary) ? [{ ...(summary as unknown as Summary), id }] : []))
    .filter(({ until }) => until > now)
}

async function rowsOf(store: Memory, id: string): Promise<readonly string[]> {
  const body = (await store.get(id))?.body
  return Array.isArray(body) ? body.map(String) : []
}

/** Does this while no other node does the same. */
async function alone(store: Memory, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  while (!(await store.add('lock', { keepMs: lockMs }))) await sleep(lockRetryMs, signal)
  try {
    await act()
  } finally {
    await store.remove('lock')
  }
}
