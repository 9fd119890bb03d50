/** The goals of a wait, and the service's statuses that reach them (`docs/interface.md` 3). */
import type { ResourceKind } from '../../lib/runtime/monitor/pending'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import { fields, kinds, type Goal } from './wait.fields'

/** How a wait ends: with success, in another way, or because the time is over. */
export type WaitOutcome = 'done' | 'ended' | 'expired'

/** Returns the kind of resource to poll. */
export const kindOf = (goal: Goal): ResourceKind => kinds[goal]

/** Returns the goal with this name; undefined for any other name. */
export const goalOf = (name: unknown): Goal | undefined => fields.what.choices.find((one) => one === name)

type Outcomes = Readonly<Partial<Record<string, WaitOutcome>>>

const lostDocument = { canceled: 'ended', deleted: 'ended', expired: 'expired' } as const

const outcomes: Readonly<Partial<Record<Goal, Outcomes>>> = {
  document: { ...lostDocument, signed: 'done' },
  'first-signature': { ...lostDocument, partialsigned: 'done', signed: 'done' },
  // `signed` is missing here, because the files of a signed document may not exist yet.
  'files-ready': lostDocument,
  session: { success: 'done', failed: 'ended', user_aborted: 'ended', invalidated: 'ended', timed_out: 'expired' },
  deposit: { TERMINATED: 'done' },
  'deposit-signed': { SIGNED: 'done', PAID_PARTIAL: 'done', PAID: 'done', TERMINATED: 'done' },
  'deposit-funded': { PAID: 'done', TERMINATED: 'done' },
}

/** Returns what a status means for a goal; undefined if the status does not end the wait. */
export function outcomeOf(goal: Goal, status: string): WaitOutcome | undefined {
  // The status of a canceled deposit is not documented exactly, so both spellings count.
  if (kindOf(goal) === 'deposit' && /^cancell?ed$/i.test(status)) return 'ended'
  const known = outcomes[goal]
  return known && Object.hasOwn(known, status) ? known[status] : undefined
}

/** Whether the status lists packages that make it worthwhile to read the whole document. */
export function hasPackages(status: unknown): boolean {
  return completedOf(status).some((one) => one !== 'unsigned' && one !== 'native')
}

/** Whether all files exist that this signed document can have; `record` is the whole document. */
export function isPackaged(record: unknown): boolean {
  const completed = completedOf(getPath(record, 'status'))
  const asked = listAt(record, 'dataToSign.packaging.signaturePackageFormats').map((one) => String(one).toLowerCase())
  // Text documents are not converted to PDF.
  const isText = /\.(txt|xml)$/i.test(textAt(record, 'dataToSign.fileName'))
  const hasPdf = !isText || getPath(record, 'dataToSign.convertToPDF') === true
  const wanted = [
    ...(hasPdf && asked.some((one) => one.includes('pades')) ? ['pades'] : []),
    ...(asked.includes('xades') ? ['xades'] : []),
  ]
  const isAny = completed.includes('standard_packaging') || completed.includes('pades')
  return isAny && wanted.every((one) => completed.includes(one))
}

const completedOf = (status: unknown) => listAt(status, 'completedPackages').map(String)
