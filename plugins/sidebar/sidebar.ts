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

/** Errors are stored beside what the nodes keep. */
function openErrorStore({ settings: { userDir } }: Runtime) {
  const host = { nodeId: 'sidebar-tab', userDir }
  // If the disk fails, the list continues in memory. This is not reported, because no node could report it.
  return openStore(host, { kind: 'troubles', maxItems: maxErrors + 1 })
}
