/** The simulated notification calls (`docs/interface.md` 4.9): webhooks, and the event queue. */
import type { Panel } from '../admin/panel-type'
import { invalid } from '../server/answers'
import type { Answer, Call, Method, Route, Routes } from '../server/call'
import { textIn } from '../server/json'
import type { World } from '../world'
import { eventPanel, webhookPanel } from './panels'
import { clearEvents, handleEvent, handleEvents, peekEvents, pullEvents } from './queue'
import { listEventTypes, mockEvent } from './types'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  updateWebhook,
} from './webhooks'

const route = (method: Method, path: string, handle: Route['handle']): Route => {
  return { method, path: `/notification${path}`, scope: 'event', handle }
}

export const notificationRoutes = {
  listWebhooks: route('GET', '/webhooks', listWebhooks),
  createWebhook: route('POST', '/webhooks', createWebhook),
  getWebhook: route('GET', '/webhooks/:id', getWebhook),
  updateWebhook: route('PATCH', '/webhooks/:id', updateWebhook),
  deleteWebhook: route('DELETE', '/webhooks/:id', deleteWebhook),
  pingWebhook: route('POST', '/webhooks/:id/ping', pingWebhook),
  listWebhookDeliveries: route('GET', '/webhooks/:id/deliveries', listDeliveries),
  pullEvents: route('GET', '/events', pullEvents),
  peekEvents: route('GET', '/events/peek', peekEvents),
  handleEvent: route('POST', '/events/:id/handle', handleEvent),
  handleEvents: route('POST', '/events/handle', handleEvents),
  clearEvents: route('POST', '/events/clear', clearEvents),
  listEventTypes: route('GET', '/events/types', listEventTypes),
  mockEvent: route('POST', '/events/mock', mockEvent),
} satisfies Partial<Routes>

/** Pages and control room calls of this area. */
export const notificationPages: readonly Route[] = [
  { method: 'POST', path: '/sandbox/signature-header', admin: true, handle: setSignatureHeader },
  { method: 'POST', path: '/sandbox/webhooks/:id/ping', admin: true, handle: pingWebhook },
  { method: 'POST', path: '/sandbox/webhooks/:id', admin: true, handle: updateWebhook },
  { method: 'DELETE', path: '/sandbox/webhooks/:id', admin: true, handle: deleteWebhook },
]

/** The control room panels of this area. */
export const notificationPanels: readonly Panel[] = [webhookPanel, eventPanel]

/** `POST /sandbox/signature-header` {name}: sets the name of the header that contains the signature of a delivery. */
function setSignatureHeader(call: Call, world: World): Answer {
  const name = textIn(call.json().name)
  if (!/^[\w-]{1,100}$/.test(name)) throw invalid([{ field: 'name', message: 'name must be the name of a header.' }])
  world.notification.signatureHeader = name
  return { json: { name } }
}
