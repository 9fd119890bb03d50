/** The control room's panel of shares: what is in, and a link to each recipient's page. */
import type { Panel } from '../admin/panel-type'
import { statePill } from '../admin/states'
import { textsOf, type Language, type RoomTexts } from '../admin/texts'
import { escape } from '../pages/html'
import { copyButton, latest, newTab, panelTable } from '../pages/table'
import type { World } from '../world'
import { pageUrl, shareRecord } from './record'
import type { Recipient, Share } from './state'

export const sharePanel: Panel = {
  id: 'shares',
  title: (texts) => texts.shares,
  render: (world, language) => {
    const texts = textsOf(language)
    const rows = latest(world.share.shares.values()).map((share) => row(share, world, language))
    return panelTable([texts.share, texts.files, texts.recipients], rows, texts.noShares)
  },
  state: (world) => [...world.share.shares.values()].map((share) => shareRecord(share, world)),
}

function row(share: Share, world: World, language: Language): string[] {
  const texts = textsOf(language)
  const { id, information, content, recipients } = share
  const files = content.map(({ name, file }) => {
    return `${escape(name)} <span class="quiet">${escape(file ? texts.bytes(file.size) : texts.missing)}</span>`
  })
  const people = recipients.map((one) => showRecipient(one, share, world, texts))
  return [
    `<strong>${escape(information.title)}</strong><br><code class="quiet">${escape(id)}</code> ${copyButton(id, texts)}`,
    `${statePill(stateOf(share), language)}<br>${files.join('<br>')}`,
    people.join('<br>'),
  ]
}

function stateOf({ deleted, expired, announced }: Share): string {
  if (deleted) return 'deleted'
  return expired ? 'expired' : announced ? 'complete' : 'waiting for files'
}

function showRecipient(recipient: Recipient, { announced }: Share, world: World, texts: RoomTexts): string {
  const { firstName, lastName, opened, content } = recipient
  const name = `${firstName} ${lastName}`
  const who = announced ? newTab(pageUrl(recipient, world), name) : escape(name)
  return `${who} <span class="quiet">${texts.opened(opened.size, content.length)}</span>`
}
