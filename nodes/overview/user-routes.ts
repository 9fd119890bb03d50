/** The routes of the form: one returns the names on the stored list, the other hashes typed passwords. */
import { editorJson, editorOnly, objectIn } from '../../lib/runtime/http/editor-only'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { textOf } from '../../lib/runtime/values/read-text'
import { hashUsers } from './passwords'
import { hidePasswords, readUserLines } from './user-lines'

/**
 * Registers `GET eid/overview/users/:node`, which returns the names on the node's list, and `POST eid/overview/users`,
 * which returns the list to store: passwords are hashed before they become part of the flows. The list contains the
 * hashes of the other users, so only people who may deploy, and so can run any code here, get it.
 */
export function registerUserRoutes(RED: Runtime): void {
  const stored = (id: unknown) => {
    let isOurs = false
    RED.nodes.eachNode((one) => (isOurs ||= one.id === id && one.type === 'eid-overview'))
    return readUserLines((isOurs && RED.nodes.getCredentials(String(id))?.users) || '').users
  }
  RED.httpAdmin.get('/eid/overview/users/:node', ...editorOnly(RED, 'eid.read'), ({ params }, response) => {
    response.set({ 'Cache-Control': 'no-store' })
    response.json({ users: hidePasswords(stored(params.node)), byNodeRed: Boolean(RED.settings.httpNodeAuth) })
  })
  RED.httpAdmin.post('/eid/overview/users', ...editorJson(RED, 'flows.write'), (request, response) => {
    const { id, users, known } = objectIn(request)
    const before = [...readUserLines(textOf(known)).users, ...stored(id)]
    response.set({ 'Cache-Control': 'no-store' })
    hashUsers(RED, readUserLines(textOf(users)).users.slice(0, 200), before).then(
      (hashed) => response.json({ users: hashed }),
      () => response.status(500).end(),
    )
  })
}
