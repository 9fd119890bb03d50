/** Creates alerts from the events and the lists of this Node-RED, and passes them to the outbox one at a time. */
import { isPlainObject } from '../../lib/common/plain-object'
import { listMetrics, type ClientMetrics } from '../../lib/runtime/monitor/client-metrics'
import { listEnded, type EndedItem } from '../../lib/runtime/monitor/ended'
import type { Occurred, OccurredError } from '../../lib/runtime/monitor/occurrences'
import type { KeptNode } from '../../lib/runtime/monitor/kept-nodes'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import { listPending } from '../../lib/runtime/monitor/pending'
import type { Clock } from '../../lib/store/clock'
import type { Store } from '../../lib/store/store'
import { hash, type Alert } from './alert'
import { errorAlert, onceMs, type ErrorPlace } from './errors'
import type { ChoosableKind } from './kinds'
import {
  endedIn,
  leftIn,
  outageAlert,
  outageOf,
  overdueIn,
  rejectionAlert,
  removedSoonIn,
  unsavedAlert,
  type IsNew,
  type Outage,
} from './scan'

interface CollectorOptions {
  readonly store: Store
  readonly clock: Pick<Clock, 'epochNow'>
  readonly wanted: ReadonlySet<ChoosableKind>
  readonly overdueDays: number
  /** Id of the only client to watch; if empty, all clients are watched. */
  readonly client: string
  /** Whether several Node-REDs share the record of sent alerts. */
  readonly shared: boolean
  locate(nodeId: string, places: readonly string[]): ErrorPlace
  /** Returns the sentence for an error, in the language of the alerts. */
  sentenceOf(error: OccurredError): string
  /** Returns "and 3 more", in the language of the alerts. */
  othersOf(count: number): string
  /** Returns what nodes keep; may be asked rarely. */
  kept(): Promise<readonly KeptNode[]>
  /** Stores the signed documents among these items, because the service will delete them. */
  noteEnded(items: readonly EndedItem[]): Promise<void>
  /** Reports the alert, unless it was reported before. Rejects if the alert can't be stored. */
  say(alert: Alert): Promise<void>
}

export interface Collector {
  /** Rejects if something can't be stored: then the next check tries again. */
  look(): Promise<void>
  heard(occurred: Occurred): Promise<void>
  /** Reports that a document is about to be deleted, unless its files were saved. */
  sayUnsaved(alert: Alert): Promise<void>
}

/** How long the store remembers that a document was saved. By default, the service keeps a document for less time. */
const savedMs = 400 * 86_400_000
/**
 * `noteMs`: how often a Node-RED records that an outage has not ended. `leaveMs`: for this long after the last record,
 * no other Node-RED may record that the outage has ended.
 */
const noteMs = 60_000
const leaveMs = 180_000
/** Milliseconds between two looks at what belongs to no node any more, because it is kept for weeks. */
const keptLookMs = 3_600_000

const savedId = (documentId: string) => `s-${hash(documentId)}`

export function createCollector(RED: HostOwner, options: CollectorOptions): Collector {
  const { store, clock, wanted, client, locate: placeOf } = options
  const begun = sinceStart(store, clock)
  const isOurs = (one: { readonly client?: string | undefined }) => client === '' || one.client === client
  const say = async (alert: Alert | undefined) => {
    if (alert && wanted.has(alert.kind) && (alert.client === undefined || isOurs(alert))) await options.say(alert)
  }
  const sayUnsaved = async (alert: Alert) => {
    if (alert.until !== undefined && !(await begun())(Math.min(alert.until, clock.epochNow()))) return
    if (!(await store.get(savedId(String(alert.details?.documentId))))) await say(alert)
  }
  const saySoonDeleted = async (documentId: string, from: string, title: string) => {
    const { items } = await listEnded(RED)
    const ended = items.filter(({ id }) => id === documentId)
    if (ended.some(isUnsigned)) return
    await sayUnsaved(unsavedAlert(ended[0] ?? { id: documentId, title, client: from }, undefined))
  }
  const noteEnded = async (items: readonly EndedItem[]) => {
    if (wanted.has('not-archived-before-deletion')) await options.noteEnded(items.filter(isOurs))
  }
  const hearEnded = async (item: EndedItem) => {
    for (const alert of endedIn([item], await begun())) await say(alert)
    await noteEnded([item])
  }
  const outages = createOutages(options, say)
  let keptLook = -Infinity

  return {
    sayUnsaved,
    async look() {
      const now = clock.epochNow()
      const isNew = await begun()
      const [pending, ended] = await Promise.all([listPending(RED), listEnded(RED)])
      const alerts = [
        ...overdueIn(pending.items, options.overdueDays, now),
        ...leftIn(pending.items, isNew),
        ...endedIn(ended.items, isNew),
      ]
      for (const alert of alerts) await say(alert)
      for (const one of listMetrics(RED)) if (isOurs({ client: one.id })) await outages(one, isNew, now)
      await noteEnded(ended.items)
      if (!wanted.has('removed-soon') || Math.abs(now - keptLook) < keptLookMs) return
      for (const alert of removedSoonIn(await options.kept(), now)) await say(alert)
      keptLook = now
    },
    async heard(occurred) {
      if (occurred.what === 'saved') return store.put(savedId(occurred.documentId), { keepMs: savedMs })
      if (!(await begun())(occurred.at)) return
      if (occurred.what === 'ended') return hearEnded(occurred.item)
      if (occurred.what === 'deletion') return saySoonDeleted(occurred.documentId, occurred.client, occurred.title)
      if (occurred.what === 'list') return say(listAlert(occurred, options))
      // After a deploy, the latest errors arrive again. An old one would be reported twice, because the record of its
      // alert has expired.
      if (clock.epochNow() - occurred.at > onceMs) return
      const { id, places } = occurred.entry.node
      await say(errorAlert(occurred, wanted, placeOf(id, places), options.sentenceOf(occurred.entry)))
    },
  }
}

