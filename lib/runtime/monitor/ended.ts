/**
 * Ended waits, for the node "pending" and the sidebar: each waiting node is a source, and readers combine all sources.
 * The latest ended waits of each node are kept for thirty days.
 */
import type { ErrorCode } from '../../api/errors/errors'
import type { Listed } from '../../store/store'
import { isPlainObject } from '../../common/plain-object'
import { textOf } from '../values/read-text'
import { dateOf, subjectParts, type PendingKind } from './pending'
import { createRegistry } from './registry'
import { lastOfSigner, type SignerActivity } from './signer-activity'
import { hosted, type HostOwner } from '../node-red/host'

/** One wait that has ended. Times are ISO 8601. */
export interface EndedItem {
  /** Id of the wait. */
  readonly wait: string
  /** The goal of the wait, as set in the node: `document`, `first-signature`, … */
  readonly what: string
  readonly kind: PendingKind
  /** The documentId, sessionId, shareId or depositId, or the id of the approval. */
  readonly id: string
  readonly title: string
  readonly who: readonly EndedPerson[]
  /** When the wait began, and when it ended: at the service, if the service shows it. */
  readonly since: string
  readonly when: string
  /** When Node-RED noticed the end, if that was later. */
  readonly noticed?: string
  /**
   * The service's final status, how an approval has ended, `timedOut` for the limit of the node, or `failed` for an
   * error.
   */
  readonly outcome: string
  readonly node: { readonly id: string; readonly name: string; readonly flow: string }
  /** Id of the client's config node. */
  readonly client: string
  readonly replica?: string
  /** A short identifier of the service. */
  readonly at?: string
  /** How many hours the service keeps the document after its end, if the document says so. */
  readonly keptHours?: number
  /** Why the document was canceled, if a person typed that here; or who has rejected or withdrawn an approval, and why. */
  readonly reason?: string
  /** The error with which the message of the wait has ended, in the node's own words. */
  readonly problem?: EndedProblem
}

/** An error, with the parts from which its sentence is built in another language. */
export interface EndedProblem {
  readonly type: string
  readonly code: ErrorCode
  readonly text: string
  readonly said?: unknown
}

/** A person who took part. */
export interface EndedPerson {
  readonly name: string
  /** True if the person has signed, or has fetched everything. */
  readonly done: boolean
  /** The last known activity of a person who was not done when the wait ended. */
  readonly last?: SignerActivity
}

/**
 * The stored part of an ended wait. The subject of the stored item says what the wait was about, and the item's own
 * time says when Node-RED noticed the end.
 */
export interface EndedSummary {
  readonly what: string
  readonly title: string
  readonly who: readonly EndedPerson[]
  /** Milliseconds since 1970. */
  readonly since: number
  /** When it ended at the service, in milliseconds since 1970; absent if unknown. */
  readonly ended?: number | undefined
  readonly outcome: string
  readonly node?: { readonly name: string; readonly flow: string }
  readonly replica?: string
  readonly at?: string | undefined
  readonly keptHours?: number
  readonly reason?: string
  readonly problem?: EndedProblem
}

/** The kind of item as which nodes store ended waits. */
export const endedKind = 'ended'
/** How long ended waits are kept, and how many per node; if there are more, the oldest are dropped first. */
export const endedKeepMs = 30 * 86_400_000
export const endedLimits = { maxItems: 1_000 } as const

export interface EndedSource {
  /** Rejects with an EidError if the ended waits can't be read at the moment. */
  list(): Promise<EndedItem[]>
}

const createSources = () => createRegistry<EndedItem, EndedSource>()

/** Registers a node's source; returns the function that removes it. */
export function registerEnded(RED: HostOwner, nodeId: string, source: EndedSource): () => void {
  return hosted(RED, createSources).register(nodeId, source)
}

/**
 * All ended waits, most recent first, and the `failures` of sources that can't be read at the moment. Never rejects.
 */
export async function listEnded(RED: HostOwner): Promise<{ items: EndedItem[]; failures: unknown[] }> {
  const { items, failures } = await hosted(RED, createSources).list()
  items.sort((one, other) => (one.when > other.when ? -1 : Number(one.when < other.when)))
  return { items, failures }
}

/**
 * A stored item as readers get it; undefined if the item is not an ended wait. `node` is the node that stores the item.
 */
export function endedItem(listed: Listed, node: EndedItem['node']): EndedItem | undefined {
  const about = subjectParts(listed.subject)
  const { summary } = listed
  if (!about || !isPlainObject(summary)) return undefined
  const { what, title, who, since, ended, outcome, node: location, replica, at, keptHours, reason, problem } = summary
  if (typeof outcome !== 'string') return undefined
  const { name, flow } = isPlainObject(location) ? location : node
  return {
    wait: listed.id,
    ...about,
    what: textOf(what) || about.kind,
    title: textOf(title),
    outcome,
    who: Array.isArray(who) ? who.flatMap(personOf) : [],
    since: dateOf(typeof since === 'number' ? since : listed.since),
    when: dateOf(typeof ended === 'number' ? ended : listed.since),
    ...(typeof ended === 'number' && { noticed: dateOf(listed.since) }),
    node: { id: node.id, name: textOf(name), flow: textOf(flow) },
    ...(typeof replica === 'string' && { replica }),
    ...(typeof at === 'string' && { at }),
    ...(typeof keptHours === 'number' && { keptHours }),
    ...(typeof reason === 'string' && { reason }),
    ...(isProblem(problem) && { problem }),
  }
}

function isProblem(value: unknown): value is EndedProblem {
  const { type, code, text } = isPlainObject(value) ? value : {}
  return [type, code, text].every((one) => typeof one === 'string')
}

/**
 * The person as stored with an ended wait, with the latest activity, which would otherwise be lost at the next start.
 */
export function personAtEnd(
  RED: HostOwner,
  documentId: string,
  name: string,
  done: boolean,
  marks: readonly (string | undefined)[],
) {
  const last = done ? undefined : lastOfSigner(RED, documentId, marks)
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
