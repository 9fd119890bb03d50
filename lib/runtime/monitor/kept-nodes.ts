/**
 * What nodes keep, whether they run or not. A node that is disabled keeps everything. What belongs to a node that has
 * left the flows is kept for 30 days more; it comes back with the node, or a person moves it to another node.
 */
import { isPlainObject } from '../../common/plain-object'
import { systemClock } from '../../store/clock'
import { listAll } from '../../store/list-all'
import type { Listed } from '../../store/store'
import { hosted } from '../node-red/host'
import { flowPlaces, type FlowPlace } from '../node-red/flow-places'
import type { NodeConfig } from '../node-red/node-red'
import { endedItem, endedKind, registerEnded, type EndedItem } from './ended'
import { pendingItem } from './pending'
import { cardsIn, keeperOf, keepersOf, putCard, removeCard, type Card, type Host, type Keeper } from './kept-cards'

/** What a node keeps that a person waits for. */
interface KeptCounts {
  readonly waits: number
  readonly lists: number
  readonly pages: number
}

/** A node that keeps something. */
export interface KeptNode extends KeptCounts {
  readonly id: string
  /** The id of the shared store; empty if the node keeps it in this Node-RED. */
  readonly shared: string
  readonly type: string
  readonly name: string
  /** The label of the node's tab. */
  readonly flow: string
  /** What the first of it is about, with the people; only if the node does not run. */
  readonly titles: readonly string[]
  /** `gone` if the node is no longer in the flows. */
  readonly state: 'running' | 'disabled' | 'gone'
  /** When the node left the flows, and when what it keeps is removed; only if it is gone. */
  readonly left?: number
  readonly removedAt?: number
}

/** Milliseconds for which everything is kept after its node has left the flows. */
const keptMs = 30 * 86_400_000
/** Milliseconds between two looks at what belongs to no node. */
const sweepMs = 3_600_000
/** A node that has opened a store, and the kinds of its items. */
interface Noted {
  readonly config: NodeConfig | undefined
  readonly kinds: Set<string>
}

interface State {
  /** The latest Node-RED with these events: one that is started again in this process has settings of its own. */
  host: Host
  /** What running nodes store, by `shared` and the id of the node. */
  readonly kinds: Map<string, Noted>
  /** Called when something was moved to a running node, by its id. */
  readonly moved: Map<string, () => void>
  /** The ids of the nodes that have cards, by `shared`, as of the latest sweep. */
  readonly carded: Map<string, ReadonlySet<string>>
  swept: Promise<void>
  /** Compares soon what is kept with the flows. */
  sweepSoon(): void
}

function stateOf(RED: Host): State {
  const state = hosted(RED, createState)
  state.host = RED
  return state
}

function createState(RED: Host): State {
  let isDue = false
  const sweep = () => {
    isDue = false
    return sweepKept(state.host)
  }
  const state: State = {
    host: RED,
    kinds: new Map(),
    moved: new Map(),
    carded: new Map(),
    swept: Promise.resolve(),
    sweepSoon() {
      if (isDue) return
      isDue = true
      state.swept = state.swept.then(sweep).catch(() => undefined)
    },
  }
  RED.events.on?.('flows:started', state.sweepSoon)
  registerEnded(RED, 'kept-nodes', { list: () => listEndedKept(state.host) })
  setInterval(state.sweepSoon, sweepMs).unref()
  return state
}

const keptKey = (shared: string, id: string) => `${shared} ${id}`

/**
 * Notes that a node keeps items of this kind. Must be called when the node opens its store. The node with this `config`
 * may leave the flows before the next comparison.
 */
export function noteKept(RED: Host, shared: string, id: string, kind: string, config?: NodeConfig): void {
  const { kinds, sweepSoon } = stateOf(RED)
  const known = kinds.get(keptKey(shared, id))?.kinds ?? new Set<string>()
  if (!known.has(kind)) sweepSoon()
  kinds.set(keptKey(shared, id), { config, kinds: known.add(kind) })
}

/** Calls `act` when something was moved to this node; returns the function that ends this. */
export function onKeptMoved(RED: Host, id: string, act: () => void): () => void {
  const { moved } = stateOf(RED)
  moved.set(id, act)
  return () => void (moved.get(id) === act && moved.delete(id))
}

/**
 * Everything that nodes keep and that a person waits for, and `failures` of stores that can't be read at the moment.
 * Never rejects.
 */
