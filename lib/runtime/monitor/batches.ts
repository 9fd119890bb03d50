/** The batches of this Node-RED, for the lists in the editor: each batch node reports here what it is working on. */
import { createRegistry } from './registry'
import type { OccurredError } from './occurrences'
import { hosted, type HostOwner } from '../node-red/host'

const changedEnd = ' (changed)'

/** The id of the batch in which the changed rows of a list are sent as new contracts. */
export const changedListOf = (batchId: string): string => `${batchId}${changedEnd}`

/** The id of the list whose changed rows this batch sends; undefined for any other batch. */
export function unchangedListOf(batchId: string): string | undefined {
  return batchId.endsWith(changedEnd) ? batchId.slice(0, -changedEnd.length) : undefined
}

/** A row of a list that has an error. */
export interface FailedRow {
  /** The number by which a person finds the row: that in the file, or in the list. */
  readonly row: number
  /** The key of the row; empty without one. */
  readonly key: string
  readonly title?: string
  /** `out`: its message failed in a node and is still in the flow. `done`: it is done, but this is missing. */
  readonly state: 'failed' | 'look first' | 'out' | 'done'
  /** Why it failed, as a sentence. */
  readonly text: string
  /** The error about a file that is not saved: its subject, and its node. */
  readonly unsaved?: { readonly subject: string; readonly node: string }
  /** The error behind the sentence, for readers in another language. */
  readonly problem?: Pick<OccurredError, 'code' | 'text' | 'said' | 'node'>
}

/** A batch as lists show it. */
export interface BatchProgress {
  /** The id, as in `msg.batch.id`. */
  readonly id: string
  /** `flow` is the label of the tab or subflow that the node is in. */
  readonly node: { readonly id: string; readonly name: string; readonly flow: string }
  readonly total: number
  readonly done: number
  readonly failed: number
  /** The number of rows that are done, but have other content in the list now. They are not among `done`. */
  readonly changed: number
  /** Milliseconds since 1970. */
  readonly started: number
  /** Expected end in milliseconds since 1970; absent while unknown. */
  readonly expectedEnd?: number
  readonly paused: boolean
  /** The first rows that have an error. */
  readonly failures?: readonly FailedRow[]
  /** With a shared store: the name of the Node-RED that is working on the batch. */
  readonly replica?: string
}

/** A batch that has ended. */
export interface EndedBatch extends Pick<
  BatchProgress,
  'id' | 'node' | 'total' | 'done' | 'failed' | 'changed' | 'started' | 'failures'
> {
  /** Milliseconds since 1970. */
  readonly ended: number
  /** Whether the changed rows can be sent as new contracts: they are known until Node-RED restarts. */
  readonly offersChanged: boolean
}

/** A list that was refused before its first row was sent. */
export interface RefusedBatch extends Pick<BatchProgress, 'id' | 'node' | 'total'> {
  /**
   * `sentBefore`: another node has sent one of its rows. `otherShape`: the earlier list of this name had another row key
   * or other columns.
   */
  readonly why: 'sentBefore' | 'otherShape'
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The batches of one node, as a source for the lists in the editor. */
interface BatchSource {
  /** The node's open batches; with a shared store, those of all Node-REDs. Rejects if they can't be read. */
  list(): Promise<readonly BatchProgress[]>
  /** Pauses the batch: none of its rows is sent until it is resumed. False if the batch does not exist or has ended. */
  pause(id: string): Promise<boolean>
  /** Ends the pause. False if the batch does not exist or has ended. */
  resume(id: string): Promise<boolean>
  /** The node's ended batches, most recent first. */
  ended?(): readonly EndedBatch[]
  /** The report of an ended batch as CSV; undefined if it does not exist. */
  report?(id: string): Promise<string | Buffer | undefined>
  /** Takes the errors of an ended batch off the lists. False if there is no such batch. */
  dismiss?(id: string): Promise<boolean>
  /** Sends the changed rows of an ended batch, once. False if no row has changed, or if they are already being sent. */
  sendChanged?(id: string): Promise<boolean>
  /** The node's refused lists, most recent first. */
  refused?(): readonly RefusedBatch[]
  /** Sends a refused list, although another node has sent rows of it. False if no such list was refused. */
  sendAnyway?(id: string): Promise<boolean>
  /** Forgets the earlier list of a refused one, so that every row is sent when the list comes again. */
  forget?(id: string): Promise<boolean>
}

const createSources = () => createRegistry<BatchProgress, BatchSource>()

/** Registers the batches of a node; returns the function that removes them. */
export function registerBatches(RED: HostOwner, nodeId: string, source: BatchSource): () => void {
  return hosted(RED, createSources).register(nodeId, source)
}

/** All open batches, oldest first. The batches of a node whose store can't be reached are left out. */
export async function listBatches(RED: HostOwner): Promise<BatchProgress[]> {
  const { items } = await hosted(RED, createSources).list()
  return items.sort((one, other) => one.started - other.started)
}

/** Recently ended batches, most recent first. */
export function listEndedBatches(RED: HostOwner): EndedBatch[] {
  const all = hosted(RED, createSources)
    .all()
    .flatMap((source) => source.ended?.() ?? [])
  return all.sort((one, other) => other.ended - one.ended)
}

/** Refused lists, most recent first. */
export function listRefusedBatches(RED: HostOwner): RefusedBatch[] {
  const all = hosted(RED, createSources)
    .all()
    .flatMap((source) => source.refused?.() ?? [])
  return all.sort((one, other) => other.at - one.at)
}

/** The batches of one node; undefined if the node has registered no batches. */
export function batchesOf(RED: HostOwner, nodeId: string): Omit<BatchSource, 'list' | 'ended' | 'refused'> | undefined {
  return hosted(RED, createSources).of(nodeId)
}
