/** The node *batch*: passes lists, rows that come back, and commands on to the controller of its lists. */
import { inputError } from '../../lib/api/errors/errors'
import { isPlainObject } from '../../lib/common/plain-object'
import { listenForRows } from '../../lib/runtime/journal/row-events'
import { registerBatches } from '../../lib/runtime/monitor/batches'
import { callsFor } from '../../lib/runtime/monitor/row-calls'
import { ownRows } from '../../lib/runtime/monitor/row-owners'
import { watchLog } from '../../lib/runtime/monitor/uncaught'
import { mayCatchFor } from '../../lib/runtime/node-red/reached-nodes'
import { flowLabel } from '../../lib/runtime/node-red/flow-label'
import { registerLiveNode, type Arrival, type LiveBehaviour } from '../../lib/runtime/node/live-node'
import type { FlowMessage, Runtime } from '../../lib/runtime/node-red/node-red'
import { isShared, openNodeStore, orClose, reportFailures } from '../../lib/runtime/node/node-store'
import { refuseUnset } from '../../lib/runtime/values/values'
import { fields } from './batch.fields'
import type { Controller, Live } from './controller'
import { createListReader, type ReadList } from './rows/read-list'
import { endFrom, returningRow } from './rows/row-message'
import { openCluster } from './cluster/cluster'
import { endedListsOf, forgetEndedListsOf } from './run/ended-lists'
import { forgetNode } from './run/in-flight'
import { BatchQueue } from './run/queue'
import { openSentRows, queueOptions } from './run/queue-options'

export = (RED: Runtime): void => {
  watchLog(RED)
  listenForRows(RED)
  registerLiveNode(RED, 'eid-batch', fields, open)
}

/** Rejects with EID_CONFIG if the node's store can't be used. */
async function open(live: Live): Promise<LiveBehaviour> {
  const { RED, node, config } = live
  // Otherwise lists from before a restart would continue without the pace that they were given.
  for (const path of ['pace', 'paceUnit', 'parallel', 'attempts']) refuseUnset(path, config[path])
  const ended = endedListsOf(RED, node.id)
  const controller = isShared(live) ? openCluster(live) : await openLocal(live)
  const readMessage = createListReader(live)
  const place = () => ({ id: node.id, name: node.name ?? '', flow: flowLabel(RED, config) })
  const forget = registerBatches(RED, node.id, {
    list: async () => (await controller.list()).map((one) => ({ ...one, node: place() })),
    pause: (id) => controlListed(controller, 'pause', id),
    resume: (id) => controlListed(controller, 'resume', id),
    ended: () => ended.list().map((one) => ({ ...one, node: place() })),
    report: (id) => controller.report(id),
    dismiss: (id) => controller.dismiss(id),
    sendChanged: (id) => ended.sendChanged(id, (list) => takeChanged(controller, list)),
    refused: () => ended.refused().map((one) => ({ ...one, node: place() })),
    sendAnyway: (id) => ended.sendRefused(id, (list) => takePressed(controller, { ...list, sendAnyway: true })),
    forget: (id) => ended.sendRefused(id, () => controller.control('reset', id)),
  })
  const failed = reportFailures(live)
  const disown = ownRows(RED, node.id, {
    acted: (row, calls) => controller.acted(row, calls),
    stopped(row, attempt, lost) {
      // A node that is stopped itself finds the lost rows when it is opened again. A Catch node may still send the row
      // back.
      if (live.closing.aborted || (lost?.isCaught && mayCatchFor(RED, node))) return
      const { batch, key } = row
      const { error } = lost ?? {}
      const end =
        error &&
        endFrom({ error: { code: error.code, message: error.message, cause: error.cause } }, callsFor(RED, row))
      controller.stopped(batch, key, attempt, end)
    },
    failed: (row, error) => void controller.failed(row, error).catch(failed),
    passed: (row, nodeId) => void controller.passed(row, nodeId).catch(failed),
  })
  return {
    // The argument is true if only this node was stopped, so that the nodes that hold its rows are still running.
    start: (stopped) => controller.start(stopped !== 'all' && stopped.every((id) => id === node.id)),
    receive: (arrival) => receive(live, controller, readMessage, arrival),
    moved: () => controller.reread(),
    async close(isDeleted) {
      forget()
      disown()
      if (isDeleted) forgetEndedListsOf(RED, node.id)
      await controller.close()
      if (isDeleted) forgetNode(RED, node.id)
    },
  }
}

