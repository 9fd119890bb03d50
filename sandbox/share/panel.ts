/** The control room's panel of shares: what is in, and a link to each recipient's page. */
import type { Panel } from '../admin/panel-type'
import { escape } from '../pages/html'
import { latest, newTab, panelTable, pill } from '../pages/table'
import type { World } from '../world'
import { pageUrl, shareRecord } from './record'
import type { Recipient, Share } from './state'

const none = 'No shares yet. Send one with a “share create” node.'

export const sharePanel: Panel = {
  id: 'shares',
  title: 'Shares',
  render: (world) => {
    const rows = latest(world.share.shares.values()).map((share) => row(share, world))
    return panelTable(['Share', 'Files', 'Recipients'], rows, none)
  },
  state: (world) => [...world.share.shares.values()].map((share) => shareRecord(share, world)),
}

function row(share: Share, world: World): string[] {
  const { id, information, content, recipients, announced, expired } = share
  const files = content.map(
    ({ name, file }) => `${escape(name)} <span class="quiet">${file ? `${file.size} bytes` : 'missing'}</span>`,
  )
  const state = expired ? 'expired' : announced ? 'complete' : 'waiting for files'
  const people = recipients.map((one) => showRecipient(one, announced, world))
  return [
    `${escape(information.title)}<br><code class="quiet">${escape(id)}</code>`,
    `${pill(state)}<br>${files.join('<br>')}`,
    people.join('<br>'),
  ]
}

function showRecipient(recipient: Recipient, announced: boolean, world: World): string {
  const { firstName, lastName, opened, content } = recipient
  const name = `${firstName} ${lastName}`
  const who = announced ? newTab(pageUrl(recipient, world), name) : escape(name)
  return `${who} <span class="quiet">${opened.size} of ${content.length} opened</span>`
}
