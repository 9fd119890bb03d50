/**
 * The whole state of one sandbox as one interface: its clock, clients, tokens, and everything created, sent and
 * received.
 */
import type { DepositState } from './deposit/state'
import type { IdentificationState } from './identification/state'
import type { NotificationState } from './notification/state'
import type { ShareState } from './share/state'
import type { SignatureState } from './signature/state'
import type { BoundedMap, Ring } from './state/bounded'
import type { Clock } from './state/clock'
import type { Faults } from './state/faults'
import type { Files } from './state/files'
import type { Notice, NoticeDraft } from './state/outbox'
import type { Requests } from './state/requests'
import type { Client } from './token/clients'

export interface AccessToken {
  readonly clientId: string
  readonly scopes: ReadonlySet<string>
  /** Start and end of the token's validity, in milliseconds since 1970 by the sandbox's clock. */
  readonly from: number
  readonly expires: number
}

export interface World {
  /** Address of this sandbox, without a slash at the end; known once the sandbox listens. */
  url: string
  readonly clock: Clock
  readonly files: Files
  readonly faults: Faults
  readonly requests: Requests
  readonly outbox: Ring<Notice>
  readonly clients: Map<string, Client>
  readonly tokens: BoundedMap<AccessToken>
  /** Lifetime of an access token in seconds. */
  tokenLifetime: number
  signature: SignatureState
  identification: IdentificationState
  share: ShareState
  deposit: DepositState
  notification: NotificationState
  /** Sends an event to the event queue and the webhooks. */
  emit(type: string, payload: Readonly<Record<string, unknown>>, tags?: readonly string[]): void
  /** Puts an e-mail or SMS into the outbox. */
  send(draft: NoticeDraft): void
  /**
   * Drops everything that was created, sent or recorded, and creates the initial data again. Keeps the address, the
   * time, and the tokens in use.
   */
  reset(): void
}
