/** The plan of a soak, as plain data generated from a seed: its batches of messages and their faults. */
import type { Fault } from '../../sandbox/state/faults'
import { createRandom, type Random } from './random'

/** One kind for each node and operation. */
export const kinds = [
  'create-document',
  'create-from-word',
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
  'batch-from-file',
  'pending',
] as const

export type Kind = (typeof kinds)[number]

/** The operations that these messages call. */
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

type PlannedFault = Omit<Fault, 'id'>

/** A fault in a few words; the same words for the same fault of the same operation. */
export function nameOf({ operation, kind, status, after, delay, retryAfter, body }: PlannedFault): string {
  const how = kind === 'status' ? [status, after ? 'after' : 'before', retryAfter && 'Retry-After', body && 'HTML'] : []
  return [operation, kind, ...how, delay || undefined].filter(Boolean).join(' ')
}

export interface Batch {
  readonly messages: readonly { readonly n: number; readonly kind: Kind }[]
  readonly faults: readonly PlannedFault[]
  /** What happens while the messages are in flight. */
  readonly during: 'nothing' | 'redeploy' | 'redeploy-client' | 'expire-tokens' | 'kill'
}

const plain = { count: 1, skip: 0, status: 500, delay: 0, after: false }

/**
 * Every fault of the sandbox, before the call takes effect and after it. A refusal never comes after the effect,
 * because the service would then say something false.
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

/** After this many batches, every operation has had every fault once. */
export const fullCircle = faultMixes.length

export interface PlanOptions {
  readonly seed: number
  readonly batches: number
  readonly perKind: number
  /** How often Node-RED is killed, at regular intervals. */
  readonly kills: number
  /** How many of the deploys restart the batches, which then wait for the rows in flight. */
  readonly deployedBatches: number
}

/**
 * The batches of a seed. The first ones go through all faults at all operations. Nothing fails in the last one, so that
 * late messages of the others arrive before it has ended.
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
 * Each circle goes through all faults at every operation, each time in other combinations, because a refused token
 * prevents calls of other operations.
 */
function turnOf(index: number, place: number): number {
  return index + place * (Math.floor(index / faultMixes.length) + 1)
}

function faultOf(operation: string, turn: number, perKind: number, random: Random): PlannedFault {
  const planned = faultMixes[turn % faultMixes.length] ?? {}
  const one = { kind: 'status' as const, ...plain, operation, ...planned }
  // A batch of messages calls these operations only a few times.
  const lone = ['token', 'pullEvents', 'handleEvents'].includes(operation)
  // Repeats the fault, so that a call can fail for good although it is retried.
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
    const a = list[last]
    const b = list[other]
    if (a !== undefined && b !== undefined) [list[last], list[other]] = [b, a]
  }
  return list
}
