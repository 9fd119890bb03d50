/**
 * A Node-RED in a process of its own, with a user folder, for tests that kill it. Exchanges messages with its parent.
 */
import helper from 'node-red-node-test-helper'
import { appendFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { dirname, join } from 'node:path'
import alerts from '../../../nodes/alerts/alerts'
import approve from '../../../nodes/approve/approve'
import batch from '../../../nodes/batch/batch'
import client from '../../../nodes/client/client'
import createDocument from '../../../nodes/create-document/create-document'
import archive from '../../../nodes/archive/archive'
import document from '../../../nodes/document/document'
import embed from '../../../nodes/embed/embed'
import events from '../../../nodes/events/events'
import pending from '../../../nodes/pending/pending'
import shareCreate from '../../../nodes/share-create/share-create'
import store from '../../../nodes/store/store'
import wait from '../../../nodes/wait/wait'
import webhook from '../../../nodes/webhook/webhook'
import type { NodeConfig, Runtime } from '../../../lib/runtime/node-red/node-red'
import type { StoreNode } from '../../../lib/runtime/node-red/store-node'
import { lightSpies } from '../light-spies'

/** The options from the parent. Everything that reaches a node of type `helper` is reported to the parent. */
export interface RedProcess {
  readonly flow: readonly Readonly<Record<string, unknown>>[]
  readonly credentials?: Readonly<Record<string, object>>
  readonly userDir: string
  /** Whether the context is stored on disk. By default, it is in memory, as in a fresh Node-RED. */
  /**
   * The ids of nodes whose statuses are reported too. A status is reported like a message that has arrived at a node
   * `status of <id>`.
   */
  readonly statusOf?: readonly string[]
  /**
   * The path of a file that only this process writes. Each message that arrives is written to this file before it is
   * reported to the parent.
   */
  readonly ledger: string
  /** How many milliseconds the process's clocks are ahead: both the system clock and the monotonic clock. */
  readonly aheadMs?: number
  /**
   * The version that the nodes write into the items of a shared store; 1 if absent. A higher version makes the process
   * act as a newer package.
   */
  readonly storedVersion?: number
}

/**
 * The parent sends messages for a node. The parent receives the `url` once the flow runs, and then each message that
 * arrived.
 */
export type FromParent = { readonly to: string; readonly msg: Record<string, unknown> }
export type ToParent =
  | { readonly url: string }
  | { readonly at: string; readonly msg: Readonly<Record<string, unknown>> }

const {
  flow,
  credentials,
  userDir,
  statusOf = [],
  ledger,
  storedVersion = 1,
  aheadMs = 0,
} = JSON.parse(process.argv[2] ?? '{}') as RedProcess
const runtime = join(dirname(require.resolve('node-red')), '../../@node-red/runtime/lib/nodes/index.js')
const tell = (message: ToParent) => process.send?.(message)

async function main(): Promise<void> {
  setAhead(aheadMs)
  const { default: nodes } = (await import(runtime)) as { default: { loadContextsPlugin(): Promise<void> } }
  helper.init(require.resolve('node-red'))
  helper._sandbox = lightSpies()
  helper.settings({ userDir })
  let app: RequestListener | undefined
  const serve = (RED: Runtime) => void (app = RED.httpNode as unknown as RequestListener)
  const modules = [
    batch,
    client,
    createDocument,
    archive,
    document,
    embed,
    events,
    pending,
    shareCreate,
    storeOf(storedVersion),
    wait,
    webhook,
    alerts,
    approve,
    serve,
    () => nodes.loadContextsPlugin(),
  ]
  // Without a place on the canvas Node-RED takes a node for a config node.
  const placed = flow.map((one) => ('z' in one ? { x: 1, y: 1, ...one } : one))
  await helper.load(modules, [{ id: 'f', type: 'tab', label: 'test' }, ...placed], credentials)
  for (const { id, type } of flow) {
    if (type === 'helper') helper.getNode(String(id))?.on('input', (msg: Record<string, unknown>) => report(id, msg))
  }
  for (const id of statusOf) {
    const listener = ({ firstArg }: { firstArg: Record<string, unknown> }) => report(`status of ${id}`, firstArg)
    helper.getNode(id)?.on('call:status', listener)
  }
  process.on('message', ({ to, msg }: FromParent) => helper.getNode(to)?.receive(msg))
  // Stops the flows before the process exits, as Node-RED does when it is shut down.
  process.on('SIGTERM', () => void helper.unload().then(() => process.exit()))
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => app?.(request, response))
  server.listen(0, '127.0.0.1', () => tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
}

function setAhead(by: number): void {
  const { now } = Date
  const { uptime } = os
  Date.now = () => now() + by
  os.uptime = () => uptime() + by / 1000
}

/** Returns the module of the shared store, changed so that it stores items with this version. */
function storeOf(version: number): typeof store {
  return (RED) => {
    const registerType: Runtime['nodes']['registerType'] = (type, construct, options) => {
      const constructNewer = function (this: StoreNode, config: NodeConfig) {
        construct.call(this, config)
        const { openStore } = this
        this.openStore = (nodeId, stored) => openStore(nodeId, { ...stored, version })
      }
      RED.nodes.registerType(type, constructNewer as typeof construct, options)
    }
    store({ ...RED, nodes: { ...RED.nodes, registerType } })
  }
}

function report(id: unknown, msg: Record<string, unknown>): void {
  const arrived = { at: String(id), msg }
  appendFileSync(ledger, `${JSON.stringify(arrived)}\n`)
  tell(arrived)
}

void main()
