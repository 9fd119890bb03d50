/** Validates a new deposit before it is sent: it needs a tenant, a landlord and an amount. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import type { PlainObject } from '../../lib/common/plain-object'
import { deadlineMs, deadlineProblems } from '../../lib/runtime/service/deadline'
import { getPath, isEmpty } from '../../lib/runtime/values/read-text'
import { itemsOf, required } from '../../lib/runtime/service/recipient-checks'

const longestWaitMs = 45 * 86_400_000

/** Returns all faults that are certain to make the request fail; `now` is in milliseconds since 1970. */
export function problemsOf(body: PlainObject, now: number): ProblemKey[] {
  const tenants = itemsOf(body.tenants)
  return [
    ...(tenants.length === 0 ? [{ path: 'tenants', key: 'none' }] : []),
    ...tenants.flatMap((tenant, index) =>
      ['info.firstName', 'info.lastName'].flatMap((name) => required(tenant, `tenants[${index}].`, name)),
    ),
    ...required(body, '', 'landlord.name'),
    ...amountProblems(body),
    ...paymentProblems(body, now),
  ]
}

/** Finds faults in the amount: either the amount itself is required, or the rent and the number of rents. */
function amountProblems(body: PlainObject): ProblemKey[] {
  const [amount, rent, factor] = ['depositAmount', 'monthlyRent', 'depositFactor'].map((name) => ({
    path: `contract.${name}`,
    value: getPath(body, `contract.${name}`),
  }))
  const parts = [amount, rent, factor].filter((one) => one !== undefined)
  const bad = parts.filter(({ value }) => !isEmpty(value) && !(typeof value === 'number' && value > 0))
  if (bad.length > 0) return bad.map(({ path }) => ({ path, key: 'positive' }))
  const isSaid = !isEmpty(amount?.value) || (!isEmpty(rent?.value) && !isEmpty(factor?.value))
  return isSaid ? [] : [{ path: 'contract.depositAmount', key: 'noAmount' }]
}

function paymentProblems(body: PlainObject, now: number): ProblemKey[] {
  const path = 'contract.paymentDeadline'
  const deadline = getPath(body, path)
  return isEmpty(deadline) ? [] : deadlineProblems(deadline, path, now)
}

/** Whether the time to pay is longer than the service usually allows. */
export function isLate(body: PlainObject, now: number): boolean {
  return deadlineMs(getPath(body, 'contract.paymentDeadline')) > now + longestWaitMs
}
