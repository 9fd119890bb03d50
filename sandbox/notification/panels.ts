/** The control room's panels of events and webhooks. */
import type { Panel } from '../admin/panel-type'
import { escape } from '../pages/html'
import { latest, panelTable, pill } from '../pages/table'
import type { World } from '../world'
import type { ServiceEvent, Webhook } from './state'
import { webhookRecord } from './webhooks'

export const eventPanel: Panel = {
  id: 'events',
  title: 'Events',
  render: (world) => {
    const rows = latest(world.notification.history.list()).map((event) => eventRow(event, world))
    const waiting = `<p>${world.notification.events.size} in the queue.</p>`
    return waiting + panelTable(['Event', 'Payload', 'Queue'], rows, 'No events yet.')
  },
  state: (world) => world.notification.history.list(),
}

export const webhookPanel: Panel = {
  id: 'webhooks',
  title: 'Webhooks',
  render: (world) => {
    const rows = latest(world.notification.webhooks.values()).map(webhookRow)
    const header = `<p class="quiet">Deliveries are signed in the header <code>${escape(world.notification.signatureHeader)}</code>.</p>`
    return header + panelTable(['Webhook', 'Events', 'Latest answer'], rows, 'No webhooks are registered.')
  },
  state: (world) => [...world.notification.webhooks.values()].map(webhookRecord),
}

function eventRow({ id, timestamp, type, payload }: ServiceEvent, world: World): string[] {
  const { events, locks } = world.notification
  const locked = (locks.get(id) ?? 0) > world.clock.now()
  const state = !events.has(id) ? 'handled' : locked ? 'locked' : 'waiting'
  const details = `<code>${escape(JSON.stringify(payload).slice(0, 300))}</code>`
  return [`${escape(timestamp.slice(11, 19))} ${escape(type)}`, details, pill(state)]
}

function webhookRow({ id, name, url, active, events, lastResponse }: Webhook): string[] {
  const answer = lastResponse ? `${lastResponse.code || ''} ${lastResponse.message}`.trim() : 'none yet'
  return [
    `${id}: ${escape(name)}<br><code class="quiet">${escape(url)}</code>`,
    `${escape(events.join(', '))}${active ? '' : '<br><span class="quiet">not active</span>'}`,
    escape(answer),
  ]
}
