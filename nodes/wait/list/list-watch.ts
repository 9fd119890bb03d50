/**
 * Detects changes from one call for a list instead of polling each document. There is one round per interval for all
 * "wait" nodes that use the same client and keep their waits in the same place.
 *
 * States: *off* while there are few waits for documents; *on* until the first list has been read, while each document
 * is still polled individually; *covering* while lists can be read; *given up* for an hour after a list that can't be
 * used, while each document is polled individually again.
 *
 * The item `list` in the store says that waits rely on the list. It outlives a process that is killed, so the next
 * process either continues to read the list or polls each document individually.
 */
import { isPlainObject } from '../../../lib/common/plain-object'
import type { Clock } from '../../../lib/store/clock'
import { EidError } from '../../../lib/api/errors/errors'
import { isReportedByStore } from '../../../lib/runtime/node/node-store'
import type { Item, Store } from '../../../lib/store/store'
import { changedSince, SenselessList } from './changed-documents'
import type { Details } from '../details'
import { isTransient } from '../transient'
import { createListNews } from './list-news'
import { createRounds } from './rounds'

/** A node that waits for documents. */
interface Watcher {
  /** Milliseconds between two rounds, according to the settings of this node. */
  readonly intervalMs: number
  /** Returns the number of documents that the node waits for. */
  count(): number
  ask: Parameters<typeof changedSince>[1]
  /** Makes the waits about these documents due. */
  wake(ids: readonly string[]): Promise<void>
  /** Called when the list no longer reports changes, so that each document is polled individually again. */
  pollIndividually(): Promise<void>
  /** Called once when the list can't be used. It is called again only if the list has worked in between. */
  unusable(error: unknown): void
}

interface ListWatchOptions {
  /** The store that contains the time from which the next round reads changes. */
  readonly store: Store
  /** Whether several Node-REDs use this store; one of them then leads each round. */
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
  /** Whether the list has just woken the waits for this document, but shows nothing new about it. True only once. */
  takeKnown(id: string, details: Details | undefined): boolean
  /**
   * Forgets what the list showed about these documents. Events also wake their waits, so the list may show an older
   * state.
   */
  forget(ids: readonly string[]): void
  /** Whether no node uses this watch. */
  isEmpty(): boolean
}

/**
 * The list is read when the nodes wait for at least `manyDocuments` documents, until they wait for fewer than
 * `fewDocuments`.
 */
const manyDocuments = 25
const fewDocuments = 5
/**
 * Milliseconds by which rounds overlap. The overlap is needed because a list may not contain a change that was made
 * while the list was read.
 */
const overlapMs = 120_000
/**
 * `tryAgainMs`: milliseconds before an unusable list is tried again. `maxFailures`: after this many failed rounds, a
 * list that can't be reached counts as unusable.
 */
const tryAgainMs = 3_600_000
const maxFailures = 5
const longestMs = 86_400_000

export function createListWatch({ store, shared, clock, failed }: ListWatchOptions): ListWatch {
  const watchers = new Set<Watcher>()
  /** Nodes that have just started: their waits may rely on a list that is no longer read. */
  const started = new Set<Watcher>()
  // If several instances share the store, this instance does not know whether another instance has woken a wait.
  const news = createListNews(!shared)
  let covering = false
  let failures = 0
  let reported = false
  let pausedUntil = -Infinity
  const intervalMs = () => Math.min(longestMs, ...[...watchers].map((one) => one.intervalMs))
  const ofAll = (task: (watcher: Watcher) => Promise<void>) => Promise.all([...watchers].map(task))
  const pollIndividually = () => ofAll((one) => one.pollIndividually())
  const stopCovering = async () => {
    covering = false
    // If the process is killed in between, the next one finds the item, and polls again.
    await pollIndividually()
    await store.remove('list')
  }
  const giveUp = async (error: unknown, isReliedOn: boolean) => {
    pausedUntil = clock.now() + tryAgainMs
    const [first] = watchers
    if (isReliedOn) await stopCovering()
    if (!reported) first?.unusable(error)
    reported = true
  }
  const fetch = async (list: Item | undefined): Promise<void> => {
    const [first] = watchers
    if (!first) return
    const { documents, at } = await changedSince(fromOf(list?.body) ?? clock.epochNow() - overlapMs, (query) =>
      first.ask(query),
    )
    const changed = documents && news.take(documents)
    if (!changed) await pollIndividually()
    else if (changed.length > 0) await ofAll((one) => one.wake(changed))
    // Only now: changes whose waits could not be woken must be in the next list too.
    if (documents) news.note(documents)
    await store.put('list', { body: { from: (at ?? clock.epochNow()) - overlapMs } })
    covering = true
    reported = false
    failures = 0
  }
  /** If several instances share the store, one of them leads each round for all instances. */
  const isLeader = async () => !shared || (await store.add('turn', { keepMs: intervalMs() * 0.9 }))
  const round = async () => {
    const count = [...watchers].reduce((sum, one) => sum + one.count(), 0)
    const list = await store.get('list')
    const isReliedOn = list !== undefined
    if (!isReliedOn) await Promise.all([...(covering ? watchers : started)].map((one) => one.pollIndividually()))
    if (!isReliedOn) covering = false
    started.clear()
    const isOn = count >= (isReliedOn ? fewDocuments : manyDocuments)
    // If others rely on the list meanwhile, it can be used again.
    const isPaused = !isReliedOn && clock.now() < pausedUntil
    if (!isReliedOn && (!isOn || isPaused)) return
    if (!(await isLeader())) return void (covering = isReliedOn)
    if (!isOn) return stopCovering()
    try {
      await fetch(list)
    } catch (error) {
      if (isReportedByStore(error)) return
      if (!(error instanceof SenselessList) && !(error instanceof EidError)) throw error
      if (!isTransient(error) || ++failures >= maxFailures) await giveUp(error, isReliedOn)
    }
  }
  const rounds = createRounds({ intervalMs, round, failed })
  return {
    join(watcher) {
      watchers.add(watcher)
      started.add(watcher)
      rounds.begin()
      return async () => {
        watchers.delete(watcher)
        started.delete(watcher)
        if (watchers.size > 0) return
        await rounds.end()
        await store.close()
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
