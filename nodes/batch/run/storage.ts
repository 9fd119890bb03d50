/**
 * The stored form of a batch: a head and, for every 64 rows, one item with their progress and one with their content.
 * The progress item is small and written often; the content item is written once.
 */
import { createYielder } from '../../../lib/common/event-loop'
import { sleep } from '../../../lib/api/call/retry'
import { listAll } from '../../../lib/store/list-all'
import { hostname } from 'node:os'
import type { BatchProgress, EndedBatch } from '../../../lib/runtime/monitor/batches'
import type { Item, Store } from '../../../lib/store/store'
import type { FileRows } from '../../../lib/runtime/files/file-rows'
import type { RowList, ShownRow } from '../../../lib/runtime/files/row-list'
import { isPlainObject, type PlainObject } from '../../../lib/common/plain-object'
import { digest, keepMs, newRow, readRow, storedRow, type Row } from '../rows/row'

export interface Head {
  readonly id: string
  /** In stage `reporting`, all rows have ended and the report is about to be sent. */
  readonly stage: 'running' | 'reporting' | 'ended'
  /** The number of the latest list sent for this batch; each list has its own items. */
  readonly generation: number
  readonly total: number
  /** How many of these rows are only remembered, because they are no longer in the list. */
  readonly past?: number
  readonly paused: boolean
  /** Milliseconds since 1970. */
  readonly started: number
  /** When the batch ended, in milliseconds since 1970. */
  readonly ended?: number
  /** Identifies the run. It stays the same until the batch is reset, so a row sent before the reset has another run. */
  readonly run?: string
  /** The node that took the list first. The keys of the rows are made from it, also after the list has moved. */
  readonly takenBy: string
  /** The message without its list, from `serializeMessage`. */
  readonly msg: PlainObject
  /** The format of the text file with the rows, which the report also uses. */
  readonly text?: RowList['text']
  /** The columns of that file, in order. They are stored because an object would put integer names first. */
  readonly columns?: readonly string[]
  /** The numbers of the rows in that file. */
  readonly fileRows?: FileRows
  /** Identifies the row key and the columns of the batch's lists, which are the same for all of them. */
  readonly shape?: string
  /** The ids of the commands that brought the latest lists, if another Node-RED passed them on. */
  readonly commands?: readonly string[]
}

/** One list of a batch. */
export type Generation = Pick<Head, 'id' | 'generation'>

export const rowsPerItem = 64
/** Items of an open batch are stored as work that is never due, because work is never dropped for lack of room. */
const never = { dueMs: 1e12 }
/** Milliseconds after a failure of the store until the next try. */
export const storageRetryMs = 2_000

interface Insistence {
  readonly signal: AbortSignal
  failed(error: unknown): void
}

/** Repeats `act` until it succeeds. When `signal` is aborted, it tries one last time. */
export async function insist(act: () => Promise<void>, { failed, signal }: Insistence): Promise<void> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (signal.aborted) return
      failed(error)
      await sleep(storageRetryMs, signal).catch(() => undefined)
    }
  }
}

const headId = (id: string) => `head/${id}`
const itemId = (kind: 'state' | 'rows', { id, generation }: Generation, part: number) =>
  `${kind}/${nameOfBatch(id)}/${generation}/${part}`

/** Stores the head of a batch; other instances show `progress`. */
export async function saveHead(store: Store, head: Head, progress: object = {}): Promise<void> {
  const { id, stage, paused, started } = head
  const total = head.total - (head.past ?? 0)
  const kept = stage === 'ended' ? { keepMs } : never
  const summary = {
    done: 0,
    failed: 0,
    changed: 0,
    ...progress,
    id,
    stage,
    total,
    paused,
    started,
    replica: hostname(),
  }
  await store.put(headId(id), { body: head, summary, ...kept })
}

type OpenSummary = Omit<BatchProgress, 'node'>
export type EndedSummary = Omit<EndedBatch, 'node' | 'offersChanged'>

/** The progress of the open batches as it was last stored, for instances other than the leader. */
export async function openSummaries(store: Store): Promise<OpenSummary[]> {
  const open = (await summaries(store)).filter(({ stage }) => stage !== 'ended')
  return open.map(({ stage: _stage, ...listed }) => listed as unknown as OpenSummary)
}

/** The ended batches, in no particular order. Batches of an earlier version, which stored no end, are left out. */
export async function endedSummaries(store: Store): Promise<EndedSummary[]> {
  return (await summaries(store)).flatMap((summary) => {
    if (typeof summary.ended !== 'number') return []
    const { id, total, done, failed, changed, started, ended, failures } = summary as unknown as EndedSummary
    return [{ id, total, done, failed, changed, started, ended, ...(failures && { failures }) }]
  })
}

