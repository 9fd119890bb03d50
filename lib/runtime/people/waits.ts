/** What a pending or ended wait shows to people, in the sidebar and on the overview page. */
import { inChunks } from '../../common/in-chunks'
import { sortInTurns } from '../../common/sort-in-turns'
import { waitingPlace, type Person, type Place, type Urgency, type WaitingAction } from '../../page/view'
import type { EndedItem } from '../monitor/ended'
import { sentenceOf } from '../monitor/error-sentence'
import { lastReminder } from '../monitor/last-reminder'
import type { PendingItem } from '../monitor/pending'
import type { SignerActivity } from '../monitor/signer-activity'
import type { HostOwner } from '../node-red/host'
import { translateInto } from '../node-red/texts'
import { comparePlaces, type Placed } from './pages'

/** Rows handled per turn of the event loop. */
export const rowsAtOnce = 1_000

const byEnd = ({ until, since, wait }: PendingItem): Place =>
  waitingPlace({ until: until === undefined ? undefined : Date.parse(until), since: Date.parse(since), wait })

/** Sorts the waits and adds their positions. This happens each time the list is read, not for each request. */
export async function inOrder(
  items: readonly PendingItem[],
  placeOf: (item: PendingItem) => Place = byEnd,
): Promise<Placed<PendingItem>[]> {
  const placed: Placed<PendingItem>[] = []
  await inChunks(items, rowsAtOnce, (part) => void placed.push(...part.map((item) => ({ item, place: placeOf(item) }))))
  return sortInTurns(placed, (one, other) => comparePlaces(one.place, other.place))
}

const soonMs = 86_400_000

/** `until` is in milliseconds since 1970. */
export function urgencyOf(until: number | undefined, now: number): Urgency | undefined {
  const leftMs = until === undefined ? Infinity : until - now
  return leftMs <= 0 ? 'late' : leftMs < soonMs ? 'soon' : undefined
}

/** The last reminder of a document that this Node-RED has sent since it started. */
export function remindedOf(
  RED: HostOwner,
  documentId: string,
): { readonly at: number; readonly by: string } | undefined {
  const last = lastReminder(RED, documentId)
  return last && { at: last.at, by: last.by }
}

const lastSeen = (last: SignerActivity | undefined) => last && { last: { what: last.what, at: Date.parse(last.at) } }

export const waitingPeople = ({ waitingFor }: PendingItem): Person[] =>
  waitingFor.map(({ name, url, since, last }) => ({
    name,
    hasLink: url !== undefined,
    ...(since !== undefined && { since: Date.parse(since) }),
    ...lastSeen(last),
  }))

export const endedPeople = ({ who }: EndedItem) =>
  who.map(({ name, done, last }) => ({
    name,
    done,
    ...lastSeen(last),
  }))

/** Why a wait has ended like this, as a person typed it, or as a sentence in this language. */
export function reasonOf({ reason, problem }: EndedItem, language: unknown): string | undefined {
  const words = (type: string) =>
    typeof language === 'string' ? translateInto(language, type.replace(/^eid-/, '')) : undefined
  return reason ?? (problem && sentenceOf(problem, words(problem.type)))
}

/** The available actions: those on the wait and, for a document, those on the document. */
export function actionsFor({ kind, waitingFor, service }: PendingItem): WaitingAction[] {
  // An approval waits for people only, so there is no service to ask.
  const people = waitingFor.some(({ url }) => url !== undefined) ? (['link'] as const) : []
  if (kind === 'approval') return [...people, 'withdraw']
  // The client now uses a different service from the one that has the document.
  if (service !== undefined) return ['stopWaiting']
  const document = kind === 'document' ? (['remind', 'download'] as const) : []
  return [...people, ...document, 'askNow', 'stopWaiting', ...(kind === 'document' ? (['cancel'] as const) : [])]
}
