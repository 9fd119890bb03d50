/** The "sandbox" route: where the simulated service of this Node-RED has its control room. */
import { editorOnly } from '../../lib/runtime/http/editor-only'
import type { Runtime } from '../../lib/runtime/node-red/node-red'

/**
 * Registers `GET eid/client/sandbox`, which answers with `{url}` and starts the simulated service when nothing has
 * used it yet.
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
