/**
 * Says at once what will rest when a person disables or deletes a node, a group or a flow with something pending, and
 * offers to undo it.
 */
import type { KeptRow } from '../view'
import { countsIn } from './resting.editor'
import { text } from './words.editor'

interface Changes {
  /** The ids of nodes that were disabled or deleted. */
  readonly nodes: Set<string>
  /** The ids of flows that were disabled. */
  readonly flows: Set<string>
  isDeletion: boolean
  /** What takes the changes back, in the editor's history. */
  readonly events: readonly object[]
}

const nothing = (): Changes => ({ nodes: new Set(), flows: new Set(), isDeletion: false, events: [] })

/** Both changes as one, for a person who disables several flows before reading the notice. */
const together = (one: Changes, other: Changes): Changes => ({
  nodes: new Set([...one.nodes, ...other.nodes]),
  flows: new Set([...one.flows, ...other.flows]),
  isDeletion: one.isDeletion || other.isDeletion,
  events: [...one.events, ...other.events],
})

/** Watches what the person does in the editor. */
export function watchGestures(): void {
  let changes = nothing()
  /** What the notice is about, or will be about when the answer of this Node-RED has come. */
  let about = nothing()
  let latest = 0
  let hide = () => {}
  const close = () => {
    hide()
    latest++
    about = nothing()
  }
  const collect = (add: () => void) => {
    // One gesture may change many nodes, so everything in this turn belongs together.
    if (changes.nodes.size + changes.flows.size === 0) {
      const undone = RED.history.listRedo().length
      setTimeout(() => tell(RED.history.listRedo().length > undone))
    }
    add()
  }
  const tell = (isUndo: boolean) => {
    // The editor notes a change for each flow, and one for all nodes together. What a person has undone is done again.
    const events = isUndo
      ? RED.history.listRedo().slice(-1)
      : RED.history.list().slice(-Math.max(changes.flows.size, 1))
    const own = { ...changes, events }
    about = isUndo ? own : together(about, own)
    changes = nothing()
    const asked = ++latest
    void $.getJSON('eid/sidebar/kept').done((rows: KeptRow[]) => {
      // After another change, the answer to that one counts; after a deploy, none.
      if (asked !== latest) return
      const affected = rows.filter((row) => row.state === 'running' && isAffected(row, about) && !runs(row))
      hide()
      if (affected.length === 0) return close()
      hide = notify(affected, about, close)
    })
  }
  const off = new Set<string>()
  /** True if this was on before: the editor reports a disabled flow again when it changes, and when it is deployed. */
  const isTurnedOff = (id: string, isOff: boolean) => {
    const isNew = isOff && !off.has(id)
    if (isOff) off.add(id)
    else off.delete(id)
    return isNew
  }
  RED.events.on('nodes:change', ({ id, d }) => {
    if (isTurnedOff(id, d === true)) collect(() => changes.nodes.add(id))
    else if (d !== true && about.nodes.has(id)) close()
  })
  RED.events.on('flows:change', ({ id, disabled }) => {
    if (isTurnedOff(id, disabled === true)) collect(() => changes.flows.add(id))
    else if (disabled !== true && about.flows.has(id)) close()
  })
  RED.events.on('nodes:remove', (node) => {
    collect(() => changes.nodes.add(node.id))
    changes.isDeletion = true
  })
  // Cut nodes that are pasted, and deleted nodes that undo brings back, do not rest.
  RED.events.on('nodes:add', (node) => {
    changes.nodes.delete(node.id)
    if (about.nodes.has(node.id)) close()
  })
  // From then on, the tab lists what rests.
  RED.events.on('deploy', close)
}

/** A node in a subflow runs under the ids of the subflow's instance and its own. */
function isAffected({ id }: KeptRow, { nodes, flows }: Changes): boolean {
  const isOf = (one: string) => id === one || id.startsWith(`${one}-`) || id.endsWith(`-${one}`)
  if ([...nodes].some(isOf)) return true
  const ends = [...id.matchAll(/-/g)].map(({ index }) => index)
  // The node itself is in a flow if it is no longer in a subflow since the last deploy.
  const ids = [...ends, id.length].map((end) => id.slice(0, end)).concat(id.slice(id.lastIndexOf('-') + 1))
  const node = ids.map((one) => RED.nodes.node(one)).find((one) => one)
  return node?.z !== undefined && flows.has(node.z)
}

/** Whether the node runs after the next deploy, be it as part of a subflow, or no longer as part of one. */
function runs({ id }: KeptRow): boolean {
  const ids = id.split('-')
  const nodes = ids.flatMap((one) => RED.nodes.node(one) ?? [])
  const isOn = (node: (typeof nodes)[number]): boolean => {
    if (node.d === true || node.z === undefined) return false
    const flow = RED.nodes.workspace(node.z)
    if (flow) return flow.disabled !== true
    return nodes.some((one) => one.type === `subflow:${node.z}` && isOn(one))
  }
  return nodes.some((one) => one.id === ids.at(-1) && isOn(one))
}

function notify(
  rows: readonly KeptRow[],
  { nodes, flows, isDeletion, events }: Changes,
  close: () => void,
): () => void {
  const sum = (kind: 'waits' | 'lists' | 'pages') => rows.reduce((total, one) => total + one[kind], 0)
  const counts = { waits: sum('waits'), lists: sum('lists'), pages: sum('pages') }
  const number = counts.waits + counts.lists + counts.pages === 1 ? 'one' : 'many'
  const disabled = nodes.size > 0 || flows.size === 0 ? 'node' : flows.size === 1 ? 'flow' : 'flows'
  const words = text(`notice.${isDeletion ? 'deleted' : disabled}.${number}`, { what: countsIn(counts) })
  const notice = RED.notify($('<p>').text(words), {
    type: 'warning',
    fixed: true,
    buttons: [
      {
        text: text('notice.undo'),
        click() {
          close()
          // Undo takes back the latest changes, which must still be these.
          const latest = RED.history.list().slice(-events.length)
          if (events.length === 1 && events[0] === RED.history.listRedo().at(-1)) RED.history.redo()
          else if (events.every((event, at) => event === latest[at])) for (const _event of events) RED.history.pop()
          else RED.notify($('<p>').text(text('notice.late')), { type: 'warning' })
        },
      },
      { text: text('notice.ok'), class: 'primary', click: close },
    ],
  })
  return () => notice.close()
}
