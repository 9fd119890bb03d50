/**
 * Runs a whole Node-RED in this process, as users run it, with a node that passes arriving messages to the benchmark.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addNode, linkPackage } from '../test/support/node-red/user-folder'

export interface Message extends Record<string, unknown> {
  n?: number
}

export interface Host {
  /** Passes a message to a node, and resolves with the message that the node `out` gets for it. */
  run(node: string, msg: Message): Promise<Message>
  /** Passes a message to a node, and waits for nothing. */
  give(node: string, msg: Message): void
  /** Called for every message that reaches the node `out`, unless a call of `run` waits for this message. */
  onMessage: (msg: Message) => void
  stop(): Promise<void>
}

interface RedNode {
  receive(msg: Message): void
}

interface Red {
  init(server: unknown, settings: object): void
  start(): Promise<void>
  stop(): Promise<void>
  nodes: { getNode(id: string): RedNode | null }
  events: { once(event: string, listener: () => void): void }
}

const benchNode = `module.exports = (RED) => RED.nodes.registerType('bench-out', function (config) {
  RED.nodes.createNode(this, config)
  this.on('input', (msg, send, done) => { global.benchArrived(msg); done() })
})`

/**
 * Starts Node-RED with these flows. Its user folder is removed at the end, unless the caller names a `folder`, which
 * may have been used before.
 */
export async function startHost(flows: object[], extra: object = {}, folder?: string): Promise<Host> {
  const userDir = folder ?? mkdtempSync(join(tmpdir(), 'eid-bench-'))
  const remove = () => void (folder === undefined && rmSync(userDir, { recursive: true, force: true }))
  // The folder is removed even if something fails before the end.
  process.once('exit', remove)
  if (!existsSync(join(userDir, 'package.json'))) {
    linkPackage(userDir)
    addNode(userDir, 'bench-out', benchNode)
  }
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flows))

  const waiting = new Map<number, (msg: Message) => void>()
  const host: Host = {
    onMessage: () => undefined,
    run: (node, msg) => run(red, waiting, node, msg),
    give: (node, msg) => red.nodes.getNode(node)?.receive(msg),
    async stop() {
      await red.stop()
      remove()
    },
  }
  const home = globalThis as { benchArrived?: (msg: Message) => void }
  home.benchArrived = (msg) => {
    const taker = waiting.get(msg.n ?? -1)
    waiting.delete(msg.n ?? -1)
    if (taker) taker(msg)
    else host.onMessage(msg)
  }
  const red = createRequire(__filename)('node-red') as Red
  const settings = {
    userDir,
    flowFile: 'flows.json',
    httpAdminRoot: '/admin',
    httpNodeRoot: '/',
    credentialSecret: 'bench',
  }
  red.init(createServer(), { ...settings, logging: { console: { level: 'fatal' } }, ...extra })
  const started = new Promise<void>((resolve) => red.events.once('flows:started', resolve))
  await red.start()
  await started
  return host
}

let next = 0

function run(red: Red, waiting: Map<number, (msg: Message) => void>, node: string, msg: Message): Promise<Message> {
  return new Promise((resolve) => {
    const n = ++next
    waiting.set(n, resolve)
    red.nodes.getNode(node)?.receive({ ...msg, n })
  })
}

/** Returns the message that was sent; rejects if a Catch node has sent the message. */
export async function good(sent: Promise<Message>): Promise<Message> {
  const msg = await sent
  if (msg.error || !msg.payload) throw new Error(JSON.stringify(msg.error))
  return msg
}
