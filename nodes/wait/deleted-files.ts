/** Whether the service has deleted the files of a signed document, so that waiting for them is pointless. */
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import { isNotedDeleted } from '../../lib/runtime/monitor/deleted-documents'
import { hasPackages } from './goals'

/** The default if the record does not state it. */
const usualHours = 168
const hourMs = 3_600_000

/**
 * True if an event has said so, or if the retention time has passed and no file is left. `record` is the whole
 * document; `now` is in milliseconds since 1970.
 */
export function areFilesDeleted(documentId: string, record: unknown, now: number): boolean {
  if (hasPackages(getPath(record, 'status'))) return false
  if (isNotedDeleted(documentId)) return true
  const times = listAt(record, 'signers').map((one) => Date.parse(textAt(one, 'documentSignature.signedTime')))
  const last = Math.max(...times.filter((one) => !Number.isNaN(one)))
  const hours = Number(getPath(record, 'advanced.timeToLive.deleteAfterHours') ?? usualHours)
  return Number.isFinite(last) && now > last + hours * hourMs
}
