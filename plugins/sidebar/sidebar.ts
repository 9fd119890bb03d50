/** The sidebar tab "eID": pending waits, errors, batches and clients, for people who may read it. */
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { keepErrors, errorLogLimits } from '../../lib/runtime/monitor/error-log'
import { openStore } from '../../lib/store/open'
import { registerRoutes } from './server/routes'

export = (RED: Runtime): void => {
  RED.plugins?.registerPlugin('eid-sidebar', { type: 'eid-sidebar' })
  registerRoutes(RED)
  void keepErrors(openErrorStore(RED))
}

/**
 * Errors are stored in files below the user folder, because they belong to no node, while context stores belong to
 * nodes.
 */
function openErrorStore({ settings: { userDir } }: Runtime) {
  // Without context stores there is no context to use.
  const context = () => {
    throw new Error()
  }
  const host = { nodeId: 'sidebar-tab', userDir, contextStorage: undefined, context }
  // The list continues in memory; no node could report this error.
  return openStore(host, { kind: 'troubles', store: '', ...errorLogLimits, onStoreEvent: () => undefined })
}