async function openLocal(live: Live): Promise<Controller> {
  const store = openNodeStore(live, { kind: 'batches' })
  return orClose(store, () => {
    const { sentRows, close } = openSentRows(live)
    const both = Object.assign({}, store, { close: async () => void (await Promise.all([store.close(), close()])) })
    return new BatchQueue(queueOptions(live, both, reportFailures(live), sentRows))
  })
}

async function receive(
  live: Live,
  controller: Controller,
  readMessage: (msg: FlowMessage) => Promise<ReadList>,
  { msg, taken, done }: Arrival,
): Promise<void> {
  const { node } = live
  const found = returningRow(live.RED, taken, node.id)
  const calls = found
    ? callsFor(live.RED, { node: found.sender ?? node.id, batch: found.id, key: found.key }, taken)
    : []
  const hasEnded = found && (await controller.end(found, endFrom(taken, calls)))
  // A row of another node whose list has not moved here passes through like any other message.
  const row = found?.sender === undefined ? found : undefined
  // Other nodes in the flow (trigger, delay, join) may have left `reset`, `pause` or `resume` on a row, so a row counts
  // as a command only if it also has a `batchId`.
  const isControl = (!row || hasBatchId(taken)) && (await control(controller, taken))
  // A row that returns after its batch has ended or was reset must not be taken for a list.
  if (hasEnded || row?.isOurs || isControl || isOwnRefusal(taken, node.id)) return done()
  await controller.take(await readMessage(taken), { msg, done })
  // The controller has stored the list, so the message need not keep it; the report replaces it.
  delete msg.payload
}

/**
 * Carries out the message's command, for the batch that the message names or for all batches; true if there is a
 * command. Throws EID_INVALID_INPUT for a `batchId` that names no batch: the command must not reach all of them.
 */
async function control(controller: Controller, msg: FlowMessage): Promise<boolean> {
  const what = (['reset', 'pause', 'resume'] as const).find((one) => msg[one] === true)
  if (!what) return false
  const isForAll = msg.batchId === undefined || msg.batchId === null
  if (!isForAll && !hasBatchId(msg)) throw inputError([{ path: 'batchId', key: 'text' }])
  await controller.control(what, isForAll ? undefined : String(msg.batchId))
  return true
}

function hasBatchId({ batchId }: FlowMessage): boolean {
  return typeof batchId === 'string' || typeof batchId === 'number'
}

/** Pauses or resumes an open batch; false if the batch is not open. */
async function controlListed(controller: Controller, what: 'pause' | 'resume', id: string): Promise<boolean> {
  if (!(await controller.list()).some((one) => one.id === id)) return false
  await controller.control(what, id)
  return true
}

/**
 * Sends the changed rows of a list. Returns false while changed rows sent earlier are in flight, because a new list
 * would replace them.
 */
async function takeChanged(controller: Controller, list: ReadList): Promise<boolean> {
  if ((await controller.list()).some(({ id }) => id === list.id)) return false
  await takePressed(controller, list)
  return true
}

/** Takes a list for which a person has pressed a button. */
function takePressed(controller: Controller, list: ReadList): Promise<void> {
  return controller.take(list, { msg: list.msg, done: () => undefined })
}

/**
 * Whether the message is an error that this node itself has raised about a list. A Catch node for all nodes may send
 * such an error straight back to the node.
 */
function isOwnRefusal({ error }: FlowMessage, nodeId: string): boolean {
  if (!isPlainObject(error) || error.code !== 'EID_INVALID_INPUT') return false
  return isPlainObject(error.source) && error.source.id === nodeId
}