async function summaries(store: Store): Promise<PlainObject[]> {
  const heads = (await listAll(store)).filter(({ id }) => id.startsWith('head/'))
  return heads.flatMap(({ summary }) => (isPlainObject(summary) && typeof summary.id === 'string' ? [summary] : []))
}

/** Returns the head of a batch; undefined if there is no such batch. */
export async function findHead(store: Store, id: string): Promise<Head | undefined> {
  return readHead(await store.get(headId(id)))
}

/** The batches that an earlier run left. */
interface StoredBatch {
  readonly heads: readonly Head[]
  /**
   * The items of batches whose head is missing, damaged or of a newer version, by `nameOfBatch`. Their rows may have
   * been sent, so the items stay and no list replaces them.
   */
  readonly headless: ReadonlyMap<string, readonly string[]>
}

/** Reads the heads of all batches. Removes the items of lists that never became valid, or are no longer valid. */
export async function readKept(store: Store): Promise<StoredBatch> {
  const ids = (await listAll(store)).map(({ id }) => id)
  const heads: Head[] = []
  const headless = new Map<string, string[]>()
  for (const id of ids.filter((one) => one.startsWith('head/'))) {
    const head = readHead(await store.get(id))
    if (head) heads.push(head)
    else headless.set(nameOfBatch(id.slice('head/'.length)), [id])
  }
  const unfinished = await finishDrafts(store, ids, heads)
  const counting = new Set(heads.filter((head) => !unfinished.removed.has(head)).map(generationOf))
  const named = new Set(heads.map(({ id }) => nameOfBatch(id)))
  for (const id of ids.filter((one) => /^(state|rows)\//.test(one))) {
    const [, name = '', generation = ''] = id.split('/')
    if (counting.has(`${name}/${generation}`)) continue
    // Either another generation of the list is valid, or Node-RED was killed before this generation became valid.
    if (named.has(name) || unfinished.generations.has(`${name}/${generation}`)) await store.remove(id)
    else headless.set(name, [...(headless.get(name) ?? []), id])
  }
  return { heads: heads.filter((head) => !unfinished.removed.has(head)), headless }
}

/** Finishes operations that a kill interrupted: `arriving` lists, and batches whose items were `leaving`. */
async function finishDrafts(store: Store, ids: readonly string[], heads: readonly Head[]) {
  const generations = new Set<string>()
  const removed = new Set<Head>()
  for (const id of ids.filter((one) => one.startsWith('draft/'))) {
    const what = (await store.get(id))?.body
    const generation = id.slice('draft/'.length)
    generations.add(generation)
    const head = heads.find((one) => generationOf(one) === generation)
    if (head && what === 'leaving') {
      removed.add(head)
      await store.remove(headId(head.id))
    }
    await store.remove(id)
  }
  return { generations, removed }
}

/** The name under which a batch's items are stored; it is valid whatever characters the id contains. */
export function nameOfBatch(id: string): string {
  return digest(id).slice(0, 24)
}

const generationOf = ({ id, generation }: Generation) => `${nameOfBatch(id)}/${generation}`

/**
 * Marks a batch's items as being written or removed. If a kill leaves these items without a head, they are then not
 * reported as a fault.
 */
async function drafting(store: Store, head: Generation, what: 'arriving' | 'leaving') {
  await store.put(`draft/${generationOf(head)}`, { body: what, ...never })
  return () => store.remove(`draft/${generationOf(head)}`)
}

/** The content of a row, as plain data. */
export interface Content {
  readonly content: unknown
  /** Numbers and dates as their cells show them. */
  readonly shown?: ShownRow
}

/** Stores a new list, which becomes valid when its head is stored. If this rejects, nothing of the list remains. */
export async function saveList(
  store: Store,
  head: Head,
  rows: readonly Row[],
  listed: readonly (Content | undefined)[],
): Promise<void> {
  const written = await drafting(store, head, 'arriving')
  try {
    await saveRows(store, head, rows, listed)
    await saveHead(store, head)
  } catch (error) {
    await forgetRows(store, head)
    throw error
  } finally {
    await written()
  }
}

/** Removes a batch with all its items. */
export async function forgetBatch(store: Store, head: Head): Promise<void> {
  // The removal continues even if the mark can't be stored, for example because the disk is full.
  const left = await drafting(store, head, 'leaving').catch(() => undefined)
  await store.remove(headId(head.id))
  await forgetRows(store, head)
  await left?.()
}

function readHead(item: Item | undefined): Head | undefined {
  const body = item?.body
  if (!isPlainObject(body) || typeof body.id !== 'string' || !isPlainObject(body.msg)) return undefined
  return body as unknown as Head
}

async function saveRows(
  store: Store,
  head: Generation,
  rows: readonly Row[],
  listed: readonly (Content | undefined)[],
): Promise<void> {
  const breathe = createYielder()
  const writes: Promise<void>[] = []
  for (let part = 0; part * rowsPerItem < rows.length; part++) {
    await breathe()
    const some = listed.slice(part * rowsPerItem, (part + 1) * rowsPerItem)
    const contents = some.map((row) => row?.content ?? null)
    const shown = some.some((row) => row?.shown) && some.map((row) => row?.shown ?? null)
    const keys = rows.slice(part * rowsPerItem, (part + 1) * rowsPerItem).map(({ key }) => key)
    writes.push(store.put(itemId('rows', head, part), { body: { keys, contents, ...(shown && { shown }) }, ...never }))
    writes.push(saveStates(store, head, rows, part))
    // Limits the number of simultaneous writes, because more would only use memory.
    if (writes.length >= 32) await Promise.all(writes.splice(0))
  }
  await Promise.all(writes)
}

/** Stores the progress of the rows of one item. */
export function saveStates(store: Store, head: Generation, rows: readonly Row[], part: number) {
  const body = rows.slice(part * rowsPerItem, (part + 1) * rowsPerItem).map(storedRow)
  return store.put(itemId('state', head, part), { body, ...never })
}

/**
 * Reads the progress of each row. A row whose state can't be read may have been sent; its problem is then `problem`.
 */
export async function loadStates(store: Store, head: Head, problem: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let part = 0; rows.length < head.total; part++) {
    const body = (await store.get(itemId('state', head, part)))?.body
    const size = Math.min(rowsPerItem, head.total - rows.length)
    const read = Array.isArray(body) ? body.map(readRow) : []
    const isWhole = read.length >= size && !read.includes(undefined)
    const keys = isWhole ? [] : keysIn((await store.get(itemId('rows', head, part)))?.body)
    for (let at = 0; at < size; at++) rows.push(read[at] ?? lostRow(keys[at] ?? '', problem))
  }
  return rows
}

