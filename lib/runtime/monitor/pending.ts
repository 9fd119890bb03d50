/**
 * Pending waits, for the node "pending" and the sidebar: each waiting node is a source, and readers combine all
 * sources.
 */
import { createHash } from 'node:crypto'
import type { Listed } from '../../store/store'
import { isPlainObject } from '../../common/plain-object'
import { sortInTurns } from '../../common/sort-in-turns'
import { textOf } from '../values/read-text'
import { lastOfSigner, type SignerActivity } from './signer-activity'
import { createRegistry } from './registry'
import { attemptIn } from './row-calls'
import type { FlowMessage } from '../node-red/node-red'
import { hosted, type HostOwner } from '../node-red/host'

const resourceKinds = ['document', 'session', 'share', 'deposit'] as const
export type ResourceKind = (typeof resourceKinds)[number]
/** What a message can wait for: a resource of the service, or the approval of a person. */
const pendingKinds = [...resourceKinds, 'approval'] as const
export type PendingKind = (typeof pendingKinds)[number]

/** One waiting message. Times are ISO 8601. */
export interface PendingItem {
  /**
   * Identifies only this wait, for `askNow` and `stopWaiting`; `id` is not enough, because two messages may wait for
   * the same document.
   */
  readonly wait: string
  readonly kind: PendingKind
  /** The documentId, sessionId, shareId or depositId, or the id of the approval. */
  readonly id: string
  /** The title from the service's last response; empty until known. */
  readonly title: string
  readonly since: string
  /** The time limit of the document or of the node, whichever ends first; absent if neither has a limit. */
  readonly until?: string
  /** When the service is polled next. An event or a list from the service can make the next poll earlier. */
  readonly nextQuestion?: string
  /** When this node next reminds the people who have not signed. */
  readonly nextReminder?: string
  /** The people whose turn it is; empty if unknown. */
  readonly waitingFor: readonly WaitingFor[]
  /** `flow` is the label of the node's tab. */
  readonly node: { readonly id: string; readonly name: string; readonly flow: string }
  /** Id of the client's config node. */
  readonly client: string
  /** Only with a shared store: the machine whose Node-RED last polled the service. */
  readonly replica?: string
  /** The row of a list, if the waiting message carries a row. */
  readonly row?: ListRow
  /**
   * The service that the wait was created for. Set only if the client now uses another service: then the wait is
   * paused, and can be removed.
   */
  readonly service?: string
}

/** A row of a list, as "batch" writes it into the row's message. */
export interface ListRow {
  /** Id of the "batch" node. */
  readonly node: string
  /** Id of the list. */
  readonly batch: string
  readonly row: number
  /**
   * The hash of the row's key, from `markOfKey`. The number does not identify the row, because the rows of a corrected
   * list have other numbers. The key itself is not stored, because it may be an address.
   */
  readonly mark: string
  /** How often the row had been sent, including this message. */
  readonly sent: number
  /** The run of the list, which a reset ends; absent if the message does not contain it. */
  readonly run?: string
}

/** A person who still has to act, such as a signer. */
export interface WaitingFor {
  readonly name: string
  /** The address at which the person can act, if the service provides it. */
  readonly url?: string
  /** Since when it is the person's turn, if that is known. */
  readonly since?: string
  /** Last known activity of the person; only for documents. */
  readonly last?: SignerActivity
  /** Identifies the signer, to look up `last`. It is stored with the wait, and left out of lists. */
  readonly mark?: string
}

/** The data stored beside a wait, so that lists need nothing else. Readers validate it. */
export interface PendingSummary {
  readonly title?: string
  readonly waitingFor?: readonly WaitingFor[]
  /** Milliseconds since 1970. */
  readonly until?: number | undefined
  readonly node?: { readonly name: string; readonly flow: string }
  readonly replica?: string
  readonly row?: ListRow | undefined
  readonly service?: string | undefined
  /** A short identifier of the service that the wait was created for. */
  readonly at?: string | undefined
}

