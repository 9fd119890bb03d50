/** The batches of this Node-RED, for lists that people look at: each batch node reports here what it is working on. */
import { createRegistry } from './registry'

/** A batch as lists show it. */
export interface BatchProgress {
  /** As in `msg.batch.id`. */
  readonly id: string
  /** `flow` is the label of the tab or subflow that the node is in. */
  readonly node: { readonly id: string; readonly name: string; readonly flow: string }
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Milliseconds since 1970. */
  readonly started: number
  /** When it is expected to end, in milliseconds since 1970; absent while that is unknown. */
  readonly expectedEnd?: number
  readonly paused: boolean
  /** With a shared store: which Node-RED is working on it. */
  readonly replica?: string
}

/** A batch that has ended. */
export interface EndedBatch extends Pick<BatchProgress, 'id' | 'node' | 'total' | 'done' | 'failed' | 'started'> {
  /** Milliseconds since 1970. */
  readonly ended: number
  /** Rows that were done before and say something else now: they can be sent as new contracts. */
  readonly changed: number
}

/** What one node offers to those lists. */
export interface BatchSource {
  /** Its batches that have not ended, with a shared store those of all Node-REDs. Rejects when they can't be read. */
  list(): Promise<readonly BatchProgress[]>
  /** Sends no further row of this batch until it is resumed. False when there is no such batch, or it has ended. */
  pause(id: string): Promise<boolean>
  /** False as above. */
  resume(id: string): Promise<boolean>
  /** The latest first. */
  ended?(): readonly EndedBatch[]
  /**
   * Sends the changed rows of a batch that has ended, once. False when no row has changed, or the rows are being sent.
   */
  sendChanged?(id: string): Promise<boolean>
}

const sources = createRegistry<BatchProgress, BatchSource>()

/** Makes the batches of a node known; gives what makes them unknown again. */
export function registerBatches(nodeId: string, source: BatchSource): () => void {
  return sources.register(nodeId, source)
}

/** All batches that have not ended, the oldest first; those of a node whose store cannot be reached are left out. */
export async function listBatches(): Promise<BatchProgress[]> {
  const { items } = await sources.list()
  return items.sort((one, other) => one.started - other.started)
}

/** The latest batches that have ended, the latest first. */
export function listEndedBatches(): EndedBatch[] {
  const all = sources.all().flatMap((source) => source.ended?.() ?? [])
  return all.sort((one, other) => other.ended - one.ended)
}

/** The batches of one node; undefined when it has none to offer. */
export function batchesOf(nodeId: string): Pick<BatchSource, 'pause' | 'resume' | 'sendChanged'> | undefined {
  return sources.of(nodeId)
}