export async function listKept(RED: Host): Promise<{ items: KeptNode[]; failures: unknown[] }> {
  const { swept } = stateOf(RED)
  await swept
  const lists = await Promise.allSettled(keepersOf(RED).map((keeper) => keptIn(RED, keeper)))
  return {
    items: lists.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    failures: lists.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : [])),
  }
}

async function keptIn(RED: Host, keeper: Keeper): Promise<KeptNode[]> {
  const kept: KeptNode[] = []
  for (const { id, card } of await cardsIn(keeper)) {
    const { type, name, flow, kinds, left } = card
    const counts = await countsOf(keeper, id, kinds)
    if (counts.waits + counts.lists + counts.pages === 0) continue
    const place = flowPlaces(RED).get(id)
    const state = place ? (place.isDisabled ? 'disabled' : 'running') : 'gone'
    const gone = state === 'gone' && left !== undefined && { left, removedAt: await removalOf(keeper, id, card, left) }
    const titles = state === 'running' ? [] : await titlesOf(RED, keeper, id, card)
    kept.push({ id, shared: keeper.shared, type, name, flow, state, ...counts, titles, ...gone })
  }
  return kept
}

/** Maximum number of titles that are shown for a node. */
const maxTitles = 5

async function titlesOf(RED: Host, keeper: Keeper, id: string, { name, flow, kinds }: Card): Promise<string[]> {
  const found: string[] = []
  if (kinds.includes('waits')) {
    const waits = await keeper.use(id, 'waits', (store) => store.list({ limit: maxTitles }))
    for (const item of waits.flatMap((one) => pendingItem(RED, one, { id, name, flow }) ?? [])) {
      const people = item.waitingFor
        .map((one) => one.name)
        .filter(Boolean)
        .join(', ')
      found.push(people === '' ? item.title : `${item.title} (${people})`)
    }
  }
  if (kinds.includes('batches')) {
    const heads = (await keeper.use(id, 'batches', listAll)).filter(isOpenList)
    found.push(...heads.map((one) => one.id.slice('head/'.length)))
  }
  return found.filter(Boolean).slice(0, maxTitles)
}

/** The ended waits of nodes that do not run, which no node lists. A shared store lists those of all its nodes itself. */
async function listEndedKept(RED: Host): Promise<EndedItem[]> {
  const keeper = keeperOf(RED, '')
  const ended: EndedItem[] = []
  for (const { id, card } of keeper ? await cardsIn(keeper) : []) {
    const place = flowPlaces(RED).get(id)
    if (!keeper || !card.kinds.includes(endedKind) || (place && !place.isDisabled)) continue
    const listed = await keeper.use(id, endedKind, listAll)
    ended.push(...listed.flatMap((one) => endedItem(one, { id, name: card.name, flow: card.flow }) ?? []))
  }
  return ended
}

async function countsOf(keeper: Keeper, id: string, kinds: readonly string[]): Promise<KeptCounts> {
  const count = (kind: string) => (kinds.includes(kind) ? keeper.use(id, kind, (store) => store.count()) : 0)
  const lists = kinds.includes('batches') ? (await keeper.use(id, 'batches', listAll)).filter(isOpenList).length : 0
  // An approval that has ended stays stored, so that its page can say so, but it is no longer work.
  const asked = kinds.includes('approvals') ? await keeper.use(id, 'approvals', listAll) : []
  const approvals = asked.filter(({ due }) => due !== undefined).length
  return { waits: (await count('waits')) + approvals, lists, pages: await count('pages') }
}

const isOpenList = ({ id, summary }: Listed) =>
  id.startsWith('head/') && isPlainObject(summary) && summary.stage !== 'ended'

/** When what a node keeps is removed: 30 days after it left, or later if the service's own deadline is later. */
async function removalOf(keeper: Keeper, id: string, { kinds }: Card, left: number): Promise<number> {
  const ends: number[] = []
  for (const kind of kinds.filter((one) => ['waits', 'pages', 'approvals'].includes(one))) {
    for (const { summary } of await keeper.use(id, kind, listAll)) {
      if (isPlainObject(summary) && typeof summary.until === 'number') ends.push(summary.until)
    }
  }
  return ends.reduce((latest, one) => Math.max(latest, one), left + keptMs)
}

