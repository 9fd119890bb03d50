/** The folder of an archive, and what is the same for all archives of one Node-RED. */
import { createKeyedQueue, type KeyedQueue } from '../../lib/common/keyed-queue'
import type { ArchiveIndex } from './index-lines'
import type { Memory } from './memory'

/** The parts that all archives of one Node-RED share. */
interface Parts {
  /** Opened when the first node starts. */
  memory?: Memory
  /** Runs one operation at a time in each folder, whichever node writes to it. Long operations bypass this queue. */
  readonly folders: KeyedQueue
  /** Runs one operation per document at a time, so that it is archived once even if its message comes twice. */
  readonly documents: KeyedQueue
  /** The temporary folders that are being filled now, by real path. */
  readonly filling: Set<string>
  /**
   * The indexes that were last read or written, by path. An index is read again only if another program has changed it.
   * Reading a long index takes a while, and this process has usually added the last line itself.
   */
  readonly indexes: Map<string, { readonly index: ArchiveIndex; readonly mtimeMs: number; readonly bytes: number }>
}

export function createParts(): Parts {
  return { folders: createKeyedQueue(), documents: createKeyedQueue(), filling: new Set(), indexes: new Map() }
}

export interface Archive {
  readonly folder: string
  /** The folder's real path, which is the same whichever path leads to the folder. */
  readonly real: string
  /** The name of the index that this installation writes. */
  readonly index: string
  readonly memory: Memory
  readonly parts: Parts
}

/** Runs a task when the folder's earlier tasks have ended. If the flow is stopped, the task neither waits nor runs. */
export function inTurn<T>({ parts, real }: Archive, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  const run = async () => {
    signal.throwIfAborted()
    return task()
  }
  return parts.folders.run(real, run, signal)
}
