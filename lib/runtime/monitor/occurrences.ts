/**
 * What happens in this Node-RED and may need a person: errors, lists that ended with failures, files that were
 * archived, documents that are about to be deleted. The latest are kept, so that a node that is deployed again misses
 * none.
 */
import type { ErrorCode, Outcome } from '../../api/errors/errors'
import { systemClock } from '../../store/clock'
import type { EndedItem } from './ended'
import type { ResourceKind } from './pending'

/** What an error was about, as far as its cause or its message names it. */
export interface ErrorSubject {
  readonly title?: string
  readonly externalId?: string
  readonly documentId?: string
  readonly shareId?: string
  readonly depositId?: string
  readonly sessionId?: string
}

/** What a message that failed was about. */
export interface FailedItem extends ErrorSubject {
  /** The same for the same occurrence, also after a restart; opaque. */
  readonly mark: string
}

/** How a wait ended, in the words of `EndedItem`. */
export interface Ended {
  readonly kind: ResourceKind
  readonly outcome: string
}

/** What is said of an error: the part of its entry in the log of errors that others need. */
export interface OccurredError {
  readonly code: ErrorCode
  readonly text: string
  readonly outcome: Outcome
  readonly call?: string
  readonly requestId?: string
  readonly mark?: string
  /** The key and parameters of the sentence, for readers in another language. */
  readonly said?: unknown
  readonly node: { readonly id: string; readonly type: string; readonly places: readonly string[] }
}

export type Occurrence =
  /**
   * `caught`: a Catch node got it. `message`: it ended a message; `row`: that one carried a row of a list, whose report
   * names it. `client`: the id of the node's client; `item`: the mark of its message's item.
   * `ended`: how a wait ended that is among those that have ended too.
   */
  | {
      what: 'error'
      entry: OccurredError
      about: ErrorSubject
      caught: boolean
      row: boolean
      message: boolean
      client?: string | undefined
      item?: string | undefined
      ended?: Ended | undefined
    }
  /** A wait has ended: thousands may within a second, more than the list of ended waits holds. */
  | { what: 'ended'; item: EndedItem }
  | ListOccurrence
  /** The files of this document have been downloaded or archived. */
  | { what: 'saved'; documentId: string }
  /** The service is about to delete it. */
  | { what: 'deletion'; client: string; documentId: string; title: string }

/** A list has ended with failures; `rows` are the first that failed, for people. */
export interface ListOccurrence {
  what: 'list'
  node: string
  id: string
  started: number
  total: number
  done: number
  failed: number
  rows: readonly string[]
}

/** With the moment at which it happened, in milliseconds since 1970. */
export type Occurred = Occurrence & { readonly at: number }

type Listener = (occurred: Occurred) => void

const maxKept = 1_000
const latest: Occurred[] = []
const listeners = new Set<Listener>()

export function reportOccurrence(occurrence: Occurrence): void {
  const occurred = { ...occurrence, at: systemClock.epochNow() }
  // What has ended is listed elsewhere, and would drive out what is kept here alone.
  if (occurred.what !== 'ended') latest.push(occurred)
  if (latest.length > maxKept) latest.shift()
  for (const listener of listeners) listener(occurred)
}

/** Calls `listener` for the latest ones and for all further ones; returns a function that ends that. */
export function onOccurrence(listener: Listener): () => void {
  for (const occurred of latest) listener(occurred)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
