/** Finds the editor's address for links that people open elsewhere: in an e-mail, in a chat, on a phone. */
import { withoutSlashes } from '../../lib/common/trim'
import { editorOnly } from '../../lib/runtime/http/editor-only'
import { ownAddress } from '../../lib/runtime/http/public-address'
import type { Runtime } from '../../lib/runtime/node-red/node-red'

/**
 * Returns `setting` if given, otherwise the address from Node-RED's settings; empty if those settings contain no
 * address that other people can open.
 */
export function editorAddress(RED: Runtime, setting: unknown): string {
  if (typeof setting === 'string' && setting !== '') return setting
  const { httpAdminRoot } = RED.settings
  const { base, forOthers } = ownAddress(RED)
  // The machine's host name is no substitute: other machines can't resolve the host name of a container.
  if (!forOthers || httpAdminRoot === false) return ''
  return base + `/${httpAdminRoot ?? ''}/`.replace(/\/+/g, '/')
}

/** The address that opens the editor at this node; empty if the editor's address is unknown. */
export function linkTo(editor: string, id: string | undefined): string {
  return editor === '' || id === undefined ? '' : `${withoutSlashes(editor)}/#node/${encodeURIComponent(id)}`
}

/** Registers `GET eid/alerts/address`, which returns the address used when none is entered. */
export function registerAddressRoute(RED: Runtime): void {
  RED.httpAdmin.get('/eid/alerts/address', ...editorOnly(RED, 'eid.read'), (_request, response) => {
    response.set({ 'Cache-Control': 'no-store' })
    response.json({ address: editorAddress(RED, '') })
  })
}
