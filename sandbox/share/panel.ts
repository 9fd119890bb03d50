/**
 * The control room's panel of shares: the uploaded files, and for each recipient a link to the page and the possible
 * actions.
 */
import { historyOf } from '../admin/history'
import type { Panel, View } from '../admin/panel-type'
import { statePill } from '../admin/states'
import { factsOf, idOf, thingList, type Thing } from '../admin/thing'
import { escape } from '../pages/html'
import { actionButton, newTab, timeOf } from '../pages/parts'
import { textIn } from '../server/json'
import { nameOf, pageUrl, shareRecord } from './record'
import { isOver, type Recipient, type Share } from './state'

export const sharePanel: Panel = {
  id: 'shares',
  title: (texts) => texts.shares,
  render: (view) => thingList(view.world.share.shares.values(), view, view.texts.noShares, shareThing),
  state: (world) => [...world.share.shares.values()].map((share) => shareRecord(share, world)),
}

function shareThing(share: Share, view: View): Thing {
  const { id, information, recipients } = share
  const people = recipients.map((one) => showRecipient(one, share, view)).join('')
  return {
    key: `share-${id}`,
    title: textIn(information.title),
    state: stateOf(share),
    created: share.created,
    notes: [nextOf(share, view)],
    below: `<ul class="people">${people}</ul>`,
    inside: () => `${idOf('shareId', id, view)}${known(share, view)}${removeButton(share, view)}${historyOf(id, view)}`,
  }
}

function stateOf({ deleted, expired, announced, recipients }: Share): string {
  if (deleted) return 'deleted'
  if (expired) return 'expired'
  if (!announced) return 'waiting for files'
  return recipients.every(hasAll) ? 'downloaded by all' : 'sent'
}

/** Who still has to download, or how many files are missing. */
function nextOf(share: Share, { world, texts }: View): string {
  if (isOver(share)) return ''
  if (!share.announced) return texts.filesMissing(share.content.filter(({ file }) => !file).length)
  const waiting = share.recipients.filter((one) =>
    ['unread', 'partly'].includes(recipientState(one, world.clock.now())),
  )
  return waiting.length > 0 ? texts.next(waiting.map(nameOf)) : ''
}

function recipientState(recipient: Recipient, now: number): string {
  if (hasAll(recipient)) return 'downloaded'
  if (recipient.expires <= now) return 'access ended'
  return recipient.opened.size > 0 ? 'partly' : 'unread'
}

function hasAll({ content, opened }: Recipient): boolean {
  return content.every(({ id }) => opened.has(id))
}

function showRecipient(recipient: Recipient, share: Share, { world, language, texts }: View): string {
  const { id, opened, content } = recipient
  const name = nameOf(recipient)
  const who = share.announced ? newTab(pageUrl(recipient, world), name) : escape(name)
  const pill = share.announced ? ` ${statePill(recipientState(recipient, world.clock.now()), language)}` : ''
  const count = ` <span class="quiet">${escape(texts.opened(opened.size, content.length))}</span>`
  const button = (action: string, label: string, question?: string) =>
    ` ${actionButton({
      action: `/sandbox/shares/${share.id}/${action}`,
      label,
      name: `${label}: ${name}`,
      values: { recipientId: id },
      ...(question !== undefined && { question }),
    })}`
  const again = share.announced ? button('notify', texts.sendAgain) : ''
  const remove = share.recipients.length > 1 ? button('remove', texts.remove, texts.removeConfirm(name)) : ''
  return `<li data-key="recipient-${escape(id)}">${who}${pill}${count}${isOver(share) ? '' : again + remove}</li>`
}

function known({ created, information, content, recipients }: Share, { texts }: View): string {
  const files = content.map(({ name, file }) => {
    return `${escape(name)} <span class="quiet">${escape(file ? texts.bytes(file.size) : texts.missing)}</span>`
  })
  const ends = recipients.map((one) => `${escape(nameOf(one))} ${timeOf(new Date(one.expires).toISOString())}`)
  return factsOf([
    [texts.created, timeOf(created)],
    [texts.description, escape(information.description)],
    [texts.files, files.join('<br>')],
    [texts.accessUntil, ends.join('<br>')],
  ])
}

function removeButton(share: Share, { texts }: View): string {
  if (isOver(share)) return ''
  const action = `/sandbox/shares/${share.id}/delete`
  return actionButton({ action, label: texts.deleteShare, question: texts.deleteShareConfirm })
}
