/** The control room's panels of events and webhooks. */
import type { Panel, View } from '../admin/panel-type'
import { statePill } from '../admin/states'
import { factsOf, thingList, type Thing } from '../admin/thing'
import { escape } from '../pages/html'
import { actionButton, timeOf } from '../pages/parts'
import { sentenceOf } from './sentences'
import type { Delivery, ServiceEvent, Webhook } from './state'
import { webhookRecord } from './webhooks'

/** Maximum characters shown of an event or a delivery. */
const MAX_CHARACTERS = 4000

export const eventPanel: Panel = {
  id: 'events',
  title: (texts) => texts.events,
  render: (view) => {
    const { events, history } = view.world.notification
    const waiting = `<p>${escape(view.texts.inQueue(events.size))}</p>`
    return waiting + thingList(history.list(), view, view.texts.noEvents, eventThing)
  },
  state: (world) => world.notification.history.list(),
}

export const webhookPanel: Panel = {
  id: 'webhooks',
  title: (texts) => texts.webhooks,
  render: (view) => {
    const { signatureHeader, webhooks } = view.world.notification
    const header = `<p class="quiet">${escape(view.texts.signedIn(signatureHeader))}</p>`
    return header + thingList(webhooks.values(), view, view.texts.noWebhooks, webhookThing)
  },
  state: (world) => [...world.notification.webhooks.values()].map(webhookRecord),
}

/** The row of an event. The title describes the event in a sentence; the open row also shows the event's data. */
function eventThing(event: ServiceEvent, { world, language }: View): Thing {
  const { id, timestamp, type } = event
  const { events, locks } = world.notification
  const isLocked = (locks.get(id) ?? 0) > world.clock.now()
  return {
    key: `event-${id}`,
    at: timestamp,
    title: sentenceOf(event, world, language),
    state: !events.has(id) ? 'handled' : isLocked ? 'locked' : 'waiting',
    notes: [type],
    inside: () => json(event),
  }
}

function webhookThing(webhook: Webhook, view: View): Thing {
  const { id, name, active, lastResponse } = webhook
  const { texts } = view
  const failed = lastResponse !== undefined && !isGood(lastResponse.code)
  const answer = lastResponse && `${lastResponse.code || ''} ${lastResponse.message}`.trim()
  return {
    key: `webhook-${id}`,
    title: name,
    state: !active ? 'turned off' : failed ? 'refused' : 'active',
    notes: [webhook.url, answer === undefined ? '' : texts.lastAnswer(answer)],
    below: `<div class="row">${actionsOf(webhook, view)}</div>`,
    inside: () => known(webhook, view),
  }
}

function actionsOf({ id, active, name }: Webhook, { texts }: View): string {
  const at = `/sandbox/webhooks/${id}`
  return [
    actionButton({ action: `${at}/ping`, label: texts.ping }),
    actionButton({ action: at, label: active ? texts.turnOff : texts.turnOn, values: { active: !active } }),
    actionButton({ action: at, label: texts.remove, method: 'DELETE', question: texts.removeConfirm(name) }),
  ].join('')
}

function known(webhook: Webhook, { texts, language }: View): string {
  const { id, createdAt, events, tags, deliveries, deliveryLogging } = webhook
  const facts = factsOf([
    ['id', String(id)],
    [texts.created, timeOf(createdAt)],
    [texts.events, escape(events.includes('*') ? texts.allEvents : events.join(', '))],
    [texts.tags, escape(tags.join(', '))],
  ])
  const shown = deliveries.map((one) => delivery(one, language)).join('')
  const none = deliveryLogging === 'never' ? texts.deliveriesNotKept : texts.noDeliveries
  return `${facts}<h3>${escape(texts.deliveries)}</h3>${shown ? `<ul class="plain">${shown}</ul>` : `<p class="quiet">${escape(none)}</p>`}`
}

function delivery(one: Delivery, language: View['language']): string {
  const { id, timestamp, responseStatusCode, responseMessage, errorMessage } = one
  const answer = `${responseStatusCode || ''} ${responseMessage || errorMessage}`.trim()
  const pill = statePill(isGood(responseStatusCode) ? 'delivered' : 'refused', language)
  return `<li data-key="${escape(id)}"><details><summary>${timeOf(timestamp)} ${pill} ${escape(answer)}</summary>${json(one)}</details></li>`
}

function isGood(code: number): boolean {
  return code >= 200 && code <= 299
}

function json(value: unknown): string {
  return `<pre>${escape(JSON.stringify(value, null, 2).slice(0, MAX_CHARACTERS))}</pre>`
}
