/**
 * Ended waits, for the node "pending" and the sidebar: each waiting node is a source, and readers read all of them. The
 * latest of each node are kept for thirty days.
 */
import type { Listed } from '../../store/store'
import { isPlainObject } from '../../common/plain-object'
import { dateOf, subjectParts, type ResourceKind } from './pending'
import { createRegistry } from './registry'
import { lastOfSigner, type SignerActivity } from './signer-activity'

/** One wait that has ended. Times are ISO 8601. */
export interface EndedItem {
  /** Id of the wait. */
  readonly wait: string
  /** What was waited for, as the node is set: `document`, `first-signature`, … */
  readonly what: string
  readonly kind: ResourceKind
  /** The documentId, sessionId, shareId or depositId. */
  readonly id: string
  readonly title: string
  readonly who: readonly EndedPerson[]
  /** When the wait began, and when it ended. */
  readonly since: string
  readonly when: string
  /** The service's last word, `timedOut` for the limit of the node, `failed` for an error. */
  readonly outcome: string
  readonly node: { readonly id: string; readonly name: string; readonly flow: string }
  /** Id of the client's config node. */
  readonly client: string
  readonly replica?: string
  /** Identifies the service in few bytes. */
  readonly at?: string
  /** How many hours the service keeps it after its end, where the document says so. */
  readonly keptHours?: number
}

/** A person who took part. */
export interface EndedPerson {
  readonly name: string
  /** Has signed, or fetched everything. */
  readonly done: boolean
  /** The last that was known about them when it ended, where they had not. */
  readonly last?: SignerActivity
}

/** What is kept of it; what it was about is the subject of the item, and when it ended the item's own time. */
export interface EndedSummary {
  readonly what: string
  readonly title: string
  readonly who: readonly EndedPerson[]
  /** Milliseconds since 1970. */
  readonly since: number
  readonly outcome: string
  readonly node?: { readonly name: string; readonly flow: string }
  readonly replica?: string
  readonly at?: string | undefined
  readonly keptHours?: number
}

/** What the nodes call it where they keep it. */
export const endedKind = 'ended'
/** How long it is kept, and how much of one node: the oldest goes first. */
export const endedKeepMs = 30 * 86_400_000
export const endedLimits = { maxItems: 1_000 } as const

export interface EndedSource {
  /** Rejects with an EidError when it cannot be read now. */
  list(): Promise<EndedItem[]>
}

const sources = createRegistry<EndedItem, EndedSource>()

/** Adds what a node knows about; returns the function that removes it. */
export function registerEnded(nodeId: string, source: EndedSource): () => void {
  return sources.register(nodeId, source)
}

/** Everything that has ended, the latest first; `failures` of the sources that cannot be read now. Never rejects. */
export async function listEnded(): Promise<{ items: EndedItem[]; failures: unknown[] }> {
  const { items, failures } = await sources.list()
  items.sort((one, other) => (one.when > other.when ? -1 : Number(one.when < other.when)))
  return { items, failures }
}

/** What is kept, as readers see it; undefined when it is something else. `node` is the one that keeps it. */
export function endedItem(listed: Listed, node: EndedItem['node']): EndedItem | undefined {
  const about = subjectParts(listed.subject)
  const { summary } = listed
  if (!about || !isPlainObject(summary)) return undefined
  const { what, title, who, since, outcome, node: location, replica, at, keptHours } = summary
  if (typeof outcome !== 'string') return undefined
  const { name, flow } = isPlainObject(location) ? location : node
  return {
    ...{ wait: listed.id, ...about, what: textOf(what) || about.kind, title: textOf(title), outcome },
    who: Array.isArray(who) ? who.flatMap(personOf) : [],
    since: dateOf(typeof since === 'number' ? since : listed.since),
    when: dateOf(listed.since),
    node: { id: node.id, name: textOf(name), flow: textOf(flow) },
    ...(typeof replica === 'string' && { replica }),
    ...(typeof at === 'string' && { at }),
    ...(typeof keptHours === 'number' && { keptHours }),
  }
}

/** With their latest activity, which is lost at the next start. */
export function personAtEnd(documentId: string, name: string, done: boolean, marks: readonly (string | undefined)[]) {
  const last = done ? undefined : lastOfSigner(documentId, marks)
  return { name, done, ...(last && { last }) }
}

function personOf(one: unknown): EndedPerson[] {
  if (!isPlainObject(one) || typeof one.name !== 'string') return []
  const { what, at } = isPlainObject(one.last) ? one.last : {}
  const isActivity = what === 'opened' || what === 'read' || what === 'left'
  return [
    { name: one.name, done: one.done === true, ...(isActivity && typeof at === 'string' && { last: { what, at } }) },
  ]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
