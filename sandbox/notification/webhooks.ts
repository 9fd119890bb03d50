/** The calls for webhooks: create, read, change, remove, ping, deliveries. */
import { invalid, notFound, type FieldError } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn, textsIn, type JsonObject } from '../server/json'
import { parseUrl } from '../server/urls'
import type { World } from '../world'
import { ping } from './publish'
import type { Webhook } from './state'

const loggings = ['never', 'failed', 'always'] as const

/** `GET /notification/webhooks` */
export function listWebhooks(_call: Call, world: World): Answer {
  return { json: [...world.notification.webhooks.values()].map(webhookRecord) }
}

/** `POST /notification/webhooks` → 201; a ping is sent at once. */
export function createWebhook(call: Call, world: World): Answer {
  const body = call.json()
  const errors = [...missing(body), ...problemsOf(body)]
  if (errors.length > 0) throw invalid(errors)
  const now = world.clock.iso()
  const webhook: Webhook = {
    id: world.notification.nextWebhookId++,
    createdAt: now,
    updatedAt: now,
    name: '',
    active: false,
    events: [],
    url: '',
    secret: '',
    deliveryLogging: 'never',
    tags: [],
    lastResponse: undefined,
    deliveries: [],
  }
  change(webhook, body)
  world.notification.webhooks.set(webhook.id, webhook)
  ping(world, webhook)
  return { status: 201, json: webhookRecord(webhook) }
}

/** `GET /notification/webhooks/{id}` */
export function getWebhook(call: Call, world: World): Answer {
  return { json: webhookRecord(findWebhook(call, world)) }
}

/** `PATCH /notification/webhooks/{id}`: absent fields stay unchanged. */
export function updateWebhook(call: Call, world: World): Answer {
  const webhook = findWebhook(call, world)
  const body = call.json()
  const errors = problemsOf(body)
  if (errors.length > 0) throw invalid(errors)
  change(webhook, body)
  webhook.updatedAt = world.clock.iso()
  return { json: webhookRecord(webhook) }
}

/** `DELETE /notification/webhooks/{id}` → 204 */
export function deleteWebhook(call: Call, world: World): Answer {
  world.notification.webhooks.delete(findWebhook(call, world).id)
  return { status: 204 }
}

/** `POST /notification/webhooks/{id}/ping` → 204 */
export function pingWebhook(call: Call, world: World): Answer {
  ping(world, findWebhook(call, world))
  return { status: 204 }
}

/**
 * `GET /notification/webhooks/{id}/deliveries`: the latest attempts, newest first, if `deliveryLogging` allows the
 * sandbox to keep them.
 */
export function listDeliveries(call: Call, world: World): Answer {
  return { json: findWebhook(call, world).deliveries }
}

function findWebhook(call: Call, world: World): Webhook {
  const webhook = world.notification.webhooks.get(Number(call.param('id')))
  if (!webhook) throw notFound('webhook')
  return webhook
}

/** A webhook in the service's format, with its secret masked. */
export function webhookRecord(webhook: Webhook): Record<string, unknown> {
  const { id, name, active, events, url, secret, deliveryLogging, createdAt, updatedAt, lastResponse, tags } = webhook
  const config = { url, secret: secret ? '********' : undefined, deliveryLogging }
  return { id, name, active, events, config, createdAt, updatedAt, lastResponse, tags }
}

function change(webhook: Webhook, { name, active, events, config, tags }: JsonObject): void {
  const { url, secret, deliveryLogging } = objectIn(config)
  if (name !== undefined) webhook.name = textIn(name)
  if (active !== undefined) webhook.active = active === true
  if (events !== undefined) webhook.events = textsIn(events).includes('*') ? ['*'] : textsIn(events)
  if (tags !== undefined) webhook.tags = textsIn(tags)
  if (url !== undefined) webhook.url = textIn(url)
  if (secret !== undefined) webhook.secret = textIn(secret)
  webhook.deliveryLogging = loggings.find((one) => one === deliveryLogging) ?? webhook.deliveryLogging
}

function missing(body: JsonObject): FieldError[] {
  const { url } = objectIn(body.config)
  const fields = { name: body.name, active: body.active, events: body.events, 'config.url': url }
  const absent = Object.entries(fields).filter(([, value]) => value === undefined || value === '')
  return absent.map(([field]) => ({ field, message: `The field ${field} is required.` }))
}

function problemsOf({ active, events, config }: JsonObject): FieldError[] {
  const { url, deliveryLogging } = objectIn(config)
  const errors: FieldError[] = []
  const check = (value: unknown, good: boolean, field: string, message: string) => {
    if (value !== undefined && value !== '' && !good) errors.push({ field, message })
  }
  check(active, typeof active === 'boolean', 'active', 'active must be true or false.')
  check(events, textsIn(events).filter(Boolean).length > 0, 'events', 'At least one event type is required.')
  check(url, /^https?:$/.test(parseUrl(textIn(url))?.protocol ?? ''), 'config.url', 'url must be a web address.')
  const known = loggings.some((one) => one === deliveryLogging)
  check(deliveryLogging, known, 'config.deliveryLogging', `deliveryLogging must be one of ${loggings.join(', ')}.`)
  return errors
}
