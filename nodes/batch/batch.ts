/** Sends a list row by row at a pace, goes on after a restart with the rows that have no end, and reports. */
import { isPlainObject } from '../../lib/plain-object'
import { registerBatches } from '../../lib/runtime/batches'
import { flowLabel } from '../../lib/runtime/flow-label'
import { registerLiveNode, type LiveBehaviour, type LiveNode } from '../../lib/runtime/live-node'
import type { Done, FlowMessage, Runtime } from '../../lib/runtime/node-red'
import { openNodeStore, orClose } from '../../lib/runtime/node-store'
import { fields } from './batch.fields'
import type { Batches } from './batches'
import { createListReader, type ReadList } from './list-reader'
import { openBatches } from './open-batches'
import { returningRow } from './returning'
import { forgetFlow } from './sender'
import { endFrom } from './row'

export = (RED: Runtime): void => {
  registerLiveNode(RED, 'eid-batch', fields, open)
}

type Live = LiveNode<typeof fields>

/** Rejects with EID_CONFIG when its store cannot be used. */
async function open(live: Live): Promise<LiveBehaviour> {
  const { RED, node, config } = live
  const store = openNodeStore(live, { kind: 'batches' })
  const { batches, progress } = await orClose(store, () => openBatches(live, store))
  const readMessage = createListReader(live)
  const place = () => ({ id: node.id, name: node.name ?? '', flow: flowLabel(RED, config) })
  const forget = registerBatches(node.id, {
    list: () => Promise.resolve(progress.list().map((one) => ({ ...one, node: place() }))),
    pause: (id) => batches.pause(id, true),
    resume: (id) => batches.pause(id, false),
  })
  return {
    start: () => batches.start(),
    receive: (msg, _send, done) => receive(live, batches, readMessage, msg, done),
    async close(removed) {
      forget()
      progress.stop()
      await batches.stop()
      await store.close(removed)
      if (removed) forgetFlow(node.id)
    },
  }
}

async function receive(
  live: Live,
  batches: Batches,
  readMessage: (msg: FlowMessage) => Promise<ReadList>,
  msg: FlowMessage,
  done: Done,
): Promise<void> {
  const row = returningRow(msg, live.node.id)
  const taken = row && (await batches.end(row.id, row.key, row.sent, endFrom(msg)))
  const isControl = await control(batches, msg, row?.id)
  // A row that comes back when its batch is over, or was reset, is no list either.
  if (taken || row?.isOurs || isControl || isOwnRefusal(msg, live.node.id)) return done()
  const { id, list, msg: rest } = await readMessage(msg)
  await batches.take(id, list, rest, { msg, done })
  // What is kept elsewhere need not lie here as well; the report takes its place.
  delete msg.payload
}

/** Does what the message tells, for the batch that it names, or for all; true when it tells something. */
async function control(batches: Batches, msg: FlowMessage, ofRow: string | undefined): Promise<boolean> {
  const { pause, resume, reset, batchId } = msg
  const id = typeof batchId === 'string' || typeof batchId === 'number' ? String(batchId) : ofRow
  if (reset === true) await batches.reset(id)
  else if (pause === true || resume === true) await batches.pause(id, pause === true)
  else return false
  return true
}

/** This node's own error about a list, which a Catch node for all nodes has sent straight back. */
function isOwnRefusal({ error }: FlowMessage, nodeId: string): boolean {
  if (!isPlainObject(error) || error.code !== 'EID_INVALID_INPUT') return false
  return isPlainObject(error.source) && error.source.id === nodeId
}
