/**
 * A whole Node-RED with the built package, in a process of its own that may be killed. Exchanges messages with its
 * parent.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { addNode, linkPackage } from '../support/node-red/user-folder'
import { until } from '../support/time'

export type FromParent =
  | { readonly send: string; readonly msg: Record<string, unknown> }
  | { readonly deploy: readonly object[]; readonly how: 'full' | 'nodes' }
  | { readonly leaks: true }

export type ToParent =
  | { readonly ready: number }
  | {
      readonly at: string
      readonly n: number
      readonly code?: string
      readonly outcome?: string
      readonly msg: Reached
    }
  | { readonly deployed: true }
  | { readonly leaks: readonly string[] }

/** What the parent needs to know about a message that reached a collector. */
interface Reached {
  readonly embedUrl?: string
  readonly eventId?: string
  readonly error?: string
  /** Whether the message may have been sent before. */
  readonly redelivered?: boolean
  /** For a batch: the status at its second output, and how many rows are done. */
  readonly status?: string
  readonly done?: number
}

interface Red {
  init(server: unknown, settings: object): void
  start(): Promise<void>
  readonly httpNode: RequestListener & { readonly _router?: { readonly stack: unknown[] } }
  readonly nodes: { getNode(id: string): { receive(msg: object): void } | null }
  readonly events: NodeJS.EventEmitter
  readonly runtime: { readonly flows: { setFlows(options: object): Promise<unknown> } }
}

interface Arrived extends Record<string, unknown> {
  readonly error?: { readonly code?: string; readonly cause?: { readonly outcome?: string } }
}

const userDir = process.argv[2] ?? ''
const written = join(userDir, 'captured.txt')
const note = (what: string, value: unknown) => appendFileSync(written, `${what} ${JSON.stringify(value)}\n`)

const collector = `module.exports = (RED) => RED.nodes.registerType('soak-out', function (config) {
  RED.nodes.createNode(this, config)
  this.on('input', (msg, send, done) => { global.soakArrived(config.id, msg); done() })
})`

function furnish(): void {
  if (existsSync(join(userDir, 'package.json'))) return
  linkPackage(userDir)
  addNode(userDir, 'soak-out', collector)
  writeFileSync(join(userDir, 'flows.json'), '[]')
}

async function main(): Promise<void> {
  furnish()
  const red = createRequire(__filename)('node-red') as Red
  const app: { handle: RequestListener } = { handle: (_request, response) => void response.writeHead(503).end() }
  const server = createServer((request, response) => app.handle(request, response))
  const logging = { soak: { level: 'trace', handler: () => (line: unknown) => note('log', line) } }
  const settings = { userDir, flowFile: 'flows.json', httpAdminRoot: '/admin', httpNodeRoot: '/' }
  red.init(server, { ...settings, credentialSecret: 'soak-at-rest', logging })
  red.events.on('node-status', (status: unknown) => note('status', status))
  const started = new Promise<void>((resolve) => red.events.once('flows:started', resolve))
  await red.start()
  await started
  app.handle = red.httpNode
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  listen(red)
  tell({ ready: (server.address() as AddressInfo).port })
}

function listen(red: Red): void {
  let before: ReadonlyMap<string, number> = new Map()
  Object.assign(globalThis, { soakArrived: arrived })
  process.on('disconnect', () => process.exit(0))
  process.on('message', (message: FromParent) => {
    if ('send' in message) return void red.nodes.getNode(message.send)?.receive(message.msg)
    if ('leaks' in message) return void leaks(red, before).then((found) => tell({ leaks: found }))
    if (before.size === 0) before = held(red)
    const done = new Promise<void>((resolve) => red.events.once('flows:started', resolve))
    void red.runtime.flows
      .setFlows({ flows: { flows: message.deploy }, deploymentType: message.how })
      .then(() => done)
      .then(() => tell({ deployed: true }))
  })
}

function arrived(at: string, msg: Arrived): void {
  const { error } = msg
  if (at.startsWith('caught')) note('error', { ...error, message: error?.['message' as 'code'] })
  const payload = msg.payload as { payload?: { soak?: unknown }; done?: number } | undefined
  const n = Number(msg.soak ?? payload?.payload?.soak ?? 0)
  const { code, cause } = error ?? {}
  const text = error && JSON.stringify(error)
  const { embedUrl, eventId, redelivered, status } = msg as Reached
  const reached = { embedUrl, eventId, error: text, redelivered, status, done: payload?.done }
  tell({ at: at === 'caught-lists' ? 'caught' : at, n, code, outcome: cause?.outcome, msg: reached })
}

function tell(message: ToParent): void {
  process.send?.(message)
}

/** What this process holds: resources by kind, routes, listeners. */
function held(red: Red): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of process.getActiveResourcesInfo()) counts.set(name, (counts.get(name) ?? 0) + 1)
  counts.set('routes', red.httpNode._router?.stack.length ?? 0)
  for (const [whose, emitter] of [
    ['Node-RED', red.events],
    ['process', process],
  ] as const) {
    for (const event of emitter.eventNames()) {
      counts.set(`listeners of ${whose} for ${String(event)}`, emitter.listenerCount(event))
    }
  }
  return counts
}

/**
 * What is held beyond what was held before any flow ran. Waits until nothing is, because sockets and timers end a little
 * later than their flow; what is still held when the wait counts as hanging is a leak.
 */
async function leaks(red: Red, before: ReadonlyMap<string, number>): Promise<string[]> {
  const more = () => {
    return [...held(red)].filter(([name, count]) => count > (before.get(name) ?? 0) && name !== 'FSReqCallback')
  }
  await until(() => more().length === 0).catch(() => undefined)
  return more().map(([name, count]) => `${name}: ${before.get(name) ?? 0} before, ${count} after`)
}

void main()
