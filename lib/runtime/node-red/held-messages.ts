/**
 * Keeps what is sent to a node while a deploy of modified nodes has stopped it and not started it again: all others
 * keep working meanwhile, and Node-RED drops what they send to a node that is not there.
 */
import { isPlainObject } from '../../common/plain-object'
import type { FlowMessage, Runtime } from './node-red'

type Host = Pick<Runtime, 'events' | 'hooks' | 'nodes' | 'util'>

/** By the nodes that are stopped. */
type Held = Map<string, FlowMessage[]>

/** When it is known where a message goes, and when it is there: it may have left for a node that is gone by then. */
const hooksUsed = ['preRoute.eid-held', 'onReceive.eid-held']
/** More than so many are not held for one node. */
const maxHeld = 10_000

const deploys = new WeakMap<Runtime['events'], { held: Held | undefined }>()

/** Watches for deploys; called by each of our nodes when it is made. */
export function watchDeploys(RED: Host): void {
  const { events, hooks } = RED
  if (deploys.has(events) || !hooks) return
  const deploy: { held: Held | undefined } = { held: undefined }
  deploys.set(events, deploy)
  events.on?.('flows:stopping', (stopping) => {
    // After any other deploy, what was on its way in a flow is expected to be gone.
    if (deploy.held || !isPlainObject(stopping) || stopping.type !== 'nodes') return
    deploy.held = new Map()
    // False: it goes no further.
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

/** A node is stopped, and made again by the same deploy. */
export function holdFor({ events }: Pick<Host, 'events'>, id: string): void {
  deploys.get(events)?.held?.set(id, [])
}

function hold({ nodes, util }: Host, held: Held | undefined, event: unknown): boolean {
  const { destination, msg, cloneMessage } = isPlainObject(event) ? event : {}
  const id = isPlainObject(destination) ? String(destination.id) : ''
  const messages = held?.get(id)
  if (!messages || !isPlainObject(msg) || messages.length >= maxHeld) return false
  // It may be there again, and this is for it.
  const { node } = destination as { node?: unknown }
  const current = nodes.getNode(id)
  if (current && (node === undefined || node === current)) return false
  messages.push(cloneMessage === true ? util.cloneMessage(msg) : msg)
  return true
}
