/** Decides which errors need attention, and which ones only repeat an earlier error. */
import type { Occurred } from '../../lib/runtime/monitor/occurrences'
import type { Alert } from './alert'
import { caughtToo, type ChoosableKind } from './kinds'
import { kindOfEnd } from './scan'

type ErrorOccurred = Extract<Occurred, { what: 'error' }>

/** The location of the node that failed. */
export interface ErrorPlace {
  readonly node: NonNullable<Alert['node']>
  /** What the palette calls the node, in the language of the alerts; empty if unknown. */
  readonly label: string
}

/**
 * For how long the same error is not reported again: an hour less than a day, so that an error that occurs at the same
 * time every night is reported every night.
 */
export const onceMs = 82_800_000
const ofCredentials: ReadonlySet<string> = new Set(['EID_CREDENTIALS', 'EID_INVALID_SCOPE', 'EID_UNAUTHORIZED'])
const ofService: ReadonlySet<string> = new Set(['EID_NETWORK', 'EID_TIMEOUT', 'EID_SERVICE'])

/** The alert for an error; undefined if another alert covers it, or a Catch node handled it. */
export function errorAlert(
  error: ErrorOccurred,
  wanted: ReadonlySet<ChoosableKind>,
  { node, label }: ErrorPlace,
  sentence = error.entry.text,
): Alert | undefined {
  const { entry, about, caught, row, message, client = '', ended } = error
  const { code, outcome, text, call, requestId } = entry
  const kindSaid = ended && kindOfEnd(ended)
  if (kindSaid && wanted.has(kindSaid)) return undefined
  if (caught && (row || !wanted.has(caughtToo))) return undefined
  const isCredentials = ofCredentials.has(code)
  const isService = ofService.has(code)
  const saidOtherwise =
    (isCredentials && wanted.has('credentials-rejected')) || (isService && wanted.has('service-unavailable'))
  // A failed poll loses nothing, so the alert about the credentials or the service is enough. A message that ended with
  // the error needs its own alert.
  if (!message && saidOtherwise) return undefined
  // A problem with the credentials or the service affects all calls alike, so one alert is enough. Calls with an
  // unknown outcome have to be checked one by one.
  const isEach = outcome === 'unknown' || !(isCredentials || isService)
  return {
    kind: 'failed',
    key: [entry.node.id, code, text, ...(isEach && !row ? [entry.subject] : [])],
    sentence: outcome === 'unknown' ? 'failedUnknown' : 'failed',
    params: { text: sentence },
    title: about.title ?? (node.name || label || node.flow),
    since: error.at,
    node,
    ...(client !== '' && { client }),
    details: {
      code,
      outcome,
      ...about,
      ...(call !== undefined && { call }),
      ...(requestId !== undefined && { requestId }),
    },
    onceMs,
  }
}
