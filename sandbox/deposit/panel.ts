/** The control room's panel of deposits: their state and funds, links to sign, and a button that pays in. */
import type { Panel } from '../admin/panel-type'
import { escape } from '../pages/html'
import { latest, newTab, panelTable, pill } from '../pages/table'
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import { depositRecord, signingUrl } from './record'
import type { Deposit } from './state'

export const depositPanel: Panel = {
  id: 'deposits',
  title: 'Deposits',
  render: (world) => {
    const rows = latest(world.deposit.deposits.values()).map((deposit) => row(deposit, world))
    return panelTable(['Deposit', 'State', 'Funds', 'To sign'], rows, 'No deposits yet.')
  },
  state: (world) => [...world.deposit.deposits.values()].map((deposit) => depositRecord(deposit, world)),
}

function row(deposit: Deposit, world: World): string[] {
  const { id, status, funds, amount, payouts } = deposit
  const paid = payouts.map(({ to, amount }) => `<br><span class="quiet">${amount} to the ${to}</span>`).join('')
  return [
    `<code>${escape(id)}</code>`,
    `${pill(status)}${paid}`,
    `${funds} of ${amount}${fundForm(deposit)}`,
    links(deposit, world),
  ]
}

function fundForm({ id, status }: Deposit): string {
  if (['PAID', 'TERMINATED', 'CANCELED'].includes(status)) return ''
  return `<form data-json method="post" action="/sandbox/fund-deposit"><input type="hidden" name="id" value="${escape(id)}">
<button class="plain small" aria-label="Fund ${escape(id)}">Fund</button></form>`
}

function links({ tenants, split }: Deposit, world: World): string {
  const contracts = tenants.filter(({ signed }) => !signed).map((one) => [one.token, one] as const)
  const open = [...contracts, ...(split?.unsigned ?? [])]
  const label = (requested: object) => `Sign as ${textIn(objectIn(objectIn(requested).info).firstName) || 'tenant'}`
  return open.map(([token, tenant]) => newTab(signingUrl(token, world), label(tenant.requested))).join('<br>')
}
