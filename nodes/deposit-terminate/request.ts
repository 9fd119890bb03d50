/** Builds the release described in the form (`docs/interface.md` 2.4). */
import type { Values } from '../../lib/settings/fields'
import type { PlainObject } from '../../lib/common/plain-object'
import type { fields } from './deposit-terminate.fields'

/** Builds the request. With TENANT, the tenant gets the whole amount, so the form's split is left out. */
export function toRequest({ category, username, ...values }: Values<typeof fields>): PlainObject {
  if (category === 'TENANT') return { category, username }
  return {
    category,
    username,
    amount: { tenant: values.amountTenant, landlord: values.amountLandlord },
    transactionInfo: { landlord: { kid: values.kid, description: values.landlordDescription } },
  }
}
