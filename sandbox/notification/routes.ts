/** The simulated notification calls. */
import { refuse } from '../server/answers'
import type { Method, Route, Routes } from '../server/call'
import type { Panel } from '../admin/panels'

const unavailable = (method: Method, path: string, scope: string): Route => ({
  method,
  path,
  scope,
  handle: () => {
    throw refuse(503, 'UNAVAILABLE', 'This call has no simulated answer.')
  },
})

export const notificationRoutes = {
  listWebhooks: unavailable('GET', '/notification/webhooks', 'event'),
  createWebhook: unavailable('POST', '/notification/webhooks', 'event'),
  getWebhook: unavailable('GET', '/notification/webhooks/:id', 'event'),
  updateWebhook: unavailable('PATCH', '/notification/webhooks/:id', 'event'),
  deleteWebhook: unavailable('DELETE', '/notification/webhooks/:id', 'event'),
  pingWebhook: unavailable('POST', '/notification/webhooks/:id/ping', 'event'),
  listWebhookDeliveries: unavailable('GET', '/notification/webhooks/:id/deliveries', 'event'),
  pullEvents: unavailable('GET', '/notification/events', 'event'),
  peekEvents: unavailable('GET', '/notification/events/peek', 'event'),
  handleEvent: unavailable('POST', '/notification/events/:id/handle', 'event'),
  handleEvents: unavailable('POST', '/notification/events/handle', 'event'),
  clearEvents: unavailable('POST', '/notification/events/clear', 'event'),
  listEventTypes: unavailable('GET', '/notification/events/types', 'event'),
  mockEvent: unavailable('POST', '/notification/events/mock', 'event'),
} satisfies Routes<
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'pingWebhook'
  | 'listWebhookDeliveries'
  | 'pullEvents'
  | 'peekEvents'
  | 'handleEvent'
  | 'handleEvents'
  | 'clearEvents'
  | 'listEventTypes'
  | 'mockEvent'
>

/** Pages and control room calls of this area. */
export const notificationPages: readonly Route[] = []

/** What the control room shows of this area. */
export const notificationPanels: readonly Panel[] = []
