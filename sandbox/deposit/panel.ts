/** The control room's panel of deposits: the tenants, what each deposit waits for, and buttons to pay in and sign. */
import { historyOf } from '../admin/history'
import type { Panel, View } from '../admin/panel-type'
import type { RoomTexts } from '../admin/texts'
import { factsOf, idOf, thingList, type Thing } from '../admin/thing'
import { escape } from '../pages/html'
import { actionButton, newTab, timeOf } from '../pages/parts'
import { objectIn, textIn } from '../server/json'
import { signersOf } from './fund'
import { depositRecord, signingUrl, tenantName } from './record'
import { isEnded, restOf } from './release'
import type { Deposit, Tenant } from './state'

export const depositPanel: Panel = {
  id: 'deposits',
  title: (texts) => texts.deposits,
  render: (view) => thingList(view.world.deposit.deposits.values(), view, view.texts.noDeposits, depositThing),
  state: (world) => [...world.deposit.deposits.values()].map((deposit) => depositRecord(deposit, world)),
}

function depositThing(deposit: Deposit, view: View): Thing {
  const { id, externalId, tenants, status, funds, amount } = deposit
  const { texts } = view
  const people = unsigned(deposit).map(([token, tenant]) => showTenant(token, tenant, view))
  const actions = isEnded(deposit) ? '' : actionsOf(deposit, texts)
  return {
    key: `deposit-${id}`,
    title: tenants.map(tenantName).join(', '),
    state: status,
    created: deposit.created,
    notes: [nextOf(deposit, texts), isEnded(deposit) ? '' : texts.fundsOf(funds, amount), externalId],
    below: `<ul class="people">${people.join('')}</ul>${actions && `<div class="row">${actions}</div>`}`,
    inside: () => `${idOf('depositId', id, view)}${known(deposit, texts)}${historyOf(id, view)}`,
  }
}

/** Who has to sign, or how much has to be paid in. */
function nextOf(deposit: Deposit, texts: RoomTexts): string {
  if (isEnded(deposit)) return ''
  const names = unsigned(deposit).map(([, tenant]) => tenantName(tenant))
  if (names.length > 0) return texts.next(names)
  return deposit.status === 'PAID' ? '' : texts.toPayIn(missingFrom(deposit))
}

/** The people who still have to sign, each with the token in the address of their signing page. */
function unsigned(deposit: Deposit): (readonly [string, Tenant])[] {
  const contracts = signersOf(deposit)
    .filter(({ signed }) => !signed)
    .map((one) => [one.token, one] as const)
  return [...contracts, ...(deposit.split?.unsigned ?? [])]
}

function showTenant(token: string, tenant: Tenant, { world, texts }: View): string {
  const name = tenantName(tenant)
  const sign = actionButton({ action: `/sandbox/deposits/${token}/sign`, label: texts.signAs(name) })
  return `<li data-key="tenant-${escape(token)}">${newTab(signingUrl(token, world), name)} ${sign}</li>`
}

function actionsOf(deposit: Deposit, texts: RoomTexts): string {
  const { id, status } = deposit
  if (status === 'PAID') return ''
  const action = '/sandbox/fund-deposit'
  const field = `amount-${escape(id)}`
  const amount = `<label class="visually-hidden" for="${field}">${escape(texts.amountFor(id))}</label><input id="${field}" name="amount" type="number" min="0.01" step="0.01" placeholder="${escape(texts.amount)}" required> `
  const question = texts.cancelDepositConfirm
  return [
    actionButton({ action, label: texts.fund, name: `${texts.fund}: ${id}`, values: { id } }),
    actionButton({ action, label: texts.fundPart, name: `${texts.fundPart}: ${id}`, values: { id }, fields: amount }),
    actionButton({
      action: `/sandbox/deposits/${id}/cancel`,
      label: texts.cancel,
      name: `${texts.cancel}: ${id}`,
      question,
    }),
  ].join(' ')
}

function known(deposit: Deposit, texts: RoomTexts): string {
  const { created, externalId, requested, amount, funds, split, payouts } = deposit
  const { address, address2, postalCode, city } = objectIn(requested.rentObject)
  const paid = payouts.map((one) =>
    escape(`${one.amount} ${texts.paidTo[one.to]} ${one.kid} ${one.description}`.trim()),
  )
  const parts = split && texts.splitInto(split.amounts.tenant, split.amounts.landlord, restOf(deposit, split))
  return factsOf([
    [texts.created, timeOf(created)],
    ['externalId', escape(externalId)],
    [texts.landlord, escape(objectIn(requested.landlord).name)],
    [texts.address, escape([address, address2, postalCode, city].map(textIn).filter(Boolean).join(', '))],
    [texts.funds, escape(texts.fundsOf(funds, amount))],
    [texts.split, escape(parts)],
    [texts.paidOut, paid.join('<br>')],
  ])
}

function missingFrom({ amount, funds }: Deposit): number {
  return Math.round((amount - funds) * 100) / 100
}
