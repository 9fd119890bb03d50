/**
 * The errors of our nodes that no list of rows and no wait has: at most one for each subject in a node, as a sentence
 * that people can read later, with whether anything was done. Contains no messages and no personal data.
 *
 * An error disappears when the same subject succeeds in the same node, when a person dismisses it, or after thirty days.
 * If something may have been done, it disappears only when its key succeeds, when the service was asked, or when a
 * person dismisses it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setLatest } from '../../common/latest'
import { mayHaveActed, type EidError, type Outcome } from '../../api/errors/errors'
import { operations } from '../../api/operations/operations'
import { listAll } from '../../store/list-all'
import type { Store } from '../../store/store'
import { systemClock } from '../../store/clock'
import type { Asked } from '../node-red/client-node'
import { hosted } from '../node-red/host'
import type { FailedAbout, HandledMessage } from '../node-red/message-events'
import type { FlowMessage, Runtime, RuntimeNode } from '../node-red/node-red'
import { isErrorEntry, type ErrorEntry, type FailedNode } from '../monitor/error-entry'
import { saidOf } from '../monitor/error-sentence'
import type { ErrorSubject } from '../monitor/occurrences'
import { keysOf, subjectOf } from './subject'
import { UnsavedMessages } from './unsaved'

export const maxErrors = 10_000
const keepMs = 30 * 86_400_000
/** Milliseconds between two writes, if many errors occur. */
const writePaceMs = 1000
/** The id of the item with the salt of the hashes. */
const saltId = 'salt'
/** The number of messages that can be sent again. They are in memory only. */
const maxMessages = 100

/** A message that can be sent to its node again. */
interface KeptMessage {
  readonly msg: FlowMessage
  readonly subject: string
}

export class Errors {
  /** By id, the oldest first. */
  readonly #entries = new Map<string, ErrorEntry>()
  readonly #bySubject = new Map<string, string>()
  readonly #messages = new Map<string, KeptMessage>()
  readonly #changed = new Set<string>()
  /** Of the errors listed here, and of the rows of lists. */
  readonly unsaved = new UnsavedMessages()
  /** Without it, a key that is a number could be guessed. */
  #salt: string = randomUUID()
  #store: Store | undefined
  #pause: NodeJS.Timeout | undefined

  /** The error with which this message has ended, as it is shown. */
  entryOf(message: HandledMessage, error: EidError, item: ErrorSubject, about?: FailedAbout): ErrorEntry {
    const now = systemClock.epochNow()
    const details = detailsOf(error)
    const asked = isDoubtfulCreation(error) ? message.asked : undefined
    const subject = subjectOf(message, about)
    // What may have been done under a key needs attention, also under a generated key.
    const [key = subject] = details.outcome === 'unknown' ? keysOf(message) : []
    const { id } = message.node
    return {
      id: randomUUID(),
      subject: details.outcome === 'unknown' ? this.#unknown(id, key, asked) : this.#hash(id, subject),
      request: this.#hash(id, subject),
      at: now,
      since: now,
      count: 1,
      ...details,
      ...(Object.keys(item).length > 0 && { about: item }),
      ...(asked && { asked }),
      ...(isUnsaved(error) && { isUnsaved: true }),
      node: nodeOf(message.node),
    }
  }

  /** Lists the error of this message, in place of an earlier one of the same subject. */
  record({ taken, msg = taken }: HandledMessage, latest: ErrorEntry): void {
    // A message that was found to have done nothing may do something when it is sent again.
    const [own, other] = [latest.subject, latest.request].map((one) =>
      this.#entries.get(this.#bySubject.get(one) ?? ''),
    )
    const before = own ?? (other?.found ? other : undefined)
    const { id, since, count } = before ?? { ...latest, count: 0 }
    this.#set({ ...latest, id, since, count: count + 1 })
    if (!msg || !latest.asked) return
    // What the message held when it came in, and the key that the node has left on it.
    setLatest(this.#messages, id, { msg: taken ?? msg, subject: latest.request }, maxMessages)
  }

