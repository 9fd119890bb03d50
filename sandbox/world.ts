/** Everything one sandbox knows: its clock, clients, tokens, what was created, sent and received. */
import { randomUUID } from 'node:crypto'
import { createDepositState, type DepositState } from './deposit/state'
import { createIdentificationState, type IdentificationState } from './identification/state'
import { publish } from './notification/publish'
import { createNotificationState, type NotificationState } from './notification/state'
import type { Client } from './server/call'
import { createShareState, type ShareState } from './share/state'
import { createSignatureState, type SignatureState } from './signature/state'
import { BoundedMap, Ring } from './state/bounded'
import { Clock } from './state/clock'
import { Faults } from './state/faults'
import { Files } from './state/files'
import type { Notice, NoticeDraft } from './state/outbox'
import { Requests } from './state/requests'
import { seedClients } from './token/clients'

export interface AccessToken {
  readonly clientId: string
  readonly scopes: ReadonlySet<string>
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly expires: number
}

export interface World {
  /** Address of this sandbox, without a slash at the end; known once it listens. */
  url: string
  readonly clock: Clock
  readonly files: Files
  readonly faults: Faults
  readonly requests: Requests
  readonly outbox: Ring<Notice>
  readonly clients: Map<string, Client>
  readonly tokens: BoundedMap<AccessToken>
  /** Seconds an access token lives. */
  tokenLifetime: number
  signature: SignatureState
  identification: IdentificationState
  share: ShareState
  deposit: DepositState
  notification: NotificationState
  /** Tells the event queue and the webhooks that something happened. */
  emit(type: string, payload: Readonly<Record<string, unknown>>, tags?: readonly string[]): void
  /** Puts an e-mail or SMS into the outbox. */
  send(draft: NoticeDraft): void
  /** Forgets what was created, sent and recorded, and seeds anew; keeps the address, the time, and tokens that are in use. */
  reset(): void
}

const TOKENS = 10_000
const NOTICES = 1000

export function createWorld(options: { readonly dataDir?: string } = {}): World {
  const world: World = {
    url: '',
    clock: new Clock(),
    files: new Files(options.dataDir),
    faults: new Faults(),
    requests: new Requests(),
    outbox: new Ring<Notice>(NOTICES),
    clients: new Map(),
    tokens: new BoundedMap<AccessToken>(TOKENS),
    tokenLifetime: 3600,
    ...createAreas(),
    emit: (type, payload, tags) => publish(world, type, payload, tags),
    send: (draft) => world.outbox.push(stamp(world, draft)),
    reset: () => reset(world),
  }
  reset(world)
  return world
}

function createAreas(): Pick<World, 'signature' | 'identification' | 'share' | 'deposit' | 'notification'> {
  return {
    signature: createSignatureState(),
    identification: createIdentificationState(),
    share: createShareState(),
    deposit: createDepositState(),
    notification: createNotificationState(),
  }
}

function stamp(world: World, draft: NoticeDraft): Notice {
  return { id: randomUUID(), at: world.clock.iso(), subject: '', link: '', ...draft }
}

function reset(world: World): void {
  world.clock.clear()
  world.files.clear()
  world.faults.clear()
  world.requests.clear()
  world.outbox.clear()
  world.clients.clear()
  world.tokenLifetime = 3600
  for (const client of seedClients()) world.clients.set(client.id, client)
  Object.assign(world, createAreas())
}
