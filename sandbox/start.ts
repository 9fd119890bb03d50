/** Starts a simulated service: creates its state and its server, and chooses its address. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWorld } from './create-world'
import { operationRoutes, otherRoutes } from './routes'
import { createListener } from './server/listener'
import { createRouter } from './server/router'
import type { Clock } from './state/clock'
import { sweepFolders } from './state/files'
import type { World } from './world'

export interface SandboxOptions {
  /** The port; by default 18499, or the next free port. 0 means any free port. */
  readonly port?: number
  /** The address to listen on; `127.0.0.1` by default. */
  readonly host?: string
  /** The address in links, if it differs from the listening address, as in containers. */
  readonly publicUrl?: string
  /** The folder in which the temporary upload folder is created; by default, the system's own for temporary files. */
  readonly dataDir?: string
}

export interface Sandbox {
  /** Base address, without a slash at the end. */
  readonly url: string
  readonly world: World
  readonly clock: Clock
  /** Lets the process end while the sandbox still listens. */
  unref(): void
  /** Closes all connections and removes uploads. */
  close(): Promise<void>
}

const FIRST_PORT = 18499
const PORTS_TRIED = 20

/** Starts a separate sandbox. Rejects if no port is free. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', publicUrl } = options
  await sweepFolders(options.dataDir)
  const world = createWorld(options)
  const server = createServer(createListener(world, createRouter(operationRoutes, otherRoutes)))
  server.keepAliveTimeout = 60_000
  server.requestTimeout = 0
  await listenNear(server, options.port ?? FIRST_PORT, host)
  world.url = publicUrl?.replace(/\/+$/, '') ?? addressOf(server, host)
  return {
    url: world.url,
    world,
    clock: world.clock,
    unref: () => server.unref(),
    close: () => close(server, world),
  }
}

async function listenNear(server: Server, first: number, host: string): Promise<void> {
  const last = first === 0 ? 0 : Math.min(first + PORTS_TRIED, 65_535)
  for (let port = first; ; port++) {
    try {
      return await listen(server, port, host)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port >= last) throw error
    }
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function close(server: Server, world: World): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      world.reset()
      resolve()
    })
    server.closeAllConnections()
  })
}