const isUnsigned = ({ outcome }: EndedItem) => ['canceled', 'deleted', 'expired'].includes(outcome)

/** Resolves to a function that returns whether an event happened after the node first started; others are not reported. */
function sinceStart(store: Store, clock: Pick<Clock, 'epochNow'>): () => Promise<IsNew> {
  let begun: number | undefined
  const stored = async () => {
    const at = clock.epochNow()
    await store.add('begun', { body: { at } })
    const body = (await store.get('begun'))?.body
    return isPlainObject(body) && typeof body.at === 'number' ? body.at : at
  }
  return async () => {
    begun ??= await stored()
    // A start that is still to come was noted by a clock that was ahead: everything from now on is new.
    begun = Math.min(begun, clock.epochNow())
    const start = begun
    return (at) => at >= start
  }
}

type ListOccurred = Extract<Occurred, { what: 'list' }>

function listAlert(occurred: ListOccurred, { locate: placeOf, othersOf, sentenceOf }: CollectorOptions): Alert {
  const { id, started, total, done, failed, rows: first, reason, at } = occurred
  const others = first.length === 0 ? 0 : failed - first.length
  const rows = others > 0 ? [...first, othersOf(others)] : first
  return {
    kind: 'list-finished-with-failures',
    // A report that arrives again after a crash has the same key. A list that is sent again has a later start or other
    // counts.
    key: [occurred.node, id, started, done, failed],
    sentence: reason ? 'listReason' : 'list',
    params: { id, total, done, failed, ...(reason && { reason: sentenceOf(reason) }) },
    title: id,
    since: at,
    node: placeOf(occurred.node, [occurred.node]).node,
    details: { batchId: id, total, done, failed, rows },
  }
}

type SayOutage = (alert: Alert | undefined) => Promise<void>

/**
 * Creates the record of outages and of rejected credentials. A problem stays in the record until it ends, so that it is
 * reported only once, even after a restart or with several Node-REDs.
 */
function createOutages({ store, clock, shared }: CollectorOptions, say: SayOutage) {
  const noted = new Map<string, number>()
  const note = async (id: string, { name, since }: Outage) => {
    const now = clock.epochNow()
    if (now - (noted.get(id) ?? 0) < noteMs) return
    await store.put(id, { body: { name, since, seen: now } })
    noted.set(id, now)
  }
  const end = async (
    id: string,
    kept: StoredProblem,
    { lastSuccess = 0 }: ClientMetrics,
  ): Promise<number | undefined> => {
    const isOver = lastSuccess > kept.since
    // Another Node-RED that recorded the outage may still be unable to reach the service.
    const isOthers = shared && !noted.has(id) && clock.epochNow() - kept.seen < leaveMs
    return isOver && !isOthers ? lastSuccess : undefined
  }
  // A problem is reported only if a call has shown it since the node was first started.
  return async (metrics: ClientMetrics, isNew: IsNew, now: number) => {
    const about = { id: metrics.id, name: metrics.name }
    const { lastUnavailable = 0, lastRejected = 0 } = metrics
    const outage = isNew(lastUnavailable) ? outageOf(metrics, now) : undefined
    const down = await readKept(store, `o-${about.id}`)
    if (outage) {
      const since = down?.since ?? outage.since
      await say(outageAlert({ ...about, since }))
      await note(`o-${about.id}`, { ...about, since })
    } else if (down && metrics.unavailableSince === undefined) {
      const until = await end(`o-${about.id}`, down, metrics)
      if (until !== undefined) {
        await say(outageAlert({ ...about, since: down.since }, until))
        await store.remove(`o-${about.id}`)
        noted.delete(`o-${about.id}`)
      }
    }
    const rejected = await readKept(store, `r-${about.id}`)
    if (metrics.rejectedSince !== undefined) {
      if (!isNew(lastRejected)) return
      const since = rejected?.since ?? metrics.rejectedSince
      await say(rejectionAlert({ ...about, since }))
      await note(`r-${about.id}`, { ...about, since })
    } else if (rejected && (await end(`r-${about.id}`, rejected, metrics)) !== undefined) {
      await store.remove(`r-${about.id}`)
      noted.delete(`r-${about.id}`)
    }
  }
}

interface StoredProblem {
  readonly since: number
  readonly seen: number
}

async function readKept(store: Store, id: string): Promise<StoredProblem | undefined> {
  const body = (await store.get(id))?.body
  const { since, seen } = isPlainObject(body) ? body : {}
  return typeof since === 'number' ? { since, seen: typeof seen === 'number' ? seen : since } : undefined
}
