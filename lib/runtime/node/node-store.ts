/**
 * Opens a node's stores according to its setting `shared`: one store for each kind of item, and one
 * reporter for all stores of the node.
 */
import { EidError } from '../../api/errors/errors'
import { openStore } from '../../store/open'
import type { Limits, Store, StoreEvent, StoreOptions } from '../../store/store'
import type { LiveNode } from './live-node'
import type { FlowMessage, RuntimeNode } from '../node-red/node-red'
import type { LiveStatus } from './status'
import { findShared } from '../node-red/store-node'
import { noteKept, sharedOf } from '../monitor/kept-nodes'

interface LiveStoreOptions extends Limits {
  /** The kind of item, such as `waits`: letters only. */
  readonly kind: string
  /** Called when the store works again after a fault. */
  readonly back?: () => void
  /** The owner of the data; the node itself if absent. */
  readonly owner?: Pick<RuntimeNode, 'id'>
  /** Where all nodes keep this kind together: in the database of this Node-RED, or in the node's shared store. */
  readonly together?: 'here' | 'shared'
}

/** Used in place of the id of a node for items that all nodes keep together. */
const commonOwner = 'eid-common'

type Live = Pick<LiveNode<never>, 'RED' | 'node' | 'config' | 'translate' | 'fail' | 'passed' | 'closing'> & {
  readonly status: Pick<LiveStatus, 'setResult' | 'rest'>
}

/**
 * Events that are warnings, with their keys in the node's `warnings`. The other events are errors, or the end of an
 * error.
 */
const warnings: Partial<Record<StoreEvent, string>> = {
  volatile: 'warnings.store',
  unreadable: 'warnings.unreadable',
}

/**
 * Opens a store. Throws EID_CONFIG if the shared store does not exist. While a database can't be reached
 * or nothing can be written, the status shows a single error, however many stores the node has.
 */
export function openNodeStore(live: Live, { back, owner = live.node, together, ...options }: LiveStoreOptions): Store {
  const { RED, config, closing } = live
  const reporter = reporters.get(live) ?? createReporter(live)
  reporters.set(live, reporter)
  const { userDir } = RED.settings
  const onStoreEvent = reporter(back)
  const shared = together === 'here' ? undefined : findShared(RED, config.shared)
  if (together) return openStore({ nodeId: commonOwner, userDir }, { ...options, shared, closing, onStoreEvent })
  noteKept(RED, sharedOf(config), owner.id, options.kind, owner === live.node ? config : undefined)
  return openStore({ nodeId: owner.id, userDir }, { ...options, shared, closing, onStoreEvent })
}

/** Creates the event handler for one store of a node. The handler calls `back` when the store works again. */
type Reporter = (back: (() => void) | undefined) => StoreOptions['onStoreEvent']

const reporters = new WeakMap<Live, Reporter>()

function createReporter(live: Live): Reporter {
  const { node, translate, status } = live
  const faults = new Map<object, StoreEvent>()
  /** What is reported once, however many stores the node has. */
  const told = new Set<StoreEvent>()
  const end = (part: object, back: () => void) => {
    const fault = faults.get(part)
    faults.delete(part)
    // A database that can be reached again works for all stores of the node. So the fault `away` also ends for the
    // other stores, even for a store that has been closed since.
    for (const [other, one] of faults) if (one === 'away' && fault === 'away') faults.delete(other)
    if (faults.size === 0) {
      live.passed()
      status.setResult(undefined)
      status.rest()
    }
    back()
  }
  return (back = () => undefined) => {
    const part = {}
    return (event, error) => {
      if (event === 'back') return end(part, back)
      const warning = warnings[event]
      if (event === 'volatile' && told.has(event)) return
      if (event === 'volatile') told.add(event)
      if (warning) return node.warn(translate(warning))
      // It is over when a person has read it.
      if (event === 'notice') return node.error(live.fail(error), {})
      const isFirst = faults.size === 0
      faults.set(part, event)
      if (isFirst) node.error(live.fail(error), {})
    }
  }
}

/**
 * Returns the result of `make`. If it throws, the store is closed here, because a node that failed to start is never
 * closed.
 */
export async function orClose<T>(store: Pick<Store, 'close'>, make: () => T): Promise<T> {
  try {
    return make()
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Whether several Node-REDs share the data of this node. */
export function isShared({ config }: Pick<Live, 'config'>): boolean {
  return typeof config.shared === 'string' && config.shared !== ''
}

/** Returns a function that reports a failure of a store's background work, unless the store has reported it already. */
export function reportFailures(live: Pick<Live, 'node' | 'fail'>): (error: unknown, msg?: FlowMessage) => void {
  return (error, msg = {}) => {
    if (!isReportedByStore(error)) live.node.error(live.fail(error), msg)
  }
}

/**
 * True for faults that the store has reported already: the store can't be reached, written or read, or belongs to
 * another process.
 */
export function isReportedByStore(error: unknown): boolean {
  return (
    error instanceof EidError &&
    /^config\.store(Away|Refused|Pg|Closed|Unwritten|ReadOnly|Unread|Broken|Owned|Newer)$/.test(error.text.key)
  )
}
