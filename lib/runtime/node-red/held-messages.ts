/**
 * Holds messages sent to a node that a deploy of modified nodes has stopped and not yet started again. Meanwhile all
 * other nodes keep working, and Node-RED would drop what they send to the missing node.
 */
import { isPlainObject } from '../../common/plain-object'
import { hosted } from './host'
import { listenToMessages } from './message-events'
import type { FlowMessage, Runtime } from './node-red'

type Host = Pick<Runtime, 'events' | 'hooks' | 'nodes' | 'util'>

/** The held messages, keyed by the id of the stopped node. */
type Held = Map<string, FlowMessage[]>

/**
 * Node-RED calls the first hook when it knows which node a message goes to, and the second when the message arrives
 * there. Both hooks are needed, because the node may be stopped in between.
 */
const hooksUsed = ['preRoute.eid-held', 'onReceive.eid-held']
/** Maximum messages held for one node. */
const maxHeld = 10_000

const createDeploy = () => ({ isWatched: false, held: undefined as Held | undefined })

/** Watches for deploys, once. */
export function watchDeploys(RED: Host): void {
  const { events, hooks } = RED
  const deploy = hosted(RED, createDeploy)
  if (deploy.isWatched || !hooks) return
  deploy.isWatched = true
  // Called for a node that is stopped and will be created again by the same deploy.
  listenToMessages(RED, 'held', { closing: (nodeId) => void deploy.held?.set(nodeId, []) })
  events.on?.('flows:stopping', (stopping) => {
    // Only deploys of modified nodes are handled: after any other deploy, users expect that messages in flight are
    // lost.
    if (deploy.held || !isPlainObject(stopping) || stopping.type !== 'nodes') return
    deploy.held = new Map()
    // A hook that returns false stops the message.
    for (const name of hooksUsed) hooks.add(name, (event) => (hold(RED, deploy.held, event) ? false : undefined))
  })
  events.on?.('flows:started', () => {
    const { held } = deploy
    if (!held) return
    deploy.held = undefined
    for (const name of hooksUsed) hooks.remove(name)
    for (const [id, messages] of held) for (const msg of messages) RED.nodes.getNode(id)?.receive?.(msg)
  })
}

function hold({ nodes, util }: Host, held: Held | undefined, event: unknown): boolean {
  const { destination, msg, cloneMessage } = isPlainObject(event) ? event : {}
  const id = isPlainObject(destination) ? String(destination.id) : ''
  const messages = held?.get(id)
  if (!messages || !isPlainObject(msg) || messages.length >= maxHeld) return false
  // If the new node already exists and the message is for this new node, the message is not held.
  const { node } = destination as { node?: unknown }
  const current = nodes.getNode(id)
  if (current && (node === undefined || node === current)) return false
  messages.push(cloneMessage === true ? util.cloneMessage(msg) : msg)
  return true
}
