/**
 * Ends deposits: a deposit can be canceled while it is not fully funded, and terminated once it is (`docs/interface.md`
 * 2.4, 3.2, 4.3, 4.4).
 */
import { randomUUID } from 'node:crypto'
import { invalid, notAllowed, notFound, httpError, type FieldError } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { tellTenant } from './notices'
import type { Amounts, Deposit, Payout, Split } from './state'

/** The deposit in the path; throws an HttpError (404). */
export function findDeposit(call: Call, world: World): Deposit {
  const deposit = world.deposit.deposits.get(call.param('id'))
  if (!deposit) throw notFound('deposit')
  return deposit
}

/**
 * `POST /deposit/personal/{id}/cancel`: locked funds go back to the tenant. Refused (422) if the deposit is fully
 * funded or has ended.
 */
export function cancelDeposit(call: Call, world: World): Answer {
  const deposit = findDeposit(call, world)
  refuseEnded(deposit)
  if (deposit.status === 'PAID') {
    throw notAllowed('The deposit is fully funded and can only be terminated.', 'DEPOSIT_FULLY_FUNDED')
  }
  pay(world, deposit, { tenant: deposit.funds, landlord: 0 })
  deposit.status = 'CANCELED'
  return {}
}

/**
 * `POST /deposit/personal/{id}/terminate`: with the category TENANT, pays out at once; with the category SPLIT, pays
 * out when every tenant has signed.
 */
export function terminateDeposit(call: Call, world: World): Answer {
  const deposit = findDeposit(call, world)
  const body = call.json()
  const errors = problemsOf(body)
  if (errors.length > 0) throw invalid(errors)
  refuseEnded(deposit)
  if (deposit.status !== 'PAID') {
    throw notAllowed('The deposit is not fully funded and can only be canceled.', 'DEPOSIT_NOT_FULLY_FUNDED')
  }
  if (body.category === 'TENANT') {
    pay(world, deposit, { tenant: deposit.funds, landlord: 0 })
    tellTerminated(world, deposit)
  } else askToSplit(world, deposit, body)
  return {}
}

/** Pays out the amounts of a split that every tenant has signed. The rest of the money stays on the account. */
export function paySplit(world: World, deposit: Deposit, split: Split): void {
  pay(world, deposit, split.amounts, split)
  tellTerminated(world, deposit)
}

/** The amount that remains on the account after a split. */
export function restOf({ funds }: Deposit, { amounts }: Split): number {
  return round(funds - amounts.tenant - amounts.landlord)
}

function askToSplit(world: World, deposit: Deposit, body: JsonObject): void {
  const { tenant, landlord } = objectIn(body.amount)
  const amounts = { tenant: Number(tenant), landlord: Number(landlord) }
  if (round(amounts.tenant + amounts.landlord) > deposit.funds) {
    const field = 'amount'
    throw httpError(422, 'AMOUNT_EXCEEDS_FUNDS', `Both parts together are more than the funds of ${deposit.funds}.`, [
      { field, message: `The parts may be ${deposit.funds} together.` },
    ])
  }
  const to = objectIn(objectIn(body.transactionInfo).landlord)
  const unsigned = new Map(deposit.tenants.map((one) => [randomUUID() as string, one]))
  const kid = textIn(to.kid)
  const description = textIn(to.description)
  const username = textIn(body.username)
  const split: Split = { documentId: randomUUID(), amounts, username, kid, description, unsigned }
  deposit.split = split
  for (const [token, one] of unsigned) {
    world.deposit.pages.set(token, { deposit, tenant: one, split })
    tellTenant(world, one, 'split', token)
  }
}

function pay(world: World, deposit: Deposit, amounts: Amounts, split?: Split): void {
  const toTenant: Payout = { to: 'tenant', amount: amounts.tenant, kid: '', description: '' }
  const { kid = '', description = '' } = split ?? {}
  const toLandlord: Payout = { to: 'landlord', amount: amounts.landlord, kid, description }
  deposit.payouts = [toTenant, toLandlord].filter(({ amount }) => amount > 0)
  deposit.status = 'TERMINATED'
  deposit.funds = round(deposit.funds - amounts.tenant - amounts.landlord)
  deposit.split = undefined
  for (const tenant of deposit.tenants) tellTenant(world, tenant, 'released')
}

/** Emits the event of a terminated deposit; a canceled deposit has no event. */
function tellTerminated(world: World, { id, externalId, tags }: Deposit): void {
  world.emit('deposit_terminated', { depositId: id, externalId }, tags)
}

/** Throws an HttpError (422) if the deposit has ended. */
export function refuseEnded(deposit: Deposit): void {
  if (isEnded(deposit)) throw notAllowed('The deposit has ended already.', 'DEPOSIT_ENDED')
}

/** Whether nothing can be paid in or out any more. */
export function isEnded({ status }: Deposit): boolean {
  return status === 'TERMINATED' || status === 'CANCELED'
}

function problemsOf(body: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  if (body.category !== 'TENANT' && body.category !== 'SPLIT') {
    errors.push({ field: 'category', message: 'category must be TENANT or SPLIT.' })
  }
  if (textIn(body.username) === '') errors.push({ field: 'username', message: 'The field username is required.' })
  return body.category === 'SPLIT' ? [...errors, ...amountProblems(objectIn(body.amount))] : errors
}

function amountProblems(amount: JsonObject): FieldError[] {
  const wrong = (['tenant', 'landlord'] as const).filter((part) => !isAmount(amount[part]))
  if (wrong.length > 0) {
    return wrong.map((part) => ({
      field: `amount.${part}`,
      message: `amount.${part} must be a number from 0 with at most two decimals.`,
    }))
  }
  const nothing = amount.tenant === 0 && amount.landlord === 0
  return nothing ? [{ field: 'amount', message: 'One of the parts must be more than 0.' }] : []
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && round(value) === value
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100
}