/**
 * Compares what is kept with the flows: writes the cards of running nodes, notes which nodes have left, gives what they
 * keep to the node that they have become, and removes what no one has asked for in time. Rejects as the stores do.
 */
async function sweepKept(RED: Host): Promise<void> {
  const { kinds } = stateOf(RED)
  const places = flowPlaces(RED)
  for (const keeper of keepersOf(RED)) await sweepKeeper(RED, keeper, places)
  for (const key of kinds.keys()) if (!places.has(idIn(key))) kinds.delete(key)
}

const idIn = (key: string) => key.slice(key.indexOf(' ') + 1)

async function sweepKeeper(RED: Host, keeper: Keeper, places: ReadonlyMap<string, FlowPlace>): Promise<void> {
  const { kinds, carded } = stateOf(RED)
  const cards = new Map((await cardsIn(keeper)).map(({ id, card }) => [id, card]))
  for (const [key, { config, kinds: noted }] of kinds) {
    const id = idIn(key)
    const place = places.get(id) ?? (config && { config, flow: '' })
    if (place && key === keptKey(keeper.shared, id))
      cards.set(id, await noteCard(keeper, id, place, noted, cards.get(id)))
  }
  for (const [id, card] of cards) {
    if (places.has(id)) {
      const { left, ...present } = card
      // A disabled node is in the flows, although it notes nothing.
      if (left !== undefined && !kinds.has(keptKey(keeper.shared, id))) await putCard(keeper, id, present)
    } else await settleGone(RED, keeper, id, card)
  }
  carded.set(keeper.shared, new Set((await cardsIn(keeper)).map(({ id }) => id)))
}

async function noteCard(
  keeper: Keeper,
  id: string,
  { config: { type, name = '' }, flow }: Pick<FlowPlace, 'config' | 'flow'>,
  noted: ReadonlySet<string>,
  before: Card | undefined,
): Promise<Card> {
  const kinds = [...new Set([...(before?.kinds ?? []), ...noted])].sort()
  const card: Card = { type, name, flow: flow || (before?.flow ?? ''), kinds }
  if (JSON.stringify(card) !== JSON.stringify(before)) await putCard(keeper, id, card)
  return card
}

async function settleGone(RED: Host, keeper: Keeper, id: string, card: Card): Promise<void> {
  const now = systemClock.epochNow()
  const heir = heirOf(RED, keeper, id, card.type)
  if (heir !== undefined && (await moveKept(RED, keeper, id, card, heir))) return tellMoved(RED, heir)
  if (card.left === undefined) return putCard(keeper, id, { ...card, left: now })
  if ((await removalOf(keeper, id, card, card.left)) > now || flowPlaces(RED).has(id)) return
  await clearKept(keeper, id, card)
}

/**
 * The node that has become part of a subflow, or has left one: in both cases, one of the two ids ends with the other.
 * Undefined if there are several such nodes, because the messages of one instance must not continue in another one.
 */
function heirOf(RED: Host, { shared }: Keeper, id: string, type: string): string | undefined {
  const places = [...flowPlaces(RED).values()]
  const heirs = places.filter((one) => one.config.type === type && isSameNode(one.id, id))
  const [heir, ...others] = heirs
  if (!heir || others.length > 0 || sharedOf(heir.config) !== shared) return undefined
  return heir.id
}

/** Whether one of the two ids is that of a node in a subflow, and the other that of the same node outside of it. */
export const isSameNode = (one: string, other: string) => one.endsWith(`-${other}`) || other.endsWith(`-${one}`)

/** The shared store that a node names; empty without one. */
export const sharedOf = ({ shared }: NodeConfig) => (typeof shared === 'string' ? shared : '')

/**
 * Gives a node, before it opens, what it kept before it became part of a subflow or left one. Undefined if there is
 * nothing, which is known at once. Never rejects: what could not be moved is moved later.
 */
export function inherit(RED: Host, id: string, shared: string): Promise<void> | undefined {
  const state = stateOf(RED)
  // A node that has just opened may have no card yet.
  const opened = [...state.kinds.keys()].filter((key) => key.startsWith(keptKey(shared, ''))).map(idIn)
  const known = [...(state.carded.get(shared) ?? []), ...opened]
  if (!known.some((one) => isSameNode(one, id))) return undefined
  state.sweepSoon()
  return state.swept
}

/** Does not wait for the node, which may itself be waiting for what it inherits. */
function tellMoved(RED: Host, to: string): void {
  stateOf(RED).moved.get(to)?.()
}

