/** Lists deposits as summaries, with filters and pages. */
import type { Answer, Call } from '../server/call'
import { objectIn, type JsonObject } from '../server/json'
import { checkDates, pageOf } from '../server/pages'
import type { World } from '../world'
import type { Deposit } from './state'

/** Days in which a deposit has to be paid in, unless the contract says otherwise. */
const PAYMENT_DAYS = 45

/**
 * `GET /deposit/personal/summary?fromDate=&status=&offset=&limit=`: oldest first; `limit` is 300 unless
 * given, at most 1000.
 */
export function listDeposits(call: Call, world: World): Answer {
  checkDates(call, ['fromDate'])
  const from = Date.parse(call.query.get('fromDate') || '1970-01-01')
  const status = (call.query.get('status') ?? '').toUpperCase()
  const found = [...world.deposit.deposits.values()].filter(
    (deposit) => Date.parse(deposit.created) >= from && (status === '' || deposit.status === status),
  )
  const page = pageOf(call, world, found, { usual: 300, max: 1000 })
  return { json: { ...page, data: page.data.map(summary) } }
}

function summary({ id, documentId, status, created, tenants, requested }: Deposit): JsonObject {
  const deadline = new Date(Date.parse(created) + PAYMENT_DAYS * 86_400_000).toISOString()
  const names = tenants.map(({ requested: { info } }) => {
    const { firstName, lastName } = objectIn(info)
    return { firstName, lastName }
  })
  return {
    id,
    documentId,
    status,
    createdDate: created,
    paymentDeadline: objectIn(requested.contract).paymentDeadline ?? deadline,
    tenants: names,
    landlord: { name: objectIn(requested.landlord).name },
  }
}
