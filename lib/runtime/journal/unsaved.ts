/**
 * The messages whose files could not be saved, so that a person can give them to their node again, also after a restart.
 * Each is kept under the subject of its error, until its file is saved or for thirty days.
 */
import { setLatest } from '../../common/latest'
import { listAll } from '../../store/list-all'
import type { Store } from '../../store/store'
import type { FlowMessage } from '../node-red/node-red'
import { deserializeMessage, serializeMessage } from '../node-red/serialize-message'

const keepMs = 30 * 86_400_000
/** The number of messages in memory. It is limited, because they may contain files. */
const maxHere = 100
/** Longer messages, in characters of JSON, are only in memory. */
const maxStored = 1_000_000

export class UnsavedMessages {
  /** The latest messages, by subject; each as it came in, also with what can't be stored. */
  readonly #here = new Map<string, FlowMessage>()
  readonly #stored = new Set<string>()
  #store: Store | undefined

  keep(subject: string, msg: FlowMessage): void {
    this.forget(subject)
    setLatest(this.#here, subject, msg, maxHere)
    const store = this.#store
    const body = plainOf(msg)
    if (!store || body === undefined) return
    this.#stored.add(subject)
    // If the disk is full, the message is only in memory. The store itself reports that.
    store.put(subject, { body, keepMs }).catch(() => void this.#stored.delete(subject))
  }

  has(subject: string): boolean {
    return this.#here.has(subject) || this.#stored.has(subject)
  }

  isEmpty(): boolean {
    return this.#here.size + this.#stored.size === 0
  }

  /** Removes and returns the message, so that it is not given twice. Never rejects. */
  async take(subject: string): Promise<FlowMessage | undefined> {
    const here = this.#here.get(subject)
    const stored =
      !here && this.#stored.has(subject) ? await this.#store?.get(subject).catch(() => undefined) : undefined
    // Another press may have taken it meanwhile.
    const isOurs = this.has(subject)
    this.forget(subject)
    return isOurs ? (here ?? (stored && deserializeMessage(stored.body))) : undefined
  }

  forget(subject: string): void {
    this.#here.delete(subject)
    if (this.#stored.delete(subject)) void this.#store?.remove(subject).catch(() => undefined)
  }

  /** Reads which messages an earlier run has stored, and stores new ones from now on. Never rejects. */
  async load(store: Store): Promise<void> {
    for (const { id } of await listAll(store).catch(() => [])) this.#stored.add(id)
    this.#store = store
  }
}

/** What can be stored of the message; undefined if it is too large or nested too deep. */
function plainOf(msg: FlowMessage): unknown {
  try {
    const plain = serializeMessage(msg)
    return JSON.stringify(plain).length > maxStored ? undefined : plain
  } catch {
    return undefined
  }
}
