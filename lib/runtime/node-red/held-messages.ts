/**
 * Holds messages sent to a node that a deploy of modified nodes has stopped and not yet started again. All other nodes
 * keep working meanwhile, and Node-RED drops what they send to a missing node.
 */
import { isPlainObject } from '../../common/plain-object'
import type { FlowMessage, Runtime } from './node-red'

type Host = Pick<Runtime, 'events' | 'hooks' | 'nodes' | 'util'>

/** Keyed by the stopped node. */
type Held = Map<string, FlowMessage[]>

/** Called once when the target is known, and once on arrival, because the target may be gone by then. */
const hooksUsed = ['preRoute.eid-held', 'onReceive.eid-held']
/** Maximum messages held for one node. */
const maxHeld = 10_000

const deploys = new WeakMap<Runtime['events'], { held: Held | undefined }>()

/** Watches for deploys; each of our nodes calls it when it is created. */
export function watchDeploys(RED: Host): void {
  const { events, hooks } = RED
  if (deploys.has(events) || !hooks) return
  const deploy: { held: Held | undefined } = { held: undefined }
  deploys.set(events, deploy)
  events.on?.('flows:stopping', (stopping) => {
    // After any other deploy, people expect messages in flight to be lost.
    if (deploy.held || !isPlainObject(stopping) || stopping.type !== 'nodes') return
    deploy.held = new Map()
    // False stops the message here.
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

/** The node is stopped, and created again by the same deploy. */
export function holdFor({ events }: Pick<Host, 'events'>, id: string): void {
  deploys.get(events)?.held?.set(id, [])
}

function hold({ nodes, util }: Host, held: Held | undefined, event: unknown): boolean {
  const { destination, msg, cloneMessage } = isPlainObject(event) ? event : {}
  const id = isPlainObject(destination) ? String(destination.id) : ''
  const messages = held?.get(id)
  if (!messages || !isPlainObject(msg) || messages.length >= maxHeld) return false
  // The new node may exist already, and the message is for it.
  const { node } = destination as { node?: unknown }
  const current = nodes.getNode(id)
  if (current && (node === undefined || node === current)) return false
  messages.push(cloneMessage === true ? util.cloneMessage(msg) : msg)
  return true
}
