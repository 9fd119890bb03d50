/** The sidebar tab "eID": pending waits, errors, batches and clients, for users with the permission to read them. */
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { errorsOf, maxErrors } from '../../lib/runtime/journal/errors'
import { createTranslate } from '../../lib/runtime/node-red/texts'
import { openStore } from '../../lib/store/open'
import { registerRoutes } from './server/routes'

export = (RED: Runtime): void => {
  RED.plugins?.registerPlugin('eid-sidebar', { type: 'eid-sidebar' })
  registerRoutes(RED)
  void errorsOf(RED).load(openErrorStore(RED), () =>
    RED.log?.warn?.(createTranslate(RED, 'sidebar', {})('troubles.dropped')),
  )
}

/**
 * Errors are stored in files below the user folder, because context stores belong to nodes, and these errors do not.
 */
function openErrorStore({ settings: { userDir } }: Runtime) {
  // The store's host has no context stores here, so there is no context to return.
  const context = () => {
    throw new Error()
  }
  const host = { nodeId: 'sidebar-tab', userDir, contextStorage: undefined, context }
  // If the files fail, the list continues in memory. This is not reported, because no node could report it.
  return openStore(host, { kind: 'troubles', store: '', maxItems: maxErrors + 1, onStoreEvent: () => undefined })
}
