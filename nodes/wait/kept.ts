/** What is kept of a wait in the context store, and how it is read back after a restart. */
import type { FlowMessage } from '../../lib/runtime/node-red'
import { isPlainObject, type PlainObject } from '../../lib/runtime/body'
import { fromKeepable, toKeepable } from '../../lib/runtime/keepable'
import type { What } from './outcomes'

/** One wait. Times are milliseconds since 1970, pauses milliseconds. */
export interface Wait {
  readonly what: What
  readonly resourceId: string
  readonly msg: FlowMessage
  /** When the person's time-out runs out; Infinity without one. */
  readonly until: number
  /** The pause before the next question; grows. */
  pause: number
  readonly longest: number
}

export function keptWait({ until, msg, ...wait }: Wait): unknown {
  return { ...wait, ...(Number.isFinite(until) && { until }), msg: toKeepable(msg) }
}

/** The waits of an earlier run by their ids; what is none is left out. */
export function readWaits(stored: PlainObject): [string, Wait][] {
  return Object.entries(stored).flatMap(([id, kept]) => readWait(id, kept))
}

function readWait(id: string, kept: unknown): [string, Wait][] {
  if (!isPlainObject(kept) || typeof kept.resourceId !== 'string' || !isPlainObject(kept.msg)) return []
  const { what, resourceId, until = Infinity, pause, longest, msg } = kept
  const wait = { what: what as What, resourceId, msg: fromKeepable(msg), until: Number(until) }
  return [[id, { ...wait, pause: Number(pause), longest: Number(longest) }]]
}
