/** The sandbox's data about deposits. */
import type { JsonObject } from '../server/json'
import { BoundedMap } from '../state/bounded'

/** `CANCELED` is the sandbox's own choice: the service's name for it is not documented. */
export type DepositStatus = 'CREATED' | 'SIGNED' | 'PAID_PARTIAL' | 'PAID' | 'TERMINATED' | 'CANCELED'

export interface Tenant {
  readonly id: string
  /** Identifies this tenant's signing page: the last part of the page's address. */
  readonly token: string
  readonly requested: JsonObject
  signed: boolean
  bankAccountNumber: string | undefined
}

/** How much each side gets when a deposit is paid out, in the currency of the account. */
export interface Amounts {
  readonly tenant: number
  readonly landlord: number
}

/** A split awaiting the tenants' signatures. */
export interface Split {
  readonly documentId: string
  readonly amounts: Amounts
  readonly username: string
  readonly kid: string
  readonly description: string
  /** The tenants who have not signed yet, by the token in the address of their signing page. */
  readonly unsigned: Map<string, Tenant>
}

export interface Payout {
  readonly to: 'tenant' | 'landlord'
  readonly amount: number
  readonly kid: string
  readonly description: string
}

export interface Deposit {
  readonly id: string
  readonly documentId: string
  readonly externalId: string
  readonly created: string
  readonly tenants: readonly Tenant[]
  /** The person who signs for the landlord, if the landlord signs too; has the type of a tenant, but pays nothing. */
  readonly landlord: Tenant | undefined
  /** The rest of the request, returned as it was. */
  requested: JsonObject
  /** The amount to be paid in. */
  readonly amount: number
  readonly tags: readonly string[]
  status: DepositStatus
  funds: number
  lastPaymentCheck: string | undefined
  split: Split | undefined
  payouts: readonly Payout[]
}

/** A page on which a tenant signs: a split if `split` is set, otherwise the contract. */
export interface SigningPage {
  readonly deposit: Deposit
  readonly tenant: Tenant
  readonly split: Split | undefined
}

export interface DepositState {
  readonly deposits: BoundedMap<Deposit>
  readonly pages: BoundedMap<SigningPage>
}

const MAX_DEPOSITS = 10_000
const MAX_PAGES = 20_000

/** Creates the state, which contains these deposits. */
export function createDepositState(deposits: readonly Deposit[]): DepositState {
  const state = { deposits: new BoundedMap<Deposit>(MAX_DEPOSITS), pages: new BoundedMap<SigningPage>(MAX_PAGES) }
  for (const deposit of deposits) state.deposits.set(deposit.id, deposit)
  return state
}
