/**
 * Detects changes from one list call instead of polling each document: one round per interval for all "wait" nodes that
 * use the same client and keep their waits in the same place.
 *
 * States: *off* while few documents wait; *on*, each still polled by itself, until the first list has come; *covering*
 * while lists come; *given up* for an hour after a list that can't be used, and each is polled by itself again.
 */
import { isPlainObject } from '../../../lib/common/plain-object'
import type { Clock } from '../../../lib/store/clock'
import { EidError } from '../../../lib/api/errors/errors'
import { isReportedByStore } from '../../../lib/runtime/node/node-store'
import type { Store } from '../../../lib/store/store'
import { changedSince, SenselessList } from './changed-documents'
import type { Details } from '../details'
import { isTransient } from '../transient'
import { createListNews } from './list-news'
import { createRounds } from './rounds'

/** A node that waits for documents. */
export interface Watcher {
  /** Milliseconds between two rounds, as this node prefers. */
  readonly intervalMs: number
  /** The number of documents waited for. */
  count(): number
  ask: Parameters<typeof changedSince>[1]
  /** Makes the waits about these documents due. */
  wake(ids: readonly string[]): Promise<void>
  /** The list no longer reports changes, so each document is polled individually again. */
  pollIndividually(): Promise<void>
  /** The list can't be used; reported once, and again only after it has worked in between. */
  unusable(error: unknown): void
}

export interface ListWatchOptions {
  /** The store for the time from which the next round reads changes. */
  readonly store: Store
  /** Several Node-REDs use this store; one of them leads each round. */
  readonly shared: boolean
  readonly clock: Clock
  /** Called for errors that should never happen. */
  failed(error: unknown): void
}

export interface ListWatch {
  /** Adds a watcher; returns a function that removes it. */
  join(watcher: Watcher): () => Promise<void>
  /** Whether the list shows when a document changes. */
  isCovering(): boolean
  /** Whether the list that has just woken this document shows nothing new about it; true once. */
  takeKnown(id: string, details: Details | undefined): boolean
  /** Events wake these documents as well, so the list may show an older state. */
  forget(ids: readonly string[]): void
  /** True if no node takes part. */
  isEmpty(): boolean
}

/** The number of documents that make a list worthwhile; with fewer, it is not read. */
const manyDocuments = 25
const fewDocuments = 5
/** Rounds overlap, because a list may or may not contain a change made during it. */
const overlapMs = 120_000
/**
 * An unusable list is tried again after this time; one that can't be reached counts as unusable after this many rounds.
 */
const tryAgainMs = 3_600_000
const maxFailures = 5
const longestMs = 86_400_000

export function createListWatch({ store, shared, clock, failed }: ListWatchOptions): ListWatch {
  const watchers = new Set<Watcher>()
  // With several instances, this one does not know whether another one has woken a wait.
  const news = createListNews(!shared)
  let isOn = false
  let covering = false
  let failures = 0
  let reported = false
  let pausedUntil = -Infinity
  const intervalMs = () => Math.min(longestMs, ...[...watchers].map((one) => one.intervalMs))
  const ofAll = (task: (watcher: Watcher) => Promise<void>) => Promise.all([...watchers].map(task))
  const pollIndividually = () => ofAll((one) => one.pollIndividually())
  const stopCovering = async () => {
    covering = false
    await store.remove('list')
    await pollIndividually()
  }
  const giveUp = async (error: unknown) => {
    pausedUntil = clock.now() + tryAgainMs
    const [first] = watchers
    // An earlier run may have relied on it.
    if (covering || !reported) await stopCovering()
    if (!reported) first?.unusable(error)
    reported = true
  }
  const fetch = async (): Promise<void> => {
    const [first] = watchers
    if (!first) return
    const storedFrom = fromOf((await store.get('list'))?.body)
    const { documents, at } = await changedSince(storedFrom ?? clock.epochNow() - overlapMs, (query) =>
      first.ask(query),
    )
    await store.put('list', { body: { from: (at ?? clock.epochNow()) - overlapMs } })
    const changed = documents && news.take(documents)
    if (!changed) await pollIndividually()
    else if (changed.length > 0) await ofAll((one) => one.wake(changed))
    covering = true
    reported = false
    failures = 0
  }
  /** With several instances, one leads each round on behalf of all. */
  const isLeader = async () => {
    if (!shared || (await store.add('turn', { keepMs: intervalMs() * 0.9 }))) return true
    const covered = (await store.get('list')) !== undefined
    if (covering && !covered) await pollIndividually()
    covering = covered
    return false
  }
  const round = async () => {
    const count = [...watchers].reduce((sum, one) => sum + one.count(), 0)
    const wasOn = isOn
    isOn = count >= (isOn ? fewDocuments : manyDocuments)
    if (wasOn && !isOn) await stopCovering()
    if (!isOn || clock.now() < pausedUntil || !(await isLeader())) return
    try {
      await fetch()
    } catch (error) {
      if (isReportedByStore(error)) return
      if (!(error instanceof SenselessList) && !(error instanceof EidError)) throw error
      if (!isTransient(error) || ++failures >= maxFailures) await giveUp(error)
    }
  }
  const rounds = createRounds({ intervalMs, round, failed })
  return {
    join(watcher) {
      watchers.add(watcher)
      rounds.begin()
      return async () => {
        watchers.delete(watcher)
        if (watchers.size > 0) return
        await rounds.end()
        await store.close(false)
      }
    },
    isCovering: () => covering,
    forget: (ids) => news.forget(ids),
    takeKnown: (id, details) => news.takeKnown(id, details),
    isEmpty: () => watchers.size === 0,
  }
}

function fromOf(body: unknown): number | undefined {
  const from = isPlainObject(body) ? body.from : undefined
  return typeof from === 'number' && Number.isFinite(from) ? from : undefined
}
