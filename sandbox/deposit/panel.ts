/** The control room's panel of deposits: their state and funds, links to sign, and a button that pays in. */
import type { Panel } from '../admin/panel-type'
import { statePill } from '../admin/states'
import { textsOf, type Language, type RoomTexts } from '../admin/texts'
import { escape } from '../pages/html'
import { copyButton, latest, newTab, panelTable } from '../pages/table'
import { objectIn, textIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { depositRecord, signingUrl } from './record'
import type { Deposit } from './state'

export const depositPanel: Panel = {
  id: 'deposits',
  title: (texts) => texts.deposits,
  render: (world, language) => {
    const texts = textsOf(language)
    const rows = latest(world.deposit.deposits.values()).map((deposit) => row(deposit, world, language))
    return panelTable([texts.deposit, texts.state, texts.funds, texts.toSign], rows, texts.noDeposits)
  },
  state: (world) => [...world.deposit.deposits.values()].map((deposit) => depositRecord(deposit, world)),
}

function row(deposit: Deposit, world: World, language: Language): string[] {
  const texts = textsOf(language)
  const { id, status, funds, amount, payouts } = deposit
  const paid = payouts
    .map(({ to, amount }) => `<br><span class="quiet">${amount} ${escape(texts.paidTo[to])}</span>`)
    .join('')
  const tenants = deposit.tenants.map(({ requested }) => `<br>${escape(tenantName(requested))}`).join('')
  return [
    `<code>${escape(id)}</code> ${copyButton(id, texts)}${tenants}`,
    `${statePill(status, language)}${paid}`,
    `${escape(texts.fundsOf(funds, amount))}${fundForm(deposit, texts)}`,
    links(deposit, world, texts),
  ]
}

function fundForm({ id, status }: Deposit, texts: RoomTexts): string {
  if (['PAID', 'TERMINATED', 'CANCELED'].includes(status)) return ''
  const label = escape(texts.fund)
  return `<form data-json method="post" action="/sandbox/fund-deposit"><input type="hidden" name="id" value="${escape(id)}">
<button class="plain small" aria-label="${label} ${escape(id)}">${label}</button></form>`
}

function links({ tenants, split }: Deposit, world: World, texts: RoomTexts): string {
  const contracts = tenants.filter(({ signed }) => !signed).map((one) => [one.token, one] as const)
  const open = [...contracts, ...(split?.unsigned ?? [])]
  return open
    .map(([token, { requested }]) => newTab(signingUrl(token, world), texts.signAs(tenantName(requested))))
    .join('<br>')
}

function tenantName({ info }: JsonObject): string {
  const { firstName, lastName } = objectIn(info)
  return [firstName, lastName].map(textIn).filter(Boolean).join(' ')
}
