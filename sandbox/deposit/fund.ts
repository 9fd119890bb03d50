/** Pays money into a deposit, and collects the signatures that open its account. */
import { invalid, notFound } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { textIn } from '../server/json'
import type { World } from '../world'
import { depositRecord } from './record'
import { refuseEnded } from './release'
import type { Deposit, Tenant } from './state'

/**
 * `POST /sandbox/fund-deposit` {id, amount?}: pays in `amount`, or the missing amount. If the agreement is not signed
 * yet, the tenants' signatures are added. Returns the record.
 */
export function fundDeposit(call: Call, world: World): Answer {
  const { id, amount } = call.json()
  const deposit = world.deposit.deposits.get(textIn(id))
  if (!deposit) throw notFound('deposit')
  refuseEnded(deposit)
  const missing = deposit.amount - deposit.funds
  const paid = amount === undefined || amount === '' ? missing : Number(amount)
  if (!(paid >= 0 && Number.isFinite(paid))) throw invalid([{ field: 'amount', message: 'amount must be from 0.' }])
  for (const tenant of signersOf(deposit)) signContract(world, deposit, tenant)
  if (paid > 0) payIn(world, deposit, paid)
  return { json: depositRecord(deposit, world) }
}

/** Everyone who signs the agreement: the tenants, and the landlord if requested. */
export function signersOf({ tenants, landlord }: Deposit): readonly Tenant[] {
  return landlord ? [...tenants, landlord] : tenants
}

/** A tenant signs the agreement; the last signature opens the account. Signing twice changes nothing. */
export function signContract(world: World, deposit: Deposit, tenant: Tenant): void {
  tenant.signed = true
  if (deposit.status !== 'CREATED' || signersOf(deposit).some(({ signed }) => !signed)) return
  deposit.status = 'SIGNED'
  for (const one of deposit.tenants) {
    one.bankAccountNumber = '00000000000'
    const payload = { depositId: deposit.id, externalId: deposit.externalId, tenantId: one.id }
    world.emit('deposit_bank_account_created', payload, deposit.tags)
  }
}

function payIn(world: World, deposit: Deposit, paid: number): void {
  deposit.funds = Math.round((deposit.funds + paid) * 100) / 100
  deposit.lastPaymentCheck = world.clock.iso()
  const full = deposit.funds >= deposit.amount
  deposit.status = full ? 'PAID' : 'PAID_PARTIAL'
  const payload = { depositId: deposit.id, externalId: deposit.externalId, funds: deposit.funds }
  world.emit(full ? 'deposit_fully_funded' : 'deposit_partially_funded', payload, deposit.tags)
}
