/**
 * A flow under test in a real Node-RED runtime. Tests send messages, and read the resulting messages, caught errors,
 * statuses and warnings.
 */
import type { EventEmitter } from 'node:events'
import helper, { type TestNode } from 'node-red-node-test-helper'
import client from '../../nodes/client/client'
import { openStore } from '../../lib/store/open'
import type { Store } from '../../lib/store/store'
import { hangSeconds, within } from './time'
import { lightSpies } from './light-spies'
import type { FlowMessage, NodeModuleLike, NodeStatus } from './node-types'

helper.init(require.resolve('node-red'))
helper._sandbox = lightSpies()
const { events } = require('@node-red/util') as { events: EventEmitter }
// Each flow of a test file registers the package once more, with its listeners.
events.setMaxListeners(0)
// Node-RED abandons a node that takes longer than 15 seconds to close. Here, such a node makes its test hang.
helper.settings({ nodeCloseTimeout: 2 * hangSeconds * 1000 })

export interface Caught extends FlowMessage {
  error: { message: string; code: string; cause: Record<string, unknown>; source: { id: string } }
}

export interface Flow {
  /** Sends a message to the node `n`, or to another node. */
  send(msg: FlowMessage, node?: string): void
  /** The next message that leaves `n` at this output (0 is the first). */
  next(output?: number): Promise<FlowMessage>
  /** The next error that reaches the Catch node. */
  caught(): Promise<Caught>
  /** The next message that the Complete node reports. */
  completed(): Promise<FlowMessage>
  readonly statuses: NodeStatus[]
  readonly warnings: string[]
  /** How many messages, errors and completions have arrived and were not read yet. */
  waiting(): { out: number; caught: number; completed: number }
  /** How many messages came out of one output and were not read yet. */
  waitingAt(output: number): number
  /** Deploys changed settings of `n`, or of another node. A full deploy restarts all nodes. */
  redeploy(settings: object, node?: string, what?: 'nodes' | 'full'): Promise<void>
  node(id?: string): TestNode
}

export interface FlowOptions {
  readonly type: string
  readonly module: NodeModuleLike
  readonly settings?: object
  readonly client?: object
  readonly credentials?: object
  /** Credentials of the node under test. */
  readonly secrets?: object
  readonly outputs?: number
  /** Further nodes of the flow and their modules. */
  readonly more?: readonly object[]
  readonly modules?: readonly NodeModuleLike[]
  /** Credentials of further nodes by their ids. */
  readonly moreSecrets?: Readonly<Record<string, object>>
}

/**
 * Starts a flow of the node under test (`n`), its client (`c`), a collector per output, a Catch and a Complete node.
 */