/** All pending waits of one node, or of one shared store. */
export interface PendingSource {
  /** Rejects with an EidError if the waits can't be read at the moment. */
  list(): Promise<PendingItem[]>
  /**
   * Returns only this wait; undefined if it does not exist. Rejects with an EidError if it can't be read at the moment.
   */
  find(wait: string): Promise<PendingItem | undefined>
  /** Polls the service now, without waiting for the response. False if this source does not have the wait. */
  askNow(wait: string): Promise<boolean>
  /**
   * Ends the wait without passing its message on. False if this source does not have the wait. `by` is the person who
   * has asked for it; empty without a login.
   */
  stopWaiting(wait: string, by: string): Promise<boolean>
}

const createSources = () => createRegistry<PendingItem, PendingSource>()
const createListeners = () => new Set<() => void>()

/** Adds a node's source; returns a function that removes it. */
export function registerPending(RED: HostOwner, nodeId: string, source: PendingSource): () => void {
  return hosted(RED, createSources).register(nodeId, source)
}

/** All pending waits, oldest first, and the `failures` of sources that can't be read at the moment. Never rejects. */
export async function listPending(RED: HostOwner): Promise<{ items: PendingItem[]; failures: unknown[] }> {
  const { items, failures } = await hosted(RED, createSources).list()
  // The times have the same format, so their texts sort in the order of time.
  const compare = (one: PendingItem, other: PendingItem) =>
    one.since < other.since ? -1 : Number(one.since > other.since)
  return { items: await sortInTurns(items, compare), failures }
}

/**
 * The rows of this list, sent by one of these nodes, whose messages are waiting in a node that will send them back. Such a row is not lost, however
 * long its wait takes. Includes the waits in all stores. Rejects if a source can't be read at the moment.
 */
export async function waitingRows(
  RED: HostOwner,
  nodes: readonly string[],
  batch: string,
  comeBackFrom: (waitNode: string) => boolean,
): Promise<ListRow[]> {
  const { items, failures } = await hosted(RED, createSources).list()
  if (failures.length > 0) throw failures[0]
  const own = items.filter(({ row }) => row?.batch === batch && nodes.includes(row.node))
  const comeBack = new Set([...new Set(own.map((one) => one.node.id))].filter(comeBackFrom))
  return own.flatMap((one) => (one.row && comeBack.has(one.node.id) ? [one.row] : []))
}

/** The row that a message carries; undefined if it carries no row. */
export function rowIn({ batch, _batch }: FlowMessage): ListRow | undefined {
  if (!isPlainObject(batch) || !isPlainObject(_batch)) return undefined
  const { id, row, key } = batch
  return listRowOf({ node: _batch.node, batch: id, row, mark: markOfKey(String(key)), ...attemptIn({ _batch }) })
}

export function markOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}

function listRowOf(value: unknown): ListRow | undefined {
  if (!isPlainObject(value)) return undefined
  const { node, batch, row, mark, sent, run } = value
  const isRow = typeof row === 'number' && typeof sent === 'number'
  if (!isRow || typeof node !== 'string' || typeof batch !== 'string' || typeof mark !== 'string') return undefined
  return { node, batch, row, mark, sent, ...(typeof run === 'string' && { run }) }
}

/** Finds this wait in the source that has it; undefined if the wait no longer exists. */
export function findPending(RED: HostOwner, wait: string): Promise<PendingItem | undefined> {
  return firstOf(RED, (source) => source.find(wait))
}

/** Polls the service now for this wait, through the source that has it; false if the wait no longer exists. */
export async function askNow(RED: HostOwner, wait: string): Promise<boolean> {
  return (await firstOf(RED, (source) => source.askNow(wait))) ?? false
}

/** Removes this wait from the source that has it, as `by` wishes; false if the wait no longer exists. */
export async function stopWaiting(RED: HostOwner, wait: string, by = ''): Promise<boolean> {
  return (await firstOf(RED, (source) => source.stopWaiting(wait, by))) ?? false
}

