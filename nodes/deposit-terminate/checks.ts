/** What a release must have before it is sent (`docs/interface.md` 2.4), and whether a payment reference is right. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import type { PlainObject } from '../../lib/common/plain-object'
import { getPath } from '../../lib/runtime/values/read-text'

const blank = (value: unknown) => value === undefined || value === null || value === ''

/** Everything in `body` that can never work. `expectedTotal` is what the parts of a SPLIT must add up to. */
export function problemsOf(body: PlainObject, expectedTotal: number | undefined): ProblemKey[] {
  const { category } = body
  const known = category === 'TENANT' || category === 'SPLIT'
  return [
    ...(blank(category) ? [{ path: 'category', key: 'missing' }] : []),
    ...(!blank(category) && !known ? [{ path: 'category', key: 'choice', params: { choices: 'TENANT, SPLIT' } }] : []),
    ...(blank(body.username) ? [{ path: 'username', key: 'missing' }] : []),
    ...(category === 'SPLIT' ? splitProblems(body, expectedTotal) : []),
  ]
}

function splitProblems(body: PlainObject, expectedTotal: number | undefined): ProblemKey[] {
  const parts = ['tenant', 'landlord'].map((who) => ({ path: `amount.${who}`, value: getPath(body, `amount.${who}`) }))
  const bad = parts.flatMap(({ path, value }) => amountProblem(path, value))
  if (bad.length > 0) return bad
  const cents = parts.map(({ value }) => toCents(value))
  const sum = cents.reduce((total, one) => total + one, 0)
  if (sum === 0) return [{ path: 'amount', key: 'nothing' }]
  if (expectedTotal === undefined || sum === toCents(expectedTotal)) return []
  return [{ path: 'amount', key: 'total', params: { sum: sum / 100, expected: expectedTotal } }]
}

function amountProblem(path: string, value: unknown): ProblemKey[] {
  if (blank(value)) return [{ path, key: 'missing' }]
  const good = typeof value === 'number' && Number.isFinite(value) && value >= 0 && hasCents(value)
  return good ? [] : [{ path, key: 'amount' }]
}

/** The keys of warnings about a request that goes all the same. */
export function warningsFor(body: PlainObject): string[] {
  const kid = getPath(body, 'transactionInfo.landlord.kid')
  return [
    ...(body.category === 'TENANT' && body.amount !== undefined ? ['amountIgnored'] : []),
    ...(blank(kid) || isKid(String(kid)) ? [] : ['kid']),
  ]
}

/** At most two decimals, as people write them: 0.1 + 0.2 is not such a number. */
const hasCents = (value: number) => /^\d+(\.\d{1,2})?$/.test(String(value))

/** Whole hundredths, so that sums compare exactly. */
const toCents = (value: unknown) => Math.round(Number(value) * 100)

/** True when the last digit of the payment reference is its check digit by mod 10 or mod 11 (`-` stands for 10). */
export function isKid(kid: string): boolean {
  if (!/^\d{1,24}[\d-]$/.test(kid)) return false
  const digits = [...kid.slice(0, -1)].map(Number).reverse()
  return kid.endsWith(mod10(digits)) || kid.endsWith(mod11(digits))
}

/** `digits` from the right. Every second one counts double, and a two-digit result its digit sum. */
function mod10(digits: number[]): string {
  const sum = digits.reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? digit * 2 : digit
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}

/** `digits` from the right, with the weights 2 to 7 over and over. */
function mod11(digits: number[]): string {
  const sum = digits.reduce((total, digit, index) => total + digit * ((index % 6) + 2), 0)
  const check = (11 - (sum % 11)) % 11
  return check === 10 ? '-' : String(check)
}