  /** Called when a message has passed its node: removes the errors that this answers. */
  passed(message: HandledMessage): void {
    if (this.#entries.size === 0 && this.unsaved.isEmpty()) return
    const { node, asked } = message
    const subject = this.#hash(node.id, subjectOf(message))
    this.unsaved.forget(subject)
    const keys = keysOf(message).flatMap((key) => [asked, undefined].map((one) => this.#unknown(node.id, key, one)))
    for (const one of [subject, ...keys]) {
      const id = this.#bySubject.get(one)
      if (id !== undefined) this.#remove(id)
    }
    // The same was done with another key. The first message would do it a second time.
    for (const [id, kept] of this.#messages) if (kept.subject === subject) this.#messages.delete(id)
  }

  /** Newest first. */
  list(): readonly ErrorEntry[] {
    const oldest = systemClock.epochNow() - keepMs
    for (const { id, at } of this.#entries.values()) {
      if (at > oldest) break
      this.#remove(id)
    }
    return [...this.#entries.values()].reverse()
  }

  find(id: unknown): ErrorEntry | undefined {
    return typeof id === 'string' ? this.#entries.get(id) : undefined
  }

  /** Removes the error with this id or, without an id, all errors. False if there was nothing to remove. */
  dismiss(id?: string): boolean {
    const gone = id === undefined ? [...this.#entries.keys()] : this.#entries.has(id) ? [id] : []
    for (const one of gone) this.#remove(one)
    return gone.length > 0
  }

  /** Notes that nothing was done, unless the error has occurred again since `entry` was read. */
  noteAbsent({ id, count }: ErrorEntry): void {
    const entry = this.#entries.get(id)
    if (entry?.count !== count) return
    const { request } = entry
    // Nothing was done, so this is an error like any other of its subject.
    const other = this.#bySubject.get(request)
    if (other !== undefined && other !== id) this.#remove(other)
    this.#set({ ...entry, subject: request, outcome: 'not-done', found: 'absent' })
  }

  /** The message of this error; undefined if it is not kept any more. */
  message(id: string): FlowMessage | undefined {
    return this.#messages.get(id)?.msg
  }

  /** Removes and returns the message, so that it can't be sent twice. */
  takeMessage(id: string): FlowMessage | undefined {
    const kept = this.#messages.get(id)
    this.#messages.delete(id)
    return kept?.msg
  }

  /**
   * Loads the errors stored by an earlier run, and stores new errors from now on. Never rejects; errors that can't be
   * stored are in memory only. `dropped` is called if the store has errors in another form, which are dropped.
   */
  async load(store: Store, dropped: () => void): Promise<void> {
    const items = await listAll(store).catch(() => [])
    const salt = items.find(({ id }) => id === saltId)?.summary
    if (typeof salt === 'string') this.#salt = salt
    else await store.put(saltId, { summary: this.#salt }).catch(() => undefined)
    const entries = items.flatMap(({ summary }) => (isErrorEntry(summary) ? [summary] : []))
    const others = items.filter(({ id, summary }) => id !== saltId && !isErrorEntry(summary))
    for (const { id } of others) await store.remove(id).catch(() => undefined)
    if (others.length > 0) dropped()
    const since = [...this.#entries.values()]
    for (const entry of entries.sort((one, other) => one.at - other.at)) this.#add(entry)
    for (const entry of since) this.#add(entry)
    this.#store = store
  }

  #hash(node: string, subject: string): string {
    return createHash('sha256').update(`${this.#salt} ${node} ${subject}`).digest('base64url').slice(0, 20)
  }

  /** The subject of an object that may exist under a key; at another service it is another object. */
  #unknown(node: string, key: string, asked: Asked | undefined): string {
    return this.#hash(node, `unknown ${JSON.stringify([key, asked?.client, asked?.service])}`)
  }

  #add(entry: ErrorEntry): void {
    const { id, subject } = entry
    this.#unname(id)
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    this.#bySubject.set(subject, id)
  }

  #set(entry: ErrorEntry): void {
    this.#add(entry)
    this.#note(entry.id)
    const [oldest = ''] = this.#entries.keys()
    if (this.#entries.size > maxErrors) this.#remove(oldest)
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    this.unsaved.forget(entry.subject)
    this.#unname(id)
    this.#entries.delete(id)
    this.#messages.delete(id)
    this.#note(id)
  }

  #unname(id: string): void {
    const { subject = '' } = this.#entries.get(id) ?? {}
    if (this.#bySubject.get(subject) === id) this.#bySubject.delete(subject)
  }

  #note(id: string): void {
    this.#changed.add(id)
    if (!this.#pause) this.#write()
  }

  #write(): void {
    this.#pause = undefined
    const store = this.#store
    if (this.#changed.size === 0 || !store) return
    this.#pause = setTimeout(() => this.#write(), writePaceMs).unref()
    for (const id of this.#changed) {
      const entry = this.#entries.get(id)
      // The store itself reports a failed write.
      void (entry ? store.put(id, { summary: entry, keepMs }) : store.remove(id)).catch(() => undefined)
    }
    this.#changed.clear()
  }
}

const createErrors = () => new Errors()

/** The errors of this Node-RED. */
export const errorsOf = (RED: Pick<Runtime, 'events'>): Errors => hosted(RED, createErrors)

/** True if a document may have been created. Other objects don't count, because they can't be found by a key. */
function isDoubtfulCreation({ cause: { outcome, method, path } }: EidError): boolean {
  const { createDocument } = operations
  return outcome === 'unknown' && method === createDocument.method && path === createDocument.path
}

/** True if a file of a document could not be saved. */
const isUnsaved = ({ problemKeys }: EidError) => problemKeys.some(({ key }) => unsavedProblems.has(key))
const unsavedProblems: ReadonlySet<string> = new Set(['fileNotWritableOf', 'notSavedOf'])

function detailsOf(error: EidError) {
  const { code, message, cause } = error
  const { method, path, status, requestId } = cause
  const outcome: Outcome = mayHaveActed(cause) ? 'unknown' : 'not-done'
  return {
    code,
    text: message,
    said: saidOf(error),
    outcome,
    ...(method !== undefined && { call: `${method} ${path ?? ''}` }),
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { requestId }),
  }
}

/** What an error stores of its node. */
function nodeOf({ id, type, name = '', z, _alias }: RuntimeNode): FailedNode {
  return { id, type, name, places: [id, z, _alias].filter((place) => place !== undefined && place !== '') as string[] }
}
