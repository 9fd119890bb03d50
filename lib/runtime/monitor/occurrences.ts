/**
 * Events in this Node-RED that may need attention: errors, lists that ended with failures, archived files, documents
 * about to be deleted. The latest events are kept, so that a node that is deployed again misses none of them.
 */
import type { ErrorCode, Outcome } from '../../api/errors/errors'
import { systemClock } from '../../store/clock'
import type { EndedItem } from './ended'
import type { ResourceKind } from './pending'
import { hosted, type HostOwner } from '../node-red/host'

/** What an error was about, as far as the error's cause or the failed message shows it. */
export interface ErrorSubject {
  readonly title?: string
  readonly externalId?: string
  readonly documentId?: string
  readonly shareId?: string
  readonly depositId?: string
  readonly sessionId?: string
}

/** How a wait ended, with the values of `EndedItem`. */
export interface Ended {
  readonly kind: ResourceKind
  readonly outcome: string
}

/** The part of an error's log entry that other parts of the program need. */
export interface OccurredError {
  readonly code: ErrorCode
  readonly text: string
  readonly outcome: Outcome
  readonly call?: string
  readonly requestId?: string
  /** Identifies what the error was about, also after a restart. */
  readonly subject: string
  /** The key and parameters of the sentence, for readers in another language. */
  readonly said?: unknown
  readonly node: { readonly id: string; readonly type: string; readonly places: readonly string[] }
}

type Occurrence =
  /**
   * An error. `caught`: a Catch node received it. `message`: it ended a message. `row`: that message carried a row of a
   * list, and the report of the list names the row. `client`: the id of the node's client. `ended`: how a wait
   * ended, if the ended waits list it too.
   */
  | {
      what: 'error'
      entry: OccurredError
      about: ErrorSubject
      caught: boolean
      row: boolean
      message: boolean
      client?: string | undefined
      ended?: Ended | undefined
    }
  /**
   * A wait has ended. Within a second, there may be thousands of these, more than the list of ended waits can contain.
   */
  | { what: 'ended'; item: EndedItem }
  | ListOccurrence
  /** The files of this document were downloaded or archived. */
  | { what: 'saved'; documentId: string }
  /** The service is about to delete the document. */
  | { what: 'deletion'; client: string; documentId: string; title: string }

/**
 * A list has ended with failures. `rows` are the first rows that failed, as texts that don't depend on a language.
 * `reason`: the error that all rows failed with.
 */
interface ListOccurrence {
  what: 'list'
  node: string
  id: string
  started: number
  total: number
  done: number
  failed: number
  rows: readonly string[]
  reason?: OccurredError | undefined
}

/** An occurrence with the time at which it happened, in milliseconds since 1970. */
export type Occurred = Occurrence & { readonly at: number }

type Listener = (occurred: Occurred) => void

const maxKept = 1_000
const createLatest = (): Occurred[] => []
const createListeners = () => new Set<Listener>()

export function reportOccurrence(RED: HostOwner, occurrence: Occurrence): void {
  const latest = hosted(RED, createLatest)
  const listeners = hosted(RED, createListeners)
  const occurred = { ...occurrence, at: systemClock.epochNow() }
  // Ended waits are not kept here: they are listed elsewhere, and would displace occurrences that are kept only here.
  if (occurred.what !== 'ended') latest.push(occurred)
  if (latest.length > maxKept) latest.shift()
  for (const listener of listeners) listener(occurred)
}

/** Calls `listener` for each of the latest occurrences and for all further ones; returns a function that ends this. */
export function onOccurrence(RED: HostOwner, listener: Listener): () => void {
  const latest = hosted(RED, createLatest)
  const listeners = hosted(RED, createListeners)
  for (const occurred of latest) listener(occurred)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
