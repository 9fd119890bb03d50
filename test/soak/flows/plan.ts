/**
 * The plan for the model of whole flows, as plain data generated from a seed: flows with their lists, and the events
 * during their run.
 */
import { createRandom, type Random } from '../random'

/** What a flow has between a batch and the way back to it; `messages` is a flow without a batch. */
const shapes = [
  'two-documents',
  'share-upload',
  'deposit-document',
  'two-deposits',
  'wait-beside',
  'wait-within',
  'messages',
] as const
export type Shape = (typeof shapes)[number]

/** The steps of a shape that make a call with an effect, by the service's names. */
export const partsOf: Readonly<Record<Shape, readonly string[]>> = {
  'two-documents': ['first', 'second'],
  'share-upload': ['share', 'upload'],
  'deposit-document': ['deposit', 'first'],
  'two-deposits': ['deposit', 'other'],
  'wait-beside': ['first'],
  'wait-within': ['first'],
  messages: ['first'],
}

/** Where a flow stores its state. */
export const stores = ['embedded', 'postgres', 'serializable'] as const
export type StoreName = (typeof stores)[number]

/** Before the dash: whether the service acts; after it: what the caller sees. */
const slips = [
  'not-400',
  'not-429',
  'not-500',
  'not-503-later',
  'not-closes',
  'not-silent',
  'acts-500',
  'acts-closes',
  'acts-half',
  'acts-silent',
] as const
export type Slip = (typeof slips)[number]

const eventKinds = ['deploy-full', 'deploy-flows', 'deploy-nodes', 'kill', 'disk-full', 'clock', 'blocked'] as const
export type EventKind = (typeof eventKinds)[number] | 'database-cut'

export interface PlannedEvent {
  readonly kind: EventKind
  /** When the event happens: once this share of the expected calls has arrived. */
  readonly at: number
  /** How long the event lasts, in seconds of simulated time; for `clock`, by how much it is set. */
  readonly seconds: number
}

export interface History {
  readonly n: number
  readonly shape: Shape
  readonly rows: number
  readonly parallel: number
  /** What happens to the calls of a row, in order, by `<part> <subject>`. */
  readonly slips: Readonly<Record<string, readonly Slip[]>>
  /** Where the Catch node leads: straight into the batch, or to the first node once more if nothing was done. */
  readonly catchTo: 'batch' | 'node'
  /** How often the list is sent: once, twice at once, or again later. */
  readonly list: 'once' | 'twice' | 'again'
  /** When signers sign: as soon as they are asked, or after all events. */
  readonly signers: 'early' | 'late'
}

/** Histories that share one Node-RED and the events that happen to it. */
export interface Group {
  /** The number of the group among the groups of the seed. */
  readonly at: number
  readonly seed: number
  readonly store: StoreName
  readonly histories: readonly History[]
  readonly events: readonly PlannedEvent[]
  /** Which requests for data, counted from 0, get no answer from the service. */
  readonly unanswered: readonly number[]
}

export interface PlanOptions {
  readonly seed: number
  readonly histories: number
  readonly store: StoreName
  readonly perGroup?: number
  readonly shapes?: readonly Shape[]
  readonly events?: readonly EventKind[]
  /** The number of the only group to play. */
  readonly only?: number
}

/** Plans the groups; the same options give the same groups. */
export function planGroups(options: PlanOptions): Group[] {
  const { seed, histories, store, perGroup = 40, only } = options
  const random = createRandom(seed)
  const groups = Array.from({ length: Math.ceil(histories / perGroup) }, (_none, at) => {
    const count = Math.min(perGroup, histories - at * perGroup)
    const kinds = options.events ?? eventsOf(store)
    return {
      at,
      seed,
      store,
      histories: Array.from({ length: count }, (_nothing, n) => planHistory(n, options.shapes ?? shapes, random)),
      events: planEvents(kinds, random),
      unanswered: Array.from({ length: random.below(8) }, () => random.below(60)),
    }
  })
  return groups.filter(({ at }) => only === undefined || at === only)
}

function eventsOf(store: StoreName): readonly EventKind[] {
  if (store === 'embedded') return eventKinds
  return [...eventKinds.filter((kind) => kind !== 'disk-full'), 'database-cut']
}

function planHistory(n: number, from: readonly Shape[], random: Random): History {
  const shape = random.pick(from)
  const rows = 2 + random.below(5)
  const planned: Record<string, Slip[]> = {}
  for (let row = 0; row < rows; row++) {
    for (const part of partsOf[shape]) {
      const count = random.pick([0, 0, 0, 1, 1, 2, 4])
      if (count > 0) planned[`${part} ${subjectOf(n, row)}`] = Array.from({ length: count }, () => random.pick(slips))
    }
  }
  return {
    n,
    shape,
    rows,
    slips: planned,
    parallel: random.pick([1, 3, 8]),
    // A document has a key, so it may be created once more. A share or deposit would then exist twice, and of two
    // documents, the first would get the key of the second.
    catchTo: partsOf[shape].join() === 'first' ? random.pick(['batch', 'batch', 'node']) : 'batch',
    list: random.pick(['once', 'once', 'twice', 'again']),
    signers: random.pick(['early', 'late']),
  }
}

/** Events that are more frequent than the others, because their effects on stored data only show after a kill. */
const frequent: readonly EventKind[] = ['disk-full', 'clock', 'database-cut']

function planEvents(kinds: readonly EventKind[], random: Random): PlannedEvent[] {
  const planned = (kind: EventKind): PlannedEvent => ({ kind, at: random.next(), seconds: secondsOf(kind, random) })
  const kills = kinds.includes('kill') ? 4 + random.below(3) : 0
  const others = kinds.filter((kind) => kind !== 'kill')
  const weighted = [...others, ...others.filter((kind) => frequent.includes(kind))]
  const events = [
    ...Array.from({ length: kills }, () => planned('kill')),
    ...Array.from({ length: others.length > 0 ? 1 + random.below(5) : 0 }, () => planned(random.pick(weighted))),
  ]
  return events.sort((one, other) => one.at - other.at)
}

function secondsOf(kind: EventKind, random: Random): number {
  if (kind === 'blocked') return 16 + random.below(4)
  if (kind === 'clock') return random.pick([-86_400, -3600, 3600, 86_400, 8_000_000, -8_000_000])
  return random.pick([1, 5, 20])
}

/** The name of a row. It identifies everything that is created for the row. */
export const subjectOf = (history: number, row: number) => `s${history}-${row}`
