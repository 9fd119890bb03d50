/** The texts of the tenant's page, in the service's languages. */
import type { PageLanguage } from '../pages/languages'

const english = {
  contract: 'Agreement on a deposit account',
  split: 'How the deposit is split',
  tenant: 'Tenant',
  landlord: 'Landlord',
  amount: 'Deposit',
  toTenant: 'To you',
  toLandlord: 'To the landlord',
  rest: 'Stays in the account',
  reason: 'Reason',
  sign: 'Sign',
  signed: 'You have signed.',
  replaced: 'This document is no longer valid. A newer one may have been sent to you.',
}

export type DepositTexts = Readonly<typeof english>

export const depositTexts: Readonly<Record<PageLanguage, DepositTexts>> = {
  en: english,
  no: {
    contract: 'Avtale om depositumskonto',
    split: 'Fordeling av depositumet',
    tenant: 'Leietaker',
    landlord: 'Utleier',
    amount: 'Depositum',
    toTenant: 'Til deg',
    toLandlord: 'Til utleier',
    rest: 'Blir stående på kontoen',
    reason: 'Årsak',
    sign: 'Signer',
    signed: 'Du har signert.',
    replaced: 'Dette dokumentet er ikke lenger gyldig. Du kan ha fått et nyere.',
  },
}
