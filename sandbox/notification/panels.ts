/** The control room's panels of events and webhooks. */
import type { Panel } from '../admin/panel-type'
import { statePill } from '../admin/states'
import { textsOf, type Language, type RoomTexts } from '../admin/texts'
import { escape } from '../pages/html'
import { latest, panelTable } from '../pages/table'
import type { World } from '../world'
import { sentenceOf } from './sentences'
import type { ServiceEvent, Webhook } from './state'
import { webhookRecord } from './webhooks'

export const eventPanel: Panel = {
  id: 'events',
  title: (texts) => texts.events,
  render: (world, language) => {
    const texts = textsOf(language)
    const rows = latest(world.notification.history.list()).map((event) => eventRow(event, world, language))
    const waiting = `<p>${escape(texts.inQueue(world.notification.events.size))}</p>`
    return waiting + panelTable([texts.time, texts.event, texts.queue], rows, texts.noEvents)
  },
  state: (world) => world.notification.history.list(),
}

export const webhookPanel: Panel = {
  id: 'webhooks',
  title: (texts) => texts.webhooks,
  render: (world, language) => {
    const texts = textsOf(language)
    const rows = latest(world.notification.webhooks.values()).map((webhook) => webhookRow(webhook, texts))
    const header = `<p class="quiet">${escape(texts.signedIn(world.notification.signatureHeader))}</p>`
    return header + panelTable([texts.webhook, texts.events, texts.latestAnswer], rows, texts.noWebhooks)
  },
  state: (world) => [...world.notification.webhooks.values()].map(webhookRecord),
}

/** What has happened as a sentence; the event itself behind a fold. */
function eventRow(event: ServiceEvent, world: World, language: Language): string[] {
  const { id, timestamp, type } = event
  const { events, locks } = world.notification
  const locked = (locks.get(id) ?? 0) > world.clock.now()
  const state = !events.has(id) ? 'handled' : locked ? 'locked' : 'waiting'
  const details = `<details data-key="event-${escape(id)}"><summary>${escape(sentenceOf(event, world, language))} <code class="quiet">${escape(type)}</code></summary>
<pre>${escape(JSON.stringify(event, null, 2).slice(0, 4000))}</pre></details>`
  return [escape(timestamp.slice(11, 19)), details, statePill(state, language)]
}

function webhookRow({ id, name, url, active, events, lastResponse }: Webhook, texts: RoomTexts): string[] {
  const answer = lastResponse ? `${lastResponse.code || ''} ${lastResponse.message}`.trim() : texts.noneYet
  return [
    `${id}: ${escape(name)}<br><code class="quiet">${escape(url)}</code>`,
    `${escape(events.join(', '))}${active ? '' : `<br><span class="quiet">${escape(texts.notActive)}</span>`}`,
    escape(answer),
  ]
}
