/**
 * Serves a page for people who do not use the editor: it shows which contracts are pending, which have ended, and what
 * went wrong.
 */
import { configError } from '../../lib/api/errors/errors'
import { createPublicRoutes, type PublicRoutes } from '../../lib/runtime/http/public-routes'
import { ownAddress, publicAddress } from '../../lib/runtime/http/public-address'
import { listEnded } from '../../lib/runtime/monitor/ended'
import { createPacedList } from '../../lib/runtime/monitor/paced-list'
import { listPending } from '../../lib/runtime/monitor/pending'
import { errorsOf } from '../../lib/runtime/journal/errors'
import { otherReplicas } from '../../lib/runtime/monitor/replicas'
import { registerLiveNode, type LiveBehaviour, type LiveNode } from '../../lib/runtime/node/live-node'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { refuseUnset } from '../../lib/runtime/values/values'
import { nodeAuthGate, usersGate, type Gate } from './access'
import { createActions } from '../../lib/runtime/people/press'
import { createGuesses } from './guesses'
import { credentials, fields } from './overview.fields'
import { createPageHandler, pagePlaces, type Lists } from './page-handler'
import { hashUsers } from './passwords'
import { hidden, isHash, readUserLines, type UserLine } from './user-lines'
import { registerUserRoutes } from './user-routes'
import { waitingEntries } from './waiting'

export = (RED: Runtime): void => {
  const routes = createPublicRoutes(RED, ['get', 'post'])
  registerUserRoutes(RED)
  const lists: Lists = {
    pending: createPacedList(RED, () => listWaiting(RED)),
    ended: createPacedList(RED, () => listEnded(RED)),
    otherErrors: createPacedList(RED, () => listOtherErrors(RED)),
    ownErrors: () => errorsOf(RED).list(),
  }
  registerLiveNode(RED, 'eid-overview', fields, (live) => open(live, routes, lists), {
    credentials,
    // Shows the form whether Node-RED itself asks for a name and a password.
    settings: { eidOverviewLogin: { value: Boolean(RED.settings.httpNodeAuth), exportable: true } },
  })
}

type Live = LiveNode<typeof fields>

async function listWaiting(RED: Runtime) {
  const { items, failures } = await listPending(RED)
  return { items: await waitingEntries(items), failures }
}

/** Lists errors of the other Node-REDs that share a store with this Node-RED. */
async function listOtherErrors(RED: Runtime) {
  const others = await otherReplicas(RED)
  return { items: others.flatMap(({ troubles }) => troubles), failures: [] }
}

/** Serves the page at its path. Rejects with an EidError, in particular if the page would be open to everyone. */
async function open(live: Live, routes: PublicRoutes, lists: Lists): Promise<LiveBehaviour> {
  const { RED, status, translate } = live
  if (RED.settings.httpNodeRoot === false) throw configError('noHttp')
  const { values } = await live.read({})
  const gate = gateFor(live)
  const show = (fill: 'green' | 'yellow', key: string, params?: Record<string, string>) => {
    status.setResult({ fill, shape: fill === 'green' ? 'dot' : 'ring', text: translate(key, params) })
    status.rest()
  }
  const handler = createPageHandler({
    RED,
    gate,
    mayAct: values.mayAct,
    lists,
    press: createActions(RED).press,
    refused: () => show('yellow', 'status.refused'),
  })
  const unmount = routes.mount(live.node, values.path, handler, () => show('yellow', 'status.limited'), pagePlaces)
  const path = publicAddress(RED, '', values.path, ownAddress(RED).base)
  show('green', 'status.open', { path })
  return {
    // The node has no input. If another node sends it a message anyway, the message is just completed.
    receive: ({ done }) => Promise.resolve(done()),
    close: unmount,
  }
}

function gateFor(live: Live): Gate {
  const { RED, node } = live
  const { httpNodeAuth } = RED.settings
  if (httpNodeAuth) return nodeAuthGate(RED, httpNodeAuth, createGuesses())
  const text = node.credentials?.users ?? ''
  refuseUnset('users', text)
  const { users: lines, problems } = readUserLines(text)
  const [first] = problems
  if (first) throw configError(first.key, { line: first.line, name: first.name })
  // Dots are no password: the form sends them if it could not get the stored ones.
  const users = lines.filter(({ password }) => password !== hidden)
  if (users.length === 0) throw configError('noUsers')
  keepHashes(live, text, users)
  return usersGate(RED, users, createGuesses())
}

/**
 * Hashes passwords that did not come from the form; the hashes are stored with the next deploy. The page does not wait
 * for this, because hashing many passwords takes a minute.
 */
function keepHashes({ RED, node }: Live, text: string, users: readonly UserLine[]): void {
  const stored = () => RED.nodes.getCredentials(node.id)
  // A list that comes from `${NAME}` is left unchanged.
  if (stored()?.users !== text || users.every(({ password }) => isHash(password))) return
  const write = (hashed: string) => {
    const now = stored()
    // The node may have been deployed again meanwhile.
    if (now?.users === text) RED.nodes.addCredentials(node.id, { ...now, users: hashed })
  }
  // If hashing fails, the passwords are hashed at the next start.
  hashUsers(RED, users, [])
    .then(write)
    .catch(() => undefined)
}
