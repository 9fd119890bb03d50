/** The deposits that every sandbox starts with: two not fully funded, two fully funded. */
import { randomUUID } from 'node:crypto'
import type { Deposit, DepositStatus } from './state'

const AMOUNT = 27_000

export function seedDeposits(): Deposit[] {
  return [
    seed('deposit-unfunded-1', 'SIGNED', 0),
    seed('deposit-unfunded-2', 'PAID_PARTIAL', 12_000),
    seed('deposit-funded-1', 'PAID', AMOUNT),
    seed('deposit-funded-2', 'PAID', AMOUNT),
  ]
}

function seed(id: string, status: DepositStatus, funds: number): Deposit {
  const created = new Date().toISOString()
  return {
    id,
    documentId: randomUUID(),
    externalId: `lease-${id}`,
    created,
    tenants: [tenant()],
    landlord: undefined,
    requested: {
      landlord: { name: 'Kari Nordmann', ssn: '00000000000', nationality: 'NO' },
      contract: { depositAmount: AMOUNT },
      rentObject: { address: 'Storgata 1', postalCode: '0001', city: 'Oslo', country: 'NO' },
      contactDetails: { email: 'kari.nordmann@example.com' },
    },
    amount: AMOUNT,
    tags: [],
    status,
    funds,
    lastPaymentCheck: created,
    split: undefined,
    payouts: [],
  }
}

function tenant() {
  const info = {
    firstName: 'Ola',
    lastName: 'Nordmann',
    mobile: '+4799999999',
    email: 'ola.nordmann@example.com',
    nationality: 'NO',
  }
  const requested = { externalId: 'tenant-1', info, flow: 'redirect' }
  return { id: randomUUID(), token: randomUUID(), requested, signed: true, bankAccountNumber: '00000000000' }
}
