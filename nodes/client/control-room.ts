/** The "sandbox" route: returns the address of the simulated service's control room. */
import { editorOnly } from '../../lib/runtime/http/editor-only'
import type { Runtime } from '../../lib/runtime/node-red/node-red'

/**
 * Registers `GET eid/client/sandbox`, which returns `{url}` and starts the simulated service if nothing has used it
 * yet.
 */
export function registerControlRoomRoute(RED: Runtime): void {
  RED.httpAdmin.get('/eid/client/sandbox', ...editorOnly(RED, 'eid.read'), (_request, response) => {
    const find = async () => {
      const { sharedSandbox } = await import('../../sandbox/index.js')
      return `${(await sharedSandbox()).url}/`
    }
    find().then(
      (url) => response.json({ url }),
      () => response.status(503).json({}),
    )
  })
}
