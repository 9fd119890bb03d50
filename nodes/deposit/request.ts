/** Builds a new deposit, or a change of a deposit, from the form. */
import type { Values } from '../../lib/settings/fields'
import { compact, layForm } from '../../lib/runtime/values/body'
import type { PlainObject } from '../../lib/common/plain-object'
import { splitList } from '../../lib/common/split-list'
import { toItems } from '../../lib/runtime/values/list-items'
import type { fields } from './deposit.fields'
import type { DepositCall } from './deposit-call'

type TenantRow = Values<(typeof fields)['tenants']['rows']>

/** Builds a new deposit; `rentContractPDF` is the contract in base64. */
export function toDeposit({ values, body }: DepositCall, rentContractPDF: string | undefined): PlainObject {
  const form = {
    externalId: values.externalId,
    contract: {
      dataToSign: { rentContractPDF },
      depositAmount: values.depositAmount,
      monthlyRent: values.monthlyRent,
      depositFactor: values.depositFactor,
      paymentDeadline: values.paymentDeadline,
      from: values.from,
      to: values.to,
    },
    tenants: toItems(values.tenants, toTenant),
    landlord: { name: values.landlordName, ...toLandlord(values) },
    rentObject: {
      address: values.homeAddress,
      address2: values.homeAddress2,
      postalCode: values.homePostalCode,
      city: values.homeCity,
      country: values.homeCountry,
    },
    contactDetails: { email: values.contactEmail },
    advanced: { tags: splitList(values.tags) },
  }
  return layForm(body({}), values.more, form)
}

/** Builds a change from the filled-in fields only: fields that are absent stay unchanged at the service. */
export function toChange({ values, body }: DepositCall): PlainObject {
  return layForm(body({}), values.more, { landlord: toLandlord(values) })
}

function toTenant(row: TenantRow): PlainObject {
  return compact({
    externalId: row.externalId,
    aml: row.aml,
    info: {
      firstName: row.firstName,
      lastName: row.lastName,
      mobile: row.mobile,
      email: row.email,
      nationality: row.nationality,
      address: { street: row.street, postalCode: row.postalCode, city: row.city, country: row.country },
    },
    ui: { language: row.language },
    flow: row.flow,
    redirectSettings: { success: row.successUrl, cancel: row.cancelUrl, error: row.errorUrl },
  })
}

function toLandlord(values: Values<typeof fields>): PlainObject {
  return {
    organizationNumber: values.organizationNumber,
    ssn: values.landlordSsn,
    address: {
      street: values.landlordStreet,
      postalCode: values.landlordPostalCode,
      city: values.landlordCity,
      country: values.landlordCountry,
    },
    representativeSignature: values.representativeSignature,
  }
}
