/** Serves the public addresses of the nodes under test, or their admin routes, on a free port. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NodeModuleLike } from './types'

export interface PublicSide {
  readonly url: string
  /** Loaded beside the node under test: from then on its public routes are served here. */
  readonly module: NodeModuleLike
  close(): Promise<void>
}

export async function startPublicSide(side: 'httpNode' | 'httpAdmin' = 'httpNode'): Promise<PublicSide> {
  let app: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => app(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    module: (RED) => void (app = RED[side] as unknown as RequestListener),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
