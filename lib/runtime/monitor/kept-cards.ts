/**
 * Which nodes keep something: a card for each, stored beside what they keep, so that it is known after the node has left
 * the flows.
 */
import { isPlainObject } from '../../common/plain-object'
import { listAll } from '../../store/list-all'
import { openStore, type SharedStore } from '../../store/open'
import type { Store } from '../../store/store'
import { flowPlaces } from '../node-red/flow-places'
import type { Runtime } from '../node-red/node-red'
import { findShared } from '../node-red/store-node'

export type Host = Pick<Runtime, 'nodes' | 'events' | 'settings'>

/** What is stored about a node that keeps something, so that it is known after the node has left the flows. */
export interface Card {
  readonly type: string
  readonly name: string
  readonly flow: string
  readonly kinds: readonly string[]
  /** When the node left the flows, in milliseconds since 1970. */
  readonly left?: number
}

/** The owner of the cards; no node has this id. */
const cardsOwner = 'kept-nodes'

/** Everything that nodes keep in this Node-RED, or in one shared store. */
export interface Keeper {
  readonly shared: string
  use<T>(id: string, kind: string, task: (store: Store) => Promise<T>): Promise<T>
}

export function keepersOf(RED: Host): Keeper[] {
  const ids = [...flowPlaces(RED).values()].flatMap(({ config, id }) => (config.type === 'eid-store' ? [id] : []))
  return ['', ...ids].flatMap((shared) => keeperOf(RED, shared) ?? [])
}

/** Undefined if the shared store does not run. */
export function keeperOf(RED: Host, shared: string): Keeper | undefined {
  let store: SharedStore | undefined
  try {
    store = findShared(RED, shared)
  } catch {
    return undefined
  }
  const { userDir } = RED.settings
  return {
    shared,
    async use(nodeId, kind, task) {
      const opened = openStore({ nodeId, userDir }, { kind, shared: store, isVisit: true })
      try {
        return await task(opened)
      } finally {
        await opened.close()
      }
    },
  }
}

export const cardsIn = (keeper: Keeper) =>
  keeper.use(cardsOwner, 'nodes', async (cards) =>
    (await listAll(cards)).flatMap(({ id, summary }) => {
      const card = cardOf(summary)
      return card ? [{ id, card }] : []
    }),
  )

function cardOf(summary: unknown): Card | undefined {
  if (!isPlainObject(summary) || !Array.isArray(summary.kinds)) return undefined
  const { type, name, flow, kinds, left } = summary
  const card = { type: String(type), name: String(name), flow: String(flow), kinds: kinds.map(String) }
  return typeof left === 'number' ? { ...card, left } : card
}

export const putCard = (keeper: Keeper, id: string, card: Card) =>
  keeper.use(cardsOwner, 'nodes', (cards) => cards.put(id, { summary: card }))

export const removeCard = (keeper: Keeper, id: string) => keeper.use(cardsOwner, 'nodes', (cards) => cards.remove(id))
