/** The sandbox's data about events: the queue that clients pull from, and the webhooks notified at once. */
import { BoundedMap, Ring } from '../state/bounded'

/** The envelope of an event, the same in the queue and in a webhook's body. */
export interface ServiceEvent {
  readonly id: string
  readonly timestamp: string
  readonly accountId: string
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly tags: readonly string[] | null
}

/** One attempt to deliver an event to a webhook. */
export interface Delivery {
  readonly id: string
  readonly webhookId: number
  readonly eventId: string
  readonly timestamp: string
  readonly url: string
  readonly elapsedMs: number
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string
  readonly responseHeaders: Readonly<Record<string, unknown>>
  readonly responseBody: string
  /** The status code of the response; 0 if there was no response. */
  readonly responseStatusCode: number
  readonly responseMessage: string
  readonly errorMessage: string
}

export interface Webhook {
  readonly id: number
  readonly createdAt: string
  updatedAt: string
  name: string
  active: boolean
  events: readonly string[]
  url: string
  secret: string
  deliveryLogging: 'never' | 'failed' | 'always'
  tags: readonly string[]
  lastResponse: { readonly code: number; readonly message: string; readonly timestamp: string } | undefined
  /** The latest attempts, newest first. */
  deliveries: readonly Delivery[]
}

export interface NotificationState {
  /** Events that have not been handled. */
  readonly events: BoundedMap<ServiceEvent>
  /** When the lock of a pulled event ends, in milliseconds since 1970, by event id. */
  readonly locks: Map<string, number>
  /** The latest events, handled or not. */
  readonly history: Ring<ServiceEvent>
  webhooks: Map<number, Webhook>
  nextWebhookId: number
  /** Name of the header with a delivery's signature. */
  signatureHeader: string
}

const MAX_QUEUED = 10_000
const MAX_HISTORY = 200

export function createNotificationState(): NotificationState {
  const locks = new Map<string, number>()
  return {
    events: new BoundedMap<ServiceEvent>(MAX_QUEUED, ({ id }) => void locks.delete(id)),
    locks,
    history: new Ring(MAX_HISTORY),
    webhooks: new Map(),
    nextWebhookId: 1,
    signatureHeader: 'X-EID-Signature',
  }
}
