/** Serves the public addresses of the nodes under test, or their admin routes, on a free port. */
import type { RequestListener } from 'node:http'
import { serve } from './servers/http-server'
import type { NodeModuleLike } from './node-types'

export interface PublicSide {
  readonly url: string
  /**
   * The module that a test loads beside the node under test. Once this module is loaded, the node's public routes are
   * served at `url`.
   */
  readonly module: NodeModuleLike
  close(): Promise<void>
}

export async function startPublicSide(side: 'httpNode' | 'httpAdmin' = 'httpNode'): Promise<PublicSide> {
  let app: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = await serve((request, response) => app(request, response))
  return {
    url: server.url,
    module: (RED) => void (app = RED[side] as unknown as RequestListener),
    close: () => server.close(),
  }
}
