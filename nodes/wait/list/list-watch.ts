/**
 * Lets one list tell which of many documents have changed, in place of a question about each: one round per interval
 * for all "wait" nodes that use the same client and keep in the same place.
 */
import { isPlainObject } from '../../../lib/common/plain-object'
import type { Clock } from '../../../lib/store/clock'
import { EidError } from '../../../lib/api/errors/errors'
import { isToldTrouble } from '../../../lib/runtime/node/node-store'
import type { Store } from '../../../lib/store/store'
import { changedSince, SenselessList, type ListedDocument } from './changed-documents'
import type { Details } from '../details'
import { passing } from '../poller'

/** A node that waits for documents. */
export interface Watcher {
  /** Milliseconds between two rounds, as this one wants it. */
  readonly intervalMs: number
  /** How many documents wait. */
  count(): number
  ask: Parameters<typeof changedSince>[1]
  /** Makes the waits about these documents due. */
  wake(ids: readonly string[]): Promise<void>
  /** The list tells nothing any more: each is asked for by itself again. */
  recall(): Promise<void>
  /** The list can't be used; told once until it can be. */
  unusable(error: unknown): void
}

export interface ListWatchOptions {
  /** Keeps from when the next round has to look. */
  readonly store: Store
  /** Several Node-REDs take turns. */
  readonly shared: boolean
  readonly clock: Clock
  /** Told of what should never happen. */
  failed(error: unknown): void
}

export interface ListWatch {
  /** Takes part; gives what ends that. */
  join(watcher: Watcher): () => Promise<void>
  /** Whether the list tells when one of the documents changes. */
  isCovering(): boolean
  /** Whether the list that has just woken this document shows nothing but what is known of it; true once. */
  isKnown(id: string, details: Details | undefined): boolean
  /** Somebody else wakes these documents as well: what the list has shown of them may be older than that. */
  forget(ids: readonly string[]): void
  /** Nobody takes part. */
  isEmpty(): boolean
}

/** So many documents are worth a list; with fewer it is left alone again. */
const manyDocuments = 25
const fewDocuments = 5
/** Rounds overlap, as what happens during a round may or may not be in it. */
const overlapMs = 120_000
/** A list that can't be used is tried again after so long; one that is away counts as such after so many rounds. */
const tryAgainMs = 3_600_000
const maxFailures = 5
const longestMs = 86_400_000

export function createListWatch({ store, shared, clock, failed }: ListWatchOptions): ListWatch {
  const watchers = new Set<Watcher>()
  const latest = new Map<string, string>()
  /** What the list has woken, until it is asked for. */
  const fresh = new Map<string, ListedDocument>()
  let isOn = false
  let covering = false
  let failures = 0
  let reported = false
  let pausedUntil = -Infinity
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const intervalMs = () => Math.min(longestMs, ...[...watchers].map((one) => one.intervalMs))
  const count = () => [...watchers].reduce((sum, one) => sum + one.count(), 0)
  const stopCovering = async () => {
    covering = false
    await store.remove('list')
    await Promise.all([...watchers].map((one) => one.recall()))
  }
  const giveUp = async (error: unknown) => {
    pausedUntil = clock.now() + tryAgainMs
    const [first] = watchers
    // An earlier run may have rested on it.
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
    if (documents) await wake(documents)
    else await Promise.all([...watchers].map((one) => one.recall()))
    covering = true
    reported = false
    failures = 0
  }
  const wake = async (documents: readonly ListedDocument[]) => {
    const changed = documents.filter(({ id, mark }) => latest.get(id) !== mark)
    latest.clear()
    for (const { id, mark } of documents) latest.set(id, mark)
    fresh.clear()
    // With others, who else wakes is not known here.
    if (!shared) for (const one of changed) fresh.set(one.id, one)
    const ids = changed.map(({ id }) => id)
    if (ids.length > 0) await Promise.all([...watchers].map((one) => one.wake(ids)))
  }
  /** With others it is one's turn; their rounds count for all. */
  const isOurTurn = async () => {
    if (!shared || (await store.add('turn', { keepMs: intervalMs() * 0.9 }))) return true
    const covered = (await store.get('list')) !== undefined
    if (covering && !covered) await Promise.all([...watchers].map((one) => one.recall()))
    covering = covered
    return false
  }
  const round = async () => {
    const documents = count()
    if (documents < (isOn ? fewDocuments : manyDocuments)) {
      if (isOn) await stopCovering()
      isOn = false
      return
    }
    isOn = true
    if (clock.now() < pausedUntil || !(await isOurTurn())) return
    try {
      await fetch()
    } catch (error) {
      if (isToldTrouble(error)) return
      const senseless = error instanceof SenselessList
      if (!senseless && !(error instanceof EidError)) throw error
      const away = !senseless && passing.includes(error.code)
      if (!away || ++failures >= maxFailures) await giveUp(error)
    }
  }
  const arm = () => {
    if (watchers.size === 0) return
    timer ??= setTimeout(() => {
      timer = undefined
      running = round()
        .catch(failed)
        .finally(() => {
          running = undefined
          arm()
        })
    }, intervalMs()).unref()
  }
  return {
    join(watcher) {
      watchers.add(watcher)
      if (!running) arm()
      return async () => {
        watchers.delete(watcher)
        if (watchers.size > 0) return
        clearTimeout(timer)
        timer = undefined
        await running
        await store.close(false)
      }
    },
    isCovering: () => covering,
    forget(ids) {
      for (const id of ids) fresh.delete(id)
    },
    isKnown(id, details) {
      const seen = fresh.get(id)
      fresh.delete(id)
      if (!seen || details?.signed === undefined) return false
      return seen.status === details.status && seen.signed === details.signed
    },
    isEmpty: () => watchers.size === 0,
  }
}

function fromOf(body: unknown): number | undefined {
  const from = isPlainObject(body) ? body.from : undefined
  return typeof from === 'number' && Number.isFinite(from) ? from : undefined
}
