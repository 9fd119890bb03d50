/** Creates the world, which is the whole state of one sandbox, and resets it. */
import { randomUUID } from 'node:crypto'
import { seedDeposits } from './deposit/seed'
import { createDepositState } from './deposit/state'
import { createIdentificationState } from './identification/state'
import { publish } from './notification/publish'
import { createNotificationState } from './notification/state'
import { createShareState } from './share/state'
import { createSignatureState } from './signature/state'
import { BoundedMap, Ring } from './state/bounded'
import { Clock } from './state/clock'
import { Faults } from './state/faults'
import { Files } from './state/files'
import type { Notice, NoticeDraft } from './state/outbox'
import { Requests } from './state/requests'
import { seedClients } from './token/clients'
import type { AccessToken, World } from './world'

const MAX_TOKENS = 10_000
const MAX_NOTICES = 1000

export function createWorld(options: { readonly dataDir?: string } = {}): World {
  const world: World = {
    url: '',
    clock: new Clock(),
    files: new Files(options.dataDir),
    faults: new Faults(),
    requests: new Requests(),
    outbox: new Ring<Notice>(MAX_NOTICES),
    clients: new Map(),
    tokens: new BoundedMap<AccessToken>(MAX_TOKENS),
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
    deposit: createDepositState(seedDeposits()),
    notification: createNotificationState(),
  }
}

function stamp(world: World, draft: NoticeDraft): Notice {
  return { id: randomUUID(), at: world.clock.iso(), name: '', subject: '', link: '', ...draft }
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
