/** What a wait is for, and which status of the service means that it has come (`docs/interface.md` 3). */
import type { ResourceKind } from '../../lib/runtime/monitor/pending'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import { fields, type Goal } from './wait.fields'

/** How a wait ends: with success, in another way, or out of time. */
export type WaitOutcome = 'done' | 'ended' | 'expired'

const kinds: Readonly<Record<Goal, ResourceKind>> = {
  document: 'document',
  'first-signature': 'document',
  'files-ready': 'document',
  session: 'session',
  share: 'share',
  deposit: 'deposit',
  'deposit-signed': 'deposit',
  'deposit-funded': 'deposit',
}

/** What is asked about. */
export const kindOf = (goal: Goal): ResourceKind => kinds[goal]

/** The goal of this name; undefined for any other name. */
export const goalOf = (name: unknown): Goal | undefined => fields.what.choices.find((one) => one === name)

type Outcomes = Readonly<Partial<Record<string, WaitOutcome>>>

const lostDocument = { canceled: 'ended', deleted: 'ended', expired: 'expired' } as const

const outcomes: Readonly<Partial<Record<Goal, Outcomes>>> = {
  document: { ...lostDocument, signed: 'done' },
  'first-signature': { ...lostDocument, partialsigned: 'done', signed: 'done' },
  // Signed, its files may not be there yet.
  'files-ready': lostDocument,
  session: { success: 'done', failed: 'ended', user_aborted: 'ended', invalidated: 'ended', timed_out: 'expired' },
  deposit: { TERMINATED: 'done' },
  'deposit-signed': { SIGNED: 'done', PAID_PARTIAL: 'done', PAID: 'done', TERMINATED: 'done' },
  'deposit-funded': { PAID: 'done', TERMINATED: 'done' },
}

/** What a status means for a goal; undefined while it has not come, and can still come. */
export function outcomeOf(goal: Goal, status: string): WaitOutcome | undefined {
  // Which word a canceled deposit has is not published.
  if (kindOf(goal) === 'deposit' && /^cancell?ed$/i.test(status)) return 'ended'
  return outcomes[goal]?.[status]
}

/** Whether the packages that the status lists are worth a look at the whole document. */
export function hasPackages(status: unknown): boolean {
  return completedOf(status).some((one) => one !== 'unsigned' && one !== 'native')
}

/** Whether every file of a signed document that can come is there; `record` is the whole of it. */
export function isPackaged(record: unknown): boolean {
  const completed = completedOf(getPath(record, 'status'))
  const asked = listAt(record, 'dataToSign.packaging.signaturePackageFormats').map((one) => String(one).toLowerCase())
  // Text documents are not turned into a PDF.
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