/** Returns false if the other node has a list of the same name. Rejects as the stores do. */
async function moveKept(RED: Host, keeper: Keeper, from: string, card: Card, to: string): Promise<boolean> {
  if (card.kinds.includes('batches') && (await shareList(keeper, from, to))) return false
  const place = flowPlaces(RED).get(to)
  const before = (await cardsIn(keeper)).find(({ id }) => id === to)?.card
  // The card comes first, so that what is moved is not forgotten if the node leaves the flows at this moment.
  if (place) await noteCard(keeper, to, place, new Set(card.kinds), before)
  const { carded } = stateOf(RED)
  carded.set(keeper.shared, new Set([...(carded.get(keeper.shared) ?? []), to]))
  for (const kind of card.kinds) await keeper.use(to, kind, (store) => store.takeFrom(from))
  await clearKept(keeper, from, card)
  return true
}

async function shareList(keeper: Keeper, one: string, other: string): Promise<boolean> {
  const heads = async (id: string) =>
    (await keeper.use(id, 'batches', listAll)).map((item) => item.id).filter((item) => item.startsWith('head/'))
  const known = new Set(await heads(other))
  return (await heads(one)).some((head) => known.has(head))
}

async function clearKept(keeper: Keeper, id: string, { kinds }: Card): Promise<void> {
  for (const kind of kinds) await keeper.use(id, kind, (store) => store.clear())
  await removeCard(keeper, id)
}

/** A running node in which what another node has left can continue. */
interface KeptTarget {
  readonly id: string
  readonly name: string
  readonly flow: string
  /** The name or the id of the subflow instance that the node is in. */
  readonly inside?: string
}

/** The running nodes of this type that keep their items in the same place. */
export function targetsFor(RED: Host, { type, shared }: Pick<KeptNode, 'type' | 'shared'>): KeptTarget[] {
  const places = flowPlaces(RED)
  const { kinds } = stateOf(RED)
  const runs = ({ id, config, isDisabled }: FlowPlace) =>
    config.type === type && !isDisabled && kinds.has(keptKey(shared, id))
  return [...places.values()].filter(runs).map(({ id, config, flow }) => {
    const instance = id.slice(0, -config.id.length - 1)
    const inside = instance === '' ? {} : { inside: places.get(instance)?.config.name || instance }
    return { id, name: config.name ?? '', flow, ...inside }
  })
}

/** Why something that belongs to no node was neither moved nor deleted. */
type KeptRefusal = 'gone' | 'otherNode' | 'sameList'

/** Finds what a node keeps that is not in the flows, and works on it; nothing else runs meanwhile. */
function withGone<T>(
  RED: Host,
  { id, shared }: Pick<KeptNode, 'id' | 'shared'>,
  task: (keeper: Keeper, card: Card) => Promise<T>,
): Promise<T | 'gone'> {
  const state = stateOf(RED)
  const run = async () => {
    const keeper = keeperOf(RED, shared)
    const card = keeper && (await cardsIn(keeper)).find((one) => one.id === id)?.card
    return keeper && card && !flowPlaces(RED).has(id) ? task(keeper, card) : 'gone'
  }
  const result = state.swept.then(run)
  state.swept = result.then(
    () => undefined,
    () => undefined,
  )
  return result
}

/** Moves everything that a node keeps that is no longer in the flows to a running node of the same type. */
export function continueIn(
  RED: Host,
  kept: Pick<KeptNode, 'id' | 'shared'>,
  to: string,
): Promise<KeptRefusal | 'moved'> {
  return withGone(RED, kept, async (keeper, card) => {
    const place = flowPlaces(RED).get(to)
    const runs = stateOf(RED).kinds.has(keptKey(kept.shared, to))
    if (place?.config.type !== card.type || place.isDisabled || !runs) return 'otherNode'
    if (!(await moveKept(RED, keeper, kept.id, card, to))) return 'sameList'
    tellMoved(RED, to)
    return 'moved'
  })
}

/** Deletes everything that a node keeps that is no longer in the flows. */
export function deleteKept(RED: Host, kept: Pick<KeptNode, 'id' | 'shared'>): Promise<KeptRefusal | 'deleted'> {
  return withGone(RED, kept, async (keeper, card) => {
    await clearKept(keeper, kept.id, card)
    return 'deleted' as const
  })
}
