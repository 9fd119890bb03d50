/** The address of the editor in links that people open somewhere else: in an e-mail, in a chat, on a phone. */
import { withoutSlashes } from '../../lib/common/trim'
import { editorOnly } from '../../lib/runtime/http/editor-only'
import { ownAddress } from '../../lib/runtime/http/public-address'
import type { Runtime } from '../../lib/runtime/node-red/node-red'

/** `setting` as it is, else what Node-RED's settings say; empty when they name no address that others can open. */
export function editorAddress(RED: Runtime, setting: unknown): string {
  if (typeof setting === 'string' && setting !== '') return setting
  const { httpAdminRoot } = RED.settings
  const { base, forOthers } = ownAddress(RED)
  // Not the name of the machine: in a container, other machines cannot find it.
  if (!forOthers || httpAdminRoot === false) return ''
  return base + `/${httpAdminRoot ?? ''}/`.replace(/\/+/g, '/')
}

/** The address that opens the editor at this node; empty without the editor's. */
export function linkTo(editor: string, id: string | undefined): string {
  return editor === '' || id === undefined ? '' : `${withoutSlashes(editor)}/#node/${encodeURIComponent(id)}`
}

/** Registers `GET eid/alerts/address`, which answers with the address that is used when none is entered. */
export function registerAddressRoute(RED: Runtime): void {
  RED.httpAdmin.get('/eid/alerts/address', ...editorOnly(RED, 'eid.read'), (_request, response) => {
    response.set({ 'Cache-Control': 'no-store' })
    response.json({ address: editorAddress(RED, '') })
  })
}
