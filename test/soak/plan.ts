/** What a soak does, as plain data made from a seed: its batches of messages and the faults that meet them. */
import type { Fault } from '../../sandbox/state/faults'
import { createRandom, type Random } from './random'

/** One kind per node and operation of it. */
export const kinds = [
  'create-document',
  'document-get',
  'document-status',
  'document-list',
  'document-download',
  'document-cancel',
  'document-remind',
  'document-deadline',
  'document-add-signer',
  'document-change-signer',
  'document-add-attachment',
  'session-create',
  'session-get',
  'session-list',
  'session-invalidate',
  'share-create',
  'share-upload',
  'share-get',
  'share-change',
  'share-delete',
  'share-add-recipient',
  'share-change-recipient',
  'share-notify',
  'deposit-create',
  'deposit-get',
  'deposit-change',
  'deposit-cancel',
  'deposit-terminate',
  'request',
  'wait',
  'wait-files',
  'wait-shared',
  'embed',
  'events',
  'webhook',
  'webhook-shared',
  'batch',
  'batch-shared',
] as const

export type Kind = (typeof kinds)[number]

/** The operations of the service that these messages call. */
const operations = [
  'token',
  'createDocument',
  'getDocument',
  'getDocumentStatus',
  'listDocuments',
  'getDocumentFile',
  'cancelDocument',
  'remindDocument',
  'updateDocument',
  'addSigner',
  'changeSigner',
  'addAttachment',
  'createSession',
  'getSession',
  'listSessions',
  'invalidateSession',
  'createBucket',
  'uploadToBucket',
  'getBucket',
  'changeShare',
  'deleteShare',
  'addRecipient',
  'changeRecipient',
  'notifyRecipients',
  'cancelDeposit',
  'terminateDeposit',
  'createDeposit',
  'getDeposit',
  'changeDeposit',
  'pullEvents',
  'handleEvents',
] as const

export type PlannedFault = Omit<Fault, 'id'>

/** What a fault is, in a few words; the same for the same spoiling of the same operation. */
export function nameOf({ operation, kind, status, after, delay, retryAfter, body }: PlannedFault): string {
  const how = kind === 'status' ? [status, after ? 'after' : 'before', retryAfter && 'Retry-After', body && 'HTML'] : []
  return [operation, kind, ...how, delay || undefined].filter(Boolean).join(' ')
}

export interface Batch {
  readonly messages: readonly { readonly n: number; readonly kind: Kind }[]
  readonly faults: readonly PlannedFault[]
  /** What happens while the messages are on their way. */
  readonly during: 'nothing' | 'redeploy' | 'redeploy-client' | 'expire-tokens' | 'kill'
}

const plain = { count: 1, skip: 0, status: 500, delay: 0, after: false }

/**
 * Every fault of the sandbox: before the call takes effect and after. The sandbox
 * never refuses after the effect: that would be a lie.
 */
const faultMixes: readonly Partial<PlannedFault>[] = [
  ...[400, 401, 403, 404, 409, 429, 500, 502, 503, 504].map((status) => ({ kind: 'status' as const, status })),
  ...[429, 503].map((status) => ({ kind: 'status' as const, status, retryAfter: '1' })),
  ...[500, 502, 503, 504].map((status) => ({ kind: 'status' as const, status, after: true })),
  { kind: 'status', status: 502, body: '<html>bad gateway</html>' },
  { kind: 'slow', delay: 50 },
  { kind: 'slow', delay: 1500 },
  { kind: 'close-before' },
  { kind: 'close-after' },
  { kind: 'malformed-json' },
  { kind: 'truncated' },
  { kind: 'expired-token' },
]

/** How many batches meet every fault at every operation once. */
export const fullCircle = faultMixes.length

export interface PlanOptions {
  readonly seed: number
  readonly batches: number
  readonly perKind: number
  /** How often Node-RED is killed, at even distances. */
  readonly kills: number
  /** How many of the deploys meet batches: each makes them wait for the rows that were out. */
  readonly deployedBatches: number
}

/**
 * The batches of a seed. The first ones go round all faults at all operations. What is late of them comes before the
 * last one has ended, in which nothing fails.
 */
export function createPlan({ seed, batches, perKind, kills, deployedBatches }: PlanOptions): Batch[] {
  const random = createRandom(seed)
  let n = 0
  let deploys = 0
  const messages = (count: number, which: readonly Kind[] = kinds) =>
    shuffle(
      which.flatMap((kind) => Array.from({ length: count }, () => kind)),
      random,
    ).map((kind) => ({ n: ++n, kind }))
  const plan: Batch[] = Array.from({ length: batches }, (_none, index) => {
    const during = duringOf(index, batches, kills)
    const spared = during.startsWith('redeploy') && ++deploys > deployedBatches
    return {
      messages: messages(perKind, spared ? kinds.filter((kind) => !kind.startsWith('batch')) : kinds),
      faults: operations.map((operation, place) => faultOf(operation, turnOf(index, place), perKind, random)),
      during,
    }
  })
  return [...plan, { messages: messages(1), faults: [], during: 'nothing' }]
}

/**
 * Every circle goes round all spoils at every operation, each time in other company: a refused token keeps
 * calls from others.
 */
function turnOf(index: number, place: number): number {
  return index + place * (Math.floor(index / faultMixes.length) + 1)
}

function faultOf(operation: string, turn: number, perKind: number, random: Random): PlannedFault {
  const planned = faultMixes[turn % faultMixes.length] ?? {}
  const one = { kind: 'status' as const, ...plain, operation, ...planned }
  // These are called a few times only in a batch.
  const lone = ['token', 'pullEvents', 'handleEvents'].includes(operation)
  // More of the same, so that a call fails for good although it is repeated.
  return { ...one, skip: lone ? 0 : random.below(Math.ceil(perKind / 2)), count: lone ? 1 : random.pick([1, 2, 4]) }
}

function duringOf(index: number, batches: number, kills: number): Batch['during'] {
  if (Array.from({ length: kills }, (_none, n) => Math.floor(((n + 1) * batches) / (kills + 1))).includes(index)) {
    return 'kill'
  }
  return (['nothing', 'redeploy', 'expire-tokens', 'redeploy-client'] as const)[index % 4] ?? 'nothing'
}

function shuffle<T>(list: T[], random: Random): T[] {
  for (let last = list.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const [a, b] = [list[last], list[other]]
    if (a !== undefined && b !== undefined) [list[last], list[other]] = [b, a]
  }
  return list
}
