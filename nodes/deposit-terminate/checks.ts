/** Validates a release before it is sent (`docs/interface.md` 2.4), and checks the payment reference in it. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { amountParam } from '../../lib/api/errors/texts'
import type { PlainObject } from '../../lib/common/plain-object'
import { depositAmount } from '../../lib/runtime/service/deposit-amount'
import { getPath, isEmpty } from '../../lib/runtime/values/read-text'
import { isKid } from '../../lib/settings/kid'
import { toCents, together } from '../../lib/settings/together'

interface Wishes {
  /** The required sum of the parts of a SPLIT. */
  readonly expectedTotal: number | undefined
  /** Whether a payment reference is sent even if its check digit is wrong. */
  readonly sendAnyKid: boolean
}

/** Returns all faults in `body`: values that can never work, and values that no one intends when paying out money. */
export function problemsOf(body: PlainObject, { expectedTotal, sendAnyKid }: Wishes): ProblemKey[] {
  const { category } = body
  const known = category === 'TENANT' || category === 'SPLIT'
  return [
    ...(isEmpty(category) ? [{ path: 'category', key: 'missing' }] : []),
    ...(!isEmpty(category) && !known
      ? [{ path: 'category', key: 'choice', params: { choices: 'TENANT, SPLIT' } }]
      : []),
    ...(isEmpty(body.username) ? [{ path: 'username', key: 'missing' }] : []),
    ...(category === 'SPLIT' ? splitProblems(body, expectedTotal) : []),
    ...(isWrongKid(body) && !sendAnyKid ? [{ path: kidPath, key: 'kid' }] : []),
  ]
}

function splitProblems(body: PlainObject, expectedTotal: number | undefined): ProblemKey[] {
  const parts = ['tenant', 'landlord'].map((who) => ({ path: `amount.${who}`, value: getPath(body, `amount.${who}`) }))
  const bad = parts.flatMap(({ path, value }) => amountProblem(path, value))
  if (bad.length > 0) return bad
  const [amountTenant, amountLandlord] = parts.map(({ value }) => value)
  const conflict = together.split({ amountTenant, amountLandlord, expectedTotal })
  if (!conflict) return []
  const { key, sum, expected = 0 } = conflict
  return [{ path: 'amount', key, params: { sum: amountParam(sum), expected: amountParam(expected) } }]
}

function amountProblem(path: string, value: unknown): ProblemKey[] {
  if (isEmpty(value)) return [{ path, key: 'missing' }]
  const good = typeof value === 'number' && Number.isFinite(value) && value >= 0 && hasCents(value)
  return good ? [] : [{ path, key: 'amount' }]
}

/** Returns the keys of warnings about a request that is sent anyway. */
export function warningsFor(body: PlainObject): string[] {
  return [
    ...(body.category === 'TENANT' && body.amount !== undefined ? ['amountIgnored'] : []),
    ...(isWrongKid(body) ? ['kid'] : []),
  ]
}

/** Whether an amount has at most two decimals. A computed amount may have more, such as 0.1 + 0.2. */
const hasCents = (value: number) => /^\d+(\.\d{1,2})?$/.test(String(value))

const kidPath = 'transactionInfo.landlord.kid'

/** Whether a SPLIT has a wrong payment reference. With TENANT, the landlord gets nothing and needs no reference. */
function isWrongKid(body: PlainObject): boolean {
  const kid = getPath(body, kidPath)
  return body.category === 'SPLIT' && !isEmpty(kid) && !isKid(String(kid))
}

/** The part of the deposit that a split leaves over; undefined if nothing is left, or if the amount is unknown. */
export function restOf(deposit: unknown, body: PlainObject): { amount: number; total: number } | undefined {
  const total = depositAmount(deposit)
  const parts = ['tenant', 'landlord'].map((who) => toCents(getPath(body, `amount.${who}`)))
  const rest = toCents(total) - parts.reduce((sum, one) => sum + one, 0)
  return total !== undefined && rest > 0 ? { amount: rest / 100, total } : undefined
}

/** Returns a problem if the deposit's amount differs from the expected one or is unknown. */
export function totalProblems(deposit: unknown, expected: number): ProblemKey[] {
  const total = depositAmount(deposit)
  if (total === undefined) return [{ path: 'expectedTotal', key: 'totalUnknown' }]
  if (toCents(total) === toCents(expected)) return []
  return [
    {
      path: 'expectedTotal',
      key: 'otherTotal',
      params: { total: amountParam(total), expected: amountParam(expected) },
    },
  ]
}
