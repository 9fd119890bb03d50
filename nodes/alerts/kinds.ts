/** The kinds of problems that need attention, as stored and as in `msg.topic`. */
import type { AlertKind } from '../../lib/messages'

export const alertKinds = [
  'expired',
  'canceled',
  'left-without-signing',
  'overdue',
  'approval-overdue',
  'failed',
  'list-finished-with-failures',
  'service-unavailable',
  'credentials-rejected',
  'not-archived-before-deletion',
  'removed-soon',
] as const satisfies readonly AlertKind[]

/** With this kind, errors that a Catch node received are also reported, as `failed`. */
export const caughtToo = 'failed-caught'
export const choosableKinds = [...alertKinds, caughtToo] as const

export type ChoosableKind = (typeof choosableKinds)[number]

/** The stored text when no box is ticked; an empty text means all kinds. */
export const noKinds = 'none'

/** Reads the setting: `wanted` are the kinds that it names, and `unknown` are its words that are not kinds. */
export function readKinds(setting: unknown): { wanted: ReadonlySet<ChoosableKind>; unknown: string[] } {
  const words = (typeof setting === 'string' ? setting : '').split(/[\s,]+/).filter(Boolean)
  const known = choosableKinds.filter((kind) => words.includes(kind))
  const unknown = words.filter((word) => word !== noKinds && !choosableKinds.some((kind) => kind === word))
  return { wanted: new Set(words.length > 0 ? known : alertKinds), unknown }
}
