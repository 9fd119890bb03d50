/**
 * A Node-RED in a process of its own, with its editor's API on a free port. Reports its routes, resources and memory to
 * its parent.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { linkPackage } from './user-folder'
import type { FromRed, RedOptions, ToRed } from './inspected'

interface Layer {
  readonly route?: { readonly path: string | RegExp; readonly methods: Readonly<Record<string, boolean>> }
  /** The handler of the layer, which may be a router. */
  readonly handle?: App & { readonly stack?: readonly Layer[] }
}

/** Express 4 keeps its router in `_router`, Express 5 in `router`. */
interface App {
  readonly _router?: { readonly stack: readonly Layer[] }
  readonly router?: { readonly stack: readonly Layer[] }
}

interface Red {
  init(server: unknown, settings: object): void
  start(): Promise<void>
  stop(): Promise<void>
  events: NodeJS.EventEmitter
  httpAdmin: App & ((request: unknown, response: unknown) => void)
  httpNode: App & ((request: unknown, response: unknown) => void)
  /** Where nodes add their routes for the editor. */
  runtime: { httpAdmin: App }
}

const options = JSON.parse(process.argv[2] ?? '{}') as RedOptions
const requireRed = createRequire(require.resolve('node-red'))
const red = requireRed('node-red') as Red

async function main(): Promise<void> {
  fillFolder(options)
  const server = createServer((request, response) => {
    // Routes requests as Node-RED itself does: the editor below /admin, everything else to the flows.
    const app = request.url?.startsWith('/admin') ? red.httpAdmin : red.httpNode
    if (request.url?.startsWith('/admin')) request.url = request.url.slice('/admin'.length) || '/'
    app(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  red.init(server, {
    userDir: options.userDir,
    flowFile: 'flows.json',
    httpAdminRoot: '/',
    httpNodeRoot: '/',
    credentialSecret: 'misuse',
    telemetry: { enabled: false },
    logging: { console: { level: 'fatal' } },
    ...options.settings,
    ...(options.people && { adminAuth: { type: 'credentials', users: usersOf(options.people) } }),
  })
  const started = new Promise<void>((resolve) => red.events.once('flows:started', resolve))
  await red.start()
  await started
  process.on('message', (asked: ToRed) => answer(asked))
  const { port } = server.address() as AddressInfo
  tell({ kind: 'ready', url: `http://127.0.0.1:${port}` })
}

/** Fills the user folder with the built package, as an installation does, and with the flows. */
function fillFolder({ userDir, flows, withPackage = true }: RedOptions): void {
  if (withPackage) linkPackage(userDir)
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flows))
}

/** The users. The password of each user is the user's name. */
function usersOf(people: Readonly<Record<string, string>>) {
  const { hashSync } = requireRed('bcryptjs') as { hashSync(password: string, rounds: number): string }
  return Object.entries(people).map(([username, permissions]) => ({
    username,
    password: hashSync(username, 4),
    permissions,
  }))
}

function answer(asked: ToRed): void {
  if (asked === 'routes')
    return tell({ kind: 'routes', admin: routesOf(red.runtime.httpAdmin), node: routesOf(red.httpNode) })
  // The collection takes several rounds, because finalizers run between two rounds.
  for (let round = 0; round < 3; round++) globalThis.gc?.()
  tell({
    kind: 'measured',
    resources: countOf(process.getActiveResourcesInfo()),
    listeners: { process: listenersOf(process), events: listenersOf(red.events) },
    layers: { admin: layersOf(red.runtime.httpAdmin).length, node: layersOf(red.httpNode).length },
    heap: process.memoryUsage().heapUsed,
  })
}

/** Every layer, including those inside routers. */
function layersOf(app: NonNullable<Layer['handle']>): Layer[] {
  const stack = app.stack ?? app._router?.stack ?? app.router?.stack ?? []
  return stack.flatMap((layer) => [layer, ...(layer.handle ? layersOf(layer.handle) : [])])
}

function routesOf(app: App): string[] {
  return layersOf(app).flatMap(({ route }) =>
    route ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${String(route.path)}`) : [],
  )
}

function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function listenersOf(emitter: NodeJS.EventEmitter): number {
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
}

function tell(what: FromRed): void {
  process.send?.(what)
}

void main()