/**
 * The result of the first source that has the wait. Rejects if no source has it and one of them can't be read at the
 * moment.
 */
async function firstOf<T>(
  RED: HostOwner,
  ask: (source: PendingSource) => Promise<T | false | undefined>,
): Promise<T | undefined> {
  let failure: unknown
  for (const source of hosted(RED, createSources).all()) {
    try {
      const found = await ask(source)
      if (found !== false && found !== undefined) return found
    } catch (thrown) {
      failure = thrown
    }
  }
  if (failure !== undefined) throw failure
  return undefined
}

/** Calls `listener` after every change, which may be thousands of times a second; returns a function that ends this. */
export function watchPending(RED: HostOwner, listener: () => void): () => void {
  const listeners = hosted(RED, createListeners)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Called when a source has changed. */
export function pendingChanged(RED: HostOwner): void {
  for (const listener of hosted(RED, createListeners)) listener()
}

/**
 * The subject under which a wait is stored: the client and the object that is waited for. Events of the same client use
 * the same subject.
 */
export function subjectOfPending(client: string, kind: string, id: string): string {
  return `${client}/${kind}/${id}`
}

/** The parts of a subject; undefined if it is not the subject of a wait. */
export function subjectParts(subject: string): { client: string; kind: PendingKind; id: string } | undefined {
  const [, client = '', kind = '', id = ''] =
    /^(.*?)\/(document|session|share|deposit|approval)\/(.*)$/s.exec(subject) ?? []
  const known = pendingKinds.find((one) => one === kind)
  return known && { client, kind: known, id }
}

/** A stored wait as readers get it; undefined for any other item. `node` is the node that stores the wait. */
export function pendingItem(RED: HostOwner, listed: Listed, node: PendingItem['node']): PendingItem | undefined {
  const about = subjectParts(listed.subject)
  if (!about) return undefined
  const { id } = about
  const summary = isPlainObject(listed.summary) ? listed.summary : {}
  const { title, until, waitingFor, node: location, replica, service, nextReminder: remind } = summary
  const standsStill = typeof service === 'string'
  // An approval waits for people, and nothing is asked about it.
  const isAsked = about.kind !== 'approval' && !standsStill
  const row = listRowOf(summary.row)
  const people = Array.isArray(waitingFor) ? waitingFor.flatMap(waitingForOf) : []
  const { name, flow } = isPlainObject(location) ? location : node
  return {
    wait: listed.id,
    ...about,
    title: textOf(title),
    since: dateOf(listed.since),
    ...(typeof until === 'number' && { until: dateOf(until) }),
    ...(listed.due !== undefined && isAsked && { nextQuestion: dateOf(listed.due) }),
    ...(typeof remind === 'number' && !standsStill && { nextReminder: dateOf(remind) }),
    waitingFor: people.map((one) => withLast(RED, id, one)),
    node: { id: node.id, name: textOf(name), flow: textOf(flow) },
    ...(typeof replica === 'string' && { replica }),
    ...(row && { row }),
    ...(standsStill && { service }),
  }
}

function withLast(RED: HostOwner, documentId: string, { mark, ...one }: WaitingFor): WaitingFor {
  const last = lastOfSigner(RED, documentId, [mark, one.url])
  return last ? { ...one, last } : one
}

/** A stored person as a list with one element; an empty list for any other value. */
export function waitingForOf(one: unknown): WaitingFor[] {
  if (!isPlainObject(one) || typeof one.name !== 'string') return []
  const { name, url, since, mark } = one
  return [
    {
      name,
      ...(typeof url === 'string' && { url }),
      ...(typeof since === 'string' && { since }),
      ...(typeof mark === 'string' && { mark }),
    },
  ]
}

/** The moment as a text. A moment beyond the range of dates becomes the last date that can be shown. */
export function dateOf(milliseconds: number): string {
  const last = 8.64e15
  return new Date(Math.min(Math.max(milliseconds, -last), last)).toISOString()
}
