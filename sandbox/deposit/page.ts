/** The page on which a tenant signs the agreement on the account, or a split of the deposit. */
import { escape, notice, page } from '../pages/html'
import { chooseLanguage, langOf } from '../pages/languages'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn } from '../server/json'
import { tenantName } from './record'
import { restOf } from './release'
import type { SigningPage } from './state'
import { depositTexts, type DepositTexts } from './texts'

const style = `
main { max-width: 36rem; margin: 2rem auto; padding: 0 1rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .35rem 1.25rem; margin: 0 0 1.25rem; } dt { color: var(--quiet); } dd { margin: 0; font-variant-numeric: tabular-nums; }
`

/** The page with the document and a button to sign, or with a notice that the document is signed or no longer valid. */
export function signingPage(shown: SigningPage, state: 'open' | 'signed' | 'replaced', { headers }: Call): Answer {
  const language = chooseLanguage(headers, textIn(objectIn(shown.tenant.requested.ui).language))
  const texts = depositTexts[language]
  const title = shown.split ? texts.split : texts.contract
  const button = `<form method="post"><button>${texts.sign}</button></form>`
  const below = state === 'open' ? button : `<p role="status">${texts[state]}</p>`
  const body = `${notice(language)}<main><div class="card"><h1>${title}</h1>${facts(shown, texts)}${below}</div></main>`
  return page({ title, lang: langOf(language), body, style })
}

function facts({ deposit, tenant, split }: SigningPage, texts: DepositTexts): string {
  const entries = [
    [texts.tenant, tenantName(tenant)],
    [texts.landlord, textIn(objectIn(deposit.requested.landlord).name)],
    [texts.amount, deposit.amount],
    ...(split ? splitFacts(split, texts, restOf(deposit, split)) : []),
  ]
  return `<dl>${entries.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`).join('')}</dl>`
}

function splitFacts(
  { amounts, description }: NonNullable<SigningPage['split']>,
  texts: DepositTexts,
  rest: number,
): [string, unknown][] {
  const reason: [string, unknown][] = description ? [[texts.reason, description]] : []
  const left: [string, unknown][] = rest > 0 ? [[texts.rest, rest]] : []
  return [[texts.toTenant, amounts.tenant], [texts.toLandlord, amounts.landlord], ...left, ...reason]
}
