/** "Save again": gives the messages whose files could not be saved to their nodes once more. */
import { nodeError } from '../../../lib/api/errors/errors'
import { errorsOf } from '../../../lib/runtime/journal/errors'
import { listBatches, listEndedBatches, type FailedRow } from '../../../lib/runtime/monitor/batches'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { failed, gone, type Told } from '../../../lib/runtime/people/told'

/** A file that is not saved: the subject of its error, and the node that could not save it. */
interface Unsaved {
  readonly subject: string
  readonly node: string
}

/** The button of an error; without an id, of all errors. Never rejects. */
export function saveAgain(RED: Runtime, id: unknown): Promise<Told> {
  const entries = errorsOf(RED).list()
  const wanted = entries.filter((one) => one.isUnsaved && (id === undefined || one.id === id))
  return give(
    RED,
    wanted.map(({ subject, node }) => ({ subject, node: node.id })),
  )
}

/** The button of a list: for all of its rows that lists show. Never rejects. */
export async function saveRows(RED: Runtime, node: unknown, id: string): Promise<Told> {
  const lists = [...(await listBatches(RED)), ...listEndedBatches(RED)]
  const list = lists.find((one) => one.id === id && one.node.id === node)
  return give(RED, (list?.failures ?? []).flatMap(unsavedOf))
}

/** Whether the button is offered: whether a message of these rows is still there. */
export const canSaveRows = (RED: Runtime, failures: readonly FailedRow[] = []): boolean =>
  failures.flatMap(unsavedOf).some(({ subject }) => errorsOf(RED).unsaved.has(subject))

/** Forgets the messages of rows whose errors a person dismisses. */
export function forgetRows(RED: Runtime, failures: readonly FailedRow[] = []): void {
  for (const { subject } of failures.flatMap(unsavedOf)) errorsOf(RED).unsaved.forget(subject)
}

const unsavedOf = ({ unsaved }: FailedRow): Unsaved[] => (unsaved ? [unsaved] : [])

/** A deploy may have removed a node: then its messages stay. */
async function give(RED: Runtime, wanted: readonly Unsaved[]): Promise<Told> {
  const { unsaved } = errorsOf(RED)
  const there = wanted.filter(({ subject }) => unsaved.has(subject))
  let count = 0
  for (const { subject, node } of there) {
    if (!RED.nodes.getNode(node)?.receive) continue
    const msg = await unsaved.take(subject)
    if (!msg) continue
    RED.nodes.getNode(node)?.receive?.(msg)
    count++
  }
  if (count === 0) return there.length > 0 ? failed(nodeError('EID_CONFIG', 'nodeGone', {})) : gone
  return { ok: true, say: (translate) => translate(count === 1 ? 'look.saving' : 'look.savingMany', { count }) }
}
