/** The sidebar tab "eID": pending waits, errors, batches and clients, for users with the permission to read them. */
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { errorsOf, maxErrors } from '../../lib/runtime/journal/errors'
import { createTranslate } from '../../lib/runtime/node-red/texts'
import { openStore } from '../../lib/store/open'
import { registerRoutes } from './server/routes'

export = (RED: Runtime): void => {
  RED.plugins?.registerPlugin('eid-sidebar', { type: 'eid-sidebar' })
  registerRoutes(RED)
  const errors = errorsOf(RED)
  const dropped = () => RED.log?.warn?.(createTranslate(RED, 'sidebar', {})('troubles.dropped'))
  void errors.load(openErrorStore(RED, 'troubles', maxErrors + 1), dropped)
  void errors.unsaved.load(openErrorStore(RED, 'unsaved', maxErrors))
}

/** Errors are stored beside what the nodes keep. */
function openErrorStore({ settings: { userDir } }: Runtime, kind: string, maxItems: number) {
  const host = { nodeId: 'sidebar-tab', userDir }
  // If the disk fails, the list continues in memory. This is not reported, because no node could report it.
  return openStore(host, { kind, maxItems })
}
