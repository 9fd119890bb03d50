/**
 * A whole Node-RED with the built package in a process of its own, with manipulated clocks and disk. Every message that
 * passes a tap is written to a ledger, which is not affected by the trouble with the disk, and reported to the parent.
 */
import { appendFileSync, existsSync } from 'node:fs'
import { rename, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { addNode, linkPackage } from '../../support/node-red/user-folder'
import type { StoreNode } from '../../../lib/runtime/node-red/store-node'
import { faultyDisk } from '../../support/faulty-disk'
import { bend } from './bent'

/** The options from the parent. */
export interface ChildOptions {
  readonly userDir: string
  readonly ledger: string
  readonly scale: number
  readonly start: number
  readonly clockOffset: number
}

export type FromParent =
  | { readonly send: string; readonly msg: Record<string, unknown> }
  | { readonly deploy: readonly object[]; readonly how: 'full' | 'flows' | 'nodes' }
  | { readonly diskIsFull: boolean }
  | { readonly clock: number }
  | { readonly block: number }

export type ToParent = { readonly ready: true } | { readonly deployed: true } | Tapped

/** A message that passed a tap. */
export interface Tapped {
  readonly tap: string
  /** When the message passed, by the parent's clock. */
  readonly at: number
  readonly msg: Readonly<Record<string, unknown>>
}

interface Red {
  init(server: unknown, settings: object): void
  start(): Promise<void>
  readonly nodes: { getNode(id: string): { receive(msg: object): void } | null }
  readonly events: NodeJS.EventEmitter
  readonly runtime: { readonly flows: { setFlows(options: object): Promise<unknown> } }
}

const options = JSON.parse(process.argv[2] ?? '{}') as ChildOptions
const { userDir, ledger, scale, start, clockOffset } = options
const realNow = Date.now.bind(Date)
const bent = bend(scale, start, clockOffset)
/** The disk of the embedded database. */
const disk = faultyDisk()

/**
 * A node that passes messages on within the same turn. Otherwise, a deploy would lose the messages that Node-RED holds
 * between two nodes, which the model does not test.
 */
const tapNode = `module.exports = (RED) => RED.nodes.registerType('model-tap', function (config) {
  RED.nodes.createNode(this, config)
  this.on('input', (msg, send, done) => {
    global.modelTapped(config.id, msg)
    for (const id of config.wires[0] || []) {
      const next = RED.nodes.getNode(id)
      if (next) next.receive(msg)
      // As Node-RED does before it finds the node missing.
      else RED.hooks.trigger('preRoute', { msg, destination: { id } }, () => undefined)
    }
    done()
  })
})`
/**
 * A node that returns a message to the first node, once, if the failed call certainly did nothing. All other messages
 * leave its second output.
 */
const againNode = `module.exports = (RED) => RED.nodes.registerType('model-again', function (config) {
  RED.nodes.createNode(this, config)
  this.on('input', (msg, send, done) => {
    const again = msg.error?.cause?.outcome === 'not-done' && !msg.again
    if (again) { msg.again = true; delete msg.error }
    send(again ? [msg, null] : [null, msg])
    done()
  })
})`

/** Nodes of Node-RED that no flow of the model uses; loading them would take most of the start. */
const unused = [
  '05-junction.js',
  '20-inject.js',
  '21-debug.js',
  '24-complete.js',
  '25-status.js',
  '90-comment.js',
  '91-global-config.js',
  '10-function.js',
  '10-switch.js',
  '15-change.js',
  '16-range.js',
  '80-template.js',
  '89-delay.js',
  '89-trigger.js',
  '90-exec.js',
  'rbe.js',
  '10-mqtt.js',
  '21-httpin.js',
  '21-httprequest.js',
  '22-websocket.js',
  '31-tcpin.js',
  '32-udp.js',
  '70-CSV.js',
  '70-HTML.js',
  '70-JSON.js',
  '70-XML.js',
  '70-YAML.js',
  '17-split.js',
  '18-sort.js',
  '19-batch.js',
  '10-file.js',
  '23-watch.js',
  '60-link.js',
]

async function main(): Promise<void> {
  if (!existsSync(join(userDir, 'nodes'))) {
    linkPackage(userDir)
    addNode(userDir, 'model-tap', tapNode)
    addNode(userDir, 'model-again', againNode)
  }
  Object.assign(globalThis, { modelTapped: tapped })
  const red = createRequire(__filename)('node-red') as Red
  red.init(createServer(), {
    userDir,
    flowFile: 'flows.json',
    credentialSecret: false,
    httpAdminRoot: '/admin',
    disableEditor: true,
    telemetry: { enabled: false },
    nodesExcludes: unused,
    logging: { console: { level: 'off' } },
    ...(process.env.EID_MODEL_LOG && { logging: { console: { level: 'warn' } } }),
  })
  const started = new Promise<void>((resolve) => red.events.once('flows:started', resolve))
  sharedStore = () => red.nodes.getNode('s')
  await red.start()
  await started
  process.on('disconnect', () => process.exit(0))
  process.on('message', (message: FromParent) => obey(red, message))
  tell({ ready: true })
}

function obey(red: Red, message: FromParent): void {
  if ('send' in message) return void red.nodes.getNode(message.send)?.receive(message.msg)
  if ('diskIsFull' in message) return message.diskIsFull ? disk.fail('ENOSPC') : disk.works()
  if ('clock' in message) return bent.setClock(message.clock)
  if ('block' in message) {
    const end = realNow() + message.block
    while (realNow() < end);
    return
  }
  const done = new Promise<void>((resolve) => red.events.once('flows:started', resolve))
  void red.runtime.flows
    .setFlows({ flows: { flows: message.deploy }, deploymentType: message.how })
    .then(() => done)
    .then(() => tell({ deployed: true }))
}

function tapped(tap: string, msg: Record<string, unknown>): void {
  const { req: _req, res: _res, ...rest } = msg
  const line: Tapped = { tap, at: realNow(), msg: rest }
  write(line)
  if (tap.startsWith('enter-')) void provePassed(tap.replace('enter', 'settled'), rest)
}

let proofs = 0
let sharedStore: () => object | null = () => null

/**
 * Writes the message to the ledger again once this machine has had the time that it takes to store a message; until
 * then, a kill may lose it. The time is measured by writing files in the same way, several times, because other writes
 * may come before the message.
 */
async function provePassed(tap: string, msg: Record<string, unknown>): Promise<void> {
  const path = join(userDir, `proof-${proofs++}`)
  const shared = sharedStore() as Partial<StoreNode> | null
  const store = shared?.openStore?.('proof', { kind: 'proof', onStoreEvent: () => undefined })
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    await writeFile(`${path}.new`, path)
    await rename(`${path}.new`, path)
  }
  await unlink(path)
  const isKept = await store?.put(path, { body: path }).then(
    () => true,
    () => false,
  )
  await store?.close()
  if (isKept === false) return
  write({ tap, at: realNow(), msg })
}

function write(line: Tapped): void {
  appendFileSync(ledger, `${JSON.stringify(line)}\n`)
  tell(line)
}

function tell(message: ToParent): void {
  process.send?.(message)
}

void main()
