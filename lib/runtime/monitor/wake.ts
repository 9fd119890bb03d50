/** Wakes the waits that concern an event. */
import { isPlainObject } from '../../common/plain-object'
import { subjectOfPending } from './pending'
import { resourceIds } from './resource-ids'
import { getPath, textAt } from '../values/read-text'
import { noteAnswers } from './answers'
import { noteEvent } from './event-times'
import { reportOccurrence } from './occurrences'
import { noteSigner, signerMark } from './signer-activity'
import { hosted, type HostOwner } from '../node-red/host'

/** Makes the stored waits with these subjects due at once. */
export type Wake = (subjects: readonly string[]) => Promise<void>

/** A place where waits are stored. A shared store is notified only once, however many nodes store something there. */
interface WaitingNode {
  /** The id of a shared store; empty for this Node-RED. */
  readonly shared: string
  readonly wake: Wake
}

const createWaiting = () => new Map<string, Set<WaitingNode>>()

/**
 * Registers a node that waits for objects of this client (a config node's id); returns the function that removes it.
 */
export function registerWaiting(RED: HostOwner, client: string, node: WaitingNode): () => void {
  const waiting = hosted(RED, createWaiting)
  const nodes = waiting.get(client) ?? new Set()
  waiting.set(client, nodes.add(node))
  return () => {
    nodes.delete(node)
    if (nodes.size === 0 && waiting.get(client) === nodes) waiting.delete(client)
  }
}

/** The signer's activity that each event reports. */
const activities: Readonly<Record<string, 'opened' | 'read'>> = {
  document_link_opened: 'opened',
  document_read: 'read',
}

/** Events that do not change anything that a wait depends on. */
const idle = new Set([
  ...['created', 'read', 'link_opened', 'email_opened', 'before_deleted'].map((what) => `document_${what}`),
  'share_created',
  'share_recipients_authenticated',
  'deposit_created',
])

/**
 * Wakes the waits that concern this event. Without a `client`, wakes those of all clients, because ids are unique in
 * the service. `own` is the store of the node that received the event; it is needed because the waits may belong to
 * another Node-RED. Rejects with the first error.
 */
export async function wakeByEvent(RED: HostOwner, client: string, event: unknown, own?: WaitingNode): Promise<void> {
  const waiting = hosted(RED, createWaiting)
  const { type, payload, timestamp } = isPlainObject(event) ? event : {}
  const activity = activities[String(type)]
  const { documentId } = resourceIds(type, payload)
  const signer = textAt(payload, 'signer.id')
  if (activity && documentId !== undefined && signer !== '') noteSigner(RED, documentId, signerMark(signer), activity)
  if (/^document_form_/.test(String(type)) && documentId !== undefined)
    noteAnswers(RED, documentId, getPath(payload, 'formFields'))
  if (type === 'document_before_deleted' && documentId !== undefined)
    reportOccurrence(RED, { what: 'deletion', client, documentId, title: textAt(payload, 'title') })
  if (idle.has(String(type))) return
  for (const id of Object.values(resourceIds(type, payload))) noteEvent(RED, String(type), id, timestamp)
  const about = Object.entries(resourceIds(type, payload)).map(([name, id]) => [name.replace(/Id$/, ''), id] as const)
  if (about.length === 0) return
  const clients = client === '' ? [...waiting.keys()] : [client]
  const subjects = clients.flatMap((one) => about.map(([kind, id]) => subjectOfPending(one, kind, id)))
  const nodes = [...clients.flatMap((one) => [...(waiting.get(one) ?? [])]), ...(own ? [own] : [])]
  const isFirst = ({ shared }: WaitingNode, at: number) =>
    shared === '' || nodes.findIndex((one) => one.shared === shared) === at
  await Promise.all(nodes.filter(isFirst).map(({ wake }) => wake(subjects)))
}
