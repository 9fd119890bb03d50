/** The page on which a tenant signs: the agreement on the account, or how it is shared out. */
import { escape, notice, page } from '../pages/html'
import type { Answer } from '../server/call'
import { objectIn, textIn } from '../server/json'
import type { SigningPage } from './state'

const style = `
main { max-width: 36rem; margin: 2rem auto; padding: 0 1rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .35rem 1.25rem; margin: 0 0 1.25rem; } dt { color: var(--quiet); } dd { margin: 0; font-variant-numeric: tabular-nums; }
`

const words = {
  en: {
    contract: 'Agreement on a deposit account',
    split: 'How the deposit is shared out',
    tenant: 'Tenant',
    landlord: 'Landlord',
    amount: 'Deposit',
    toTenant: 'To you',
    toLandlord: 'To the landlord',
    reason: 'Reason',
    sign: 'Sign',
    signed: 'You have signed.',
    replaced: 'This document is no longer valid. A newer one may have been sent to you.',
  },
  no: {
    contract: 'Avtale om depositumskonto',
    split: 'Fordeling av depositumet',
    tenant: 'Leietaker',
    landlord: 'Utleier',
    amount: 'Depositum',
    toTenant: 'Til deg',
    toLandlord: 'Til utleier',
    reason: 'Årsak',
    sign: 'Signer',
    signed: 'Du har signert.',
    replaced: 'Dette dokumentet er ikke lenger gyldig. Et nyere kan være sendt til deg.',
  },
}

type Words = (typeof words)['en']

/** The document with a button; or, instead of it, that it is signed or no longer valid. */
export function signingPage(shown: SigningPage, state: 'open' | 'signed' | 'replaced'): Answer {
  const language = /^(no|nb|nn)$/i.test(textIn(objectIn(shown.tenant.requested.ui).language)) ? 'no' : 'en'
  const texts = words[language]
  const title = shown.split ? texts.split : texts.contract
  const button = `<form method="post"><button>${texts.sign}</button></form>`
  const below = state === 'open' ? button : `<p role="status">${texts[state]}</p>`
  const body = `${notice(language)}<main><div class="card"><h1>${title}</h1>${facts(shown, texts)}${below}</div></main>`
  return page({ title, lang: language === 'no' ? 'nb' : 'en', body, style })
}

function facts({ deposit, tenant, split }: SigningPage, texts: Words): string {
  const { firstName, lastName } = objectIn(tenant.requested.info)
  const entries = [
    [texts.tenant, `${textIn(firstName)} ${textIn(lastName)}`],
    [texts.landlord, textIn(objectIn(deposit.requested.landlord).name)],
    [texts.amount, deposit.amount],
    ...(split ? splitFacts(split, texts) : []),
  ]
  return `<dl>${entries.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`).join('')}</dl>`
}

function splitFacts({ amounts, description }: NonNullable<SigningPage['split']>, texts: Words): [string, unknown][] {
  const reason: [string, unknown][] = description ? [[texts.reason, description]] : []
  return [[texts.toTenant, amounts.tenant], [texts.toLandlord, amounts.landlord], ...reason]
}