export async function startFlow(options: FlowOptions): Promise<Flow> {
  const outputs = options.outputs ?? 1
  const collectors = Array.from({ length: outputs }, (_none, index) => ({ id: `out${index}`, z: 'f', type: 'helper' }))
  const node = {
    id: 'n',
    z: 'f',
    type: options.type,
    client: 'c',
    wires: collectors.map(({ id }) => [id]),
    ...options.settings,
  }
  const flow = [
    { id: 'f', type: 'tab', label: 'test' },
    { id: 'c', type: 'eid-client', retries: 0, ...options.client },
    node,
    ...collectors,
    { id: 'catch', z: 'f', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
    { id: 'errors', z: 'f', type: 'helper' },
    { id: 'complete', z: 'f', type: 'complete', scope: ['n'], wires: [['completions']] },
    { id: 'completions', z: 'f', type: 'helper' },
    ...(options.more ?? []),
  ]
  const secrets = {
    c: options.credentials ?? {},
    ...(options.secrets && { n: options.secrets }),
    ...options.moreSecrets,
  }
  // Without a place on the canvas Node-RED takes a node for a config node.
  const placed = flow.map((one) => ('z' in one ? { x: 1, y: 1, ...one } : one))
  await helper.load([client, options.module, ...(options.modules ?? [])], placed, secrets)
  const queues = new Map(
    [...collectors.map(({ id }) => id), 'errors', 'completions'].map((id) => [id, collect(id)] as const),
  )
  const queue = (id: string) => queues.get(id) ?? collect(id)
  const statuses: NodeStatus[] = []
  const warnings: string[] = []
  const nextOf = (id: string) =>
    within(queue(id).next(), () => {
      const errors = queue('errors')
        .all()
        .map(({ error }) => (error as Caught['error']).message)
      const told = { status: statuses.at(-1)?.text, warnings, errors, completed: queue('completions').size() }
      return `nothing has arrived at "${id}": ${JSON.stringify(told)}`
    })
  const watch = () => {
    get('n').on('call:status', (call: { args: unknown[] }) => void statuses.push(call.args[0] as NodeStatus))
    get('n').on('call:warn', (call: { args: unknown[] }) => void warnings.push(String(call.args[0])))
  }
  watch()
  return {
    statuses,
    warnings,
    node: (id = 'n') => get(id),
    send: (msg, id = 'n') => get(id).receive(msg),
    next: (output = 0) => nextOf(`out${output}`),
    caught: () => nextOf('errors') as Promise<Caught>,
    completed: () => nextOf('completions'),
    waiting: () => ({
      out: collectors.reduce((sum, { id }) => sum + queue(id).size(), 0),
      caught: queue('errors').size(),
      completed: queue('completions').size(),
    }),
    waitingAt: (output) => queue(collectors[output]?.id ?? '').size(),
    async redeploy(settings, id = 'n', what = 'nodes') {
      const changed = placed.map((one) => ('id' in one && one.id === id ? { ...one, ...settings } : one))
      const started = new Promise((resolve) => helper._events.once('flows:started', resolve))
      // The helper waits only 0.3 seconds for the flows to start, which is too short on a busy machine.
      await helper.setFlows(changed, what, secrets).catch(async (error: unknown) => {
        if (!(error instanceof Error && error.message === 'timeout waiting event')) throw error
        await started
      })
      watch()
    },
  }
}

/**
 * Returns a function that starts a flow with this node in one of its operations. Each call is attempted once, unless
 * `client` says otherwise.
 */
export const inOperation =
  (type: string, module: NodeModuleLike, baseUrl: () => string) =>
  (operation: string, settings: object = {}, client: object = {}): Promise<Flow> =>
    startFlow({ type, module, settings: { operation, ...settings }, client: { baseUrl: baseUrl(), ...client } })

/** Ends the flow. Every test that has started a flow calls this function. */
export const stopFlow = () => helper.unload()

/** Every kind of item that nodes store. */
const kinds = [
  'waits',
  'approvals',
  'approvalnotes',
  'ended',
  'reminders',
  'batches',
  'pages',
  'ends',
  'events',
  'alerts',
  'deletions',
]

/** Deletes all nodes and what they have stored in memory, so that it does not continue in the next test. */
export async function removeFlow(): Promise<void> {
  if (helper.getNode('c')) {
    const ids = helper._redNodes.getFlows().flows.map(({ id }) => String(id))
    const started = new Promise((resolve) => helper._events.once('flows:started', resolve))
    await helper._redNodes.setFlows([], {}, 'full')
    await started
    await Promise.all(ids.flatMap((id) => kinds.map((kind) => inMemory(id, kind).clear())))
  }
  await helper.unload()
}

/** What a node has stored in memory. */
export function inMemory(nodeId: string, kind: string): Store {
  const host = { nodeId, userDir: undefined }
  return openStore(host, { kind, onStoreEvent: () => undefined })
}

function get(id: string): TestNode {
  const node = helper.getNode(id)
  if (!node) throw new Error(`no node ${id}`)
  return node
}

/** Keeps the messages of a collector until a test reads them. */
function collect(id: string) {
  const arrived: FlowMessage[] = []
  const waiting: ((msg: FlowMessage) => void)[] = []
  get(id).on('input', (msg: FlowMessage) => {
    const taker = waiting.shift()
    if (taker) taker(msg)
    else arrived.push(msg)
  })
  return {
    size: () => arrived.length,
    all: () => arrived,
    next(): Promise<FlowMessage> {
      const msg = arrived.shift()
      return msg ? Promise.resolve(msg) : new Promise((resolve) => waiting.push(resolve))
    },
  }
}
