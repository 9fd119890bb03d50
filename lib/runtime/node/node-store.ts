/**
 * Opens what a node must not forget, as its settings `store` and `shared` say, and tells the person of its troubles.
 */
import { EidError } from '../../api/errors/errors'
import { removeAbandoned } from '../../store/abandoned'
import { openStore } from '../../store/open'
import type { Limits, Store, StoreEvent } from '../../store/store'
import type { LiveNode } from './live-node'
import type { FlowMessage, Runtime, RuntimeNode } from '../node-red/node-red'
import type { LiveStatus } from './status'
import { findShared } from '../node-red/store-node'

interface LiveStoreOptions extends Limits {
  /** What is kept, such as `waits`: letters only. */
  readonly kind: string
  /** The database is there again, after it was away. */
  readonly back?: () => void
  /**
   * Whether the person is told when the database is away, or nothing can be written; of several stores of one node, one
   * tells it. True when absent.
   */
  readonly tells?: boolean
  /** Whose it is; the node itself when absent. */
  readonly owner?: Pick<RuntimeNode, 'id' | 'context'>
}

type Live = Pick<LiveNode<never>, 'RED' | 'node' | 'config' | 'translate' | 'fail'> & {
  readonly status: Pick<LiveStatus, 'setResult' | 'rest'>
}

/** What is a warning, by the keys of the node's `warnings`; the other events are errors, or the end of one. */
const warnings: Partial<Record<StoreEvent, string>> = {
  volatile: 'warnings.store',
  unreadable: 'warnings.unreadable',
}

/**
 * Throws EID_CONFIG when a store is named that does not exist. While a database is away or nothing can be written, the
 * status says so; it is one error.
 */
export function openNodeStore(
  live: Live,
  { back, tells = true, owner = live.node, ...options }: LiveStoreOptions,
): Store {
  const { RED, node, config, translate, status } = live
  const onStoreEvent = (event: StoreEvent, error?: unknown) => {
    const warning = warnings[event]
    if (warning && (tells || event === 'unreadable')) return node.warn(translate(warning))
    if (!tells || warning) return
    if (event !== 'back') return node.error(live.fail(error), {})
    status.setResult(undefined)
    status.rest()
    back?.()
  }
  const { userDir, contextStorage } = RED.settings
  if (userDir !== undefined) sweepOnce(RED, userDir)
  const host = { nodeId: owner.id, userDir, contextStorage, context: () => owner.context() }
  const store = typeof config.store === 'string' ? config.store.trim() : ''
  return openStore(host, { ...options, store, shared: findShared(RED, config.shared), onStoreEvent })
}

let swept = false

/** When all nodes of the first start are known, what belongs to none of them is looked at. */
function sweepOnce(RED: Runtime, userDir: string): void {
  if (swept) return
  swept = true
  RED.events.once('flows:started', () => {
    const ids: string[] = []
    RED.nodes.eachNode(({ id }) => void ids.push(id))
    void removeAbandoned(userDir, ids)
  })
}

/** What `make` gives; when it throws, the store is closed: a node that could not be opened is never closed. */
export async function orClose<T>(store: Pick<Store, 'close'>, make: () => T): Promise<T> {
  try {
    return make()
  } catch (error) {
    await store.close(false)
    throw error
  }
}

/** Whether several Node-REDs share what this node keeps. */
export function isShared({ config }: Pick<Live, 'config'>): boolean {
  return typeof config.shared === 'string' && config.shared !== ''
}

/** Tells the person of what a store's worker rejects with, unless that was told as a trouble already. */
export function tellFailures(live: Pick<Live, 'node' | 'fail'>): (error: unknown, msg?: FlowMessage) => void {
  return (error, msg = {}) => {
    if (!isToldTrouble(error)) live.node.error(live.fail(error), msg)
  }
}

/** True for what the store has reported already: it can't be reached, written or read. */
export function isToldTrouble(error: unknown): boolean {
  return error instanceof EidError && /^config\.store(Away|Refused|Pg|Closed|Unwritten|Unread)$/.test(error.text.key)
}