/** Reads the contents of the rows of one item; undefined if the item is missing or damaged. */
export async function loadContents(
  store: Store,
  head: Generation,
  part: number,
): Promise<readonly Content[] | undefined> {
  const body = (await store.get(itemId('rows', head, part)))?.body
  if (!isPlainObject(body) || !Array.isArray(body.contents)) return undefined
  const shown: unknown[] = Array.isArray(body.shown) ? body.shown : []
  return body.contents.map((content: unknown, at) => {
    const cells = shown[at]
    return isPlainObject(cells) ? { content, shown: cells as ShownRow } : { content }
  })
}

function keysIn(body: unknown): string[] {
  return isPlainObject(body) && Array.isArray(body.keys) ? body.keys.map(String) : []
}

function lostRow(key: string, problem: string): Row {
  return { ...newRow(key, ''), phase: 'look first', result: { code: 'EID_FAILED', outcome: 'unknown', problem } }
}

/** Stores how each row of an ended batch ended, and removes the content of the rows. */
export async function keepEnds(store: Store, head: Head, rows: readonly Row[]): Promise<void> {
  for (let part = 0; part * rowsPerItem < rows.length; part++) {
    const body = rows.slice(part * rowsPerItem, (part + 1) * rowsPerItem).map(storedRow)
    await store.put(itemId('state', head, part), { body, keepMs })
    await store.remove(itemId('rows', head, part))
  }
}

/** Removes the rows of a list that has been replaced or is no longer needed. */
export async function forgetRows(store: Store, head: Pick<Head, 'id' | 'generation' | 'total'>): Promise<void> {
  for (let part = 0; part * rowsPerItem < head.total; part++) {
    await store.remove(itemId('state', head, part))
    await store.remove(itemId('rows', head, part))
  }
}

/** Whether the batch existed at the moment `at`, in milliseconds since 1970; true for a batch that is missing. */
export async function wasThere(store: Store, { id }: Pick<Head, 'id'>, at: number): Promise<boolean> {
  return at === Infinity || ((await store.get(headId(id)))?.since ?? -Infinity) <= at
}
