/** A deposit in the service's format. */
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import type { Deposit, Tenant } from './state'

export function depositRecord(deposit: Deposit, world: World): Record<string, unknown> {
  const { id, documentId, externalId, created, requested, status, funds, lastPaymentCheck, tags } = deposit
  return {
    id,
    documentId,
    externalId: externalId || undefined,
    created,
    tenants: deposit.tenants.map((tenant) => tenantRecord(tenant, world)),
    ...requested,
    ...(deposit.landlord && {
      landlord: { ...objectIn(requested.landlord), signUrl: signingUrl(deposit.landlord.token, world) },
    }),
    status: { depositStatus: status, funds, lastPaymentCheck },
    advanced: { tags },
  }
}

function tenantRecord(tenant: Tenant, world: World): Record<string, unknown> {
  const { id, requested, bankAccountNumber } = tenant
  return {
    ...requested,
    id,
    url: signingUrl(tenant.token, world),
    bankAccountNumber,
    loanApplication: { status: 'unknown' },
  }
}

/** The address at which a tenant signs. */
export function signingUrl(token: string, world: World): string {
  return `${world.url}/deposit/sign/${token}`
}

export function tenantName({ requested }: Pick<Tenant, 'requested'>): string {
  const { firstName, lastName } = objectIn(requested.info)
  return [firstName, lastName].map(textIn).filter(Boolean).join(' ')
}
