/** Joins the batches of a node to its outputs, its status and its settings. */
import { nodeError } from '../../../lib/api/errors/errors'
import { systemClock } from '../../../lib/store/clock'
import { toEidError } from '../../../lib/runtime/node-red/errors'
import type { LiveNode } from '../../../lib/runtime/node/live-node'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { tellFailures } from '../../../lib/runtime/node/node-store'
import { recordError } from '../../../lib/runtime/monitor/error-log'
import type { Store } from '../../../lib/store/store'
import { fields } from '../batch.fields'
import type { Batch } from './batch-state'
import { createBatches, type Batches } from './queue'
import { createPace } from './rate-limit'
import { createProgress, type Progress } from './progress'
import { reportOf } from '../rows/report'

type Live = LiveNode<typeof fields>

/** `failed` tells the person of what goes wrong. */
export function openBatches(
  live: Live,
  store: Store,
  failed: (error: unknown, msg?: FlowMessage) => void = tellFailures(live),
): { batches: Batches; progress: Progress } {
  const { RED, node, config, translate } = live
  const clock = systemClock
  const pace = createPace(Number(config.pace), unitOf(config.paceUnit), clock)
  const report = async (batch: Batch, msg: FlowMessage) => {
    const { report: payload, csv } = await reportOf(batch, node.id, translate)
    progress.ended(batch.rows.counts)
    node.send([null, Object.assign(msg, { payload, csv, status: 'ended', batchId: batch.head.id })])
  }
  const batches: Batches = createBatches({
    ...{ store, nodeId: node.id, clock, pace, translate, report },
    parallel: atLeastOne(config.parallel, fields.parallel.initial),
    attempts: atLeastOne(config.attempts, fields.attempts.initial),
    emit: (msg) => node.send([{ ...msg, _msgid: RED.util.generateId() }, null]),
    changed: () => progress.changed(),
    failed: (error) => failed(error),
  })
  const emit = (msg: FlowMessage) => node.send([null, msg])
  const stuck = (row: number, minutes: number) => {
    const error = nodeError('EID_TIMEOUT', 'errors.rowStuck', { row, minutes }, { outcome: 'unknown' })
    const told = toEidError(error, translate)
    recordError(node, told)
    node.warn(told.message)
  }
  const progress = createProgress(live, batches, { clock, intervalMs: pace.intervalMs, emit, stuck })
  return { batches, progress }
}

type Unit = (typeof fields.paceUnit.choices)[number]

function unitOf(setting: unknown): Unit {
  return fields.paceUnit.choices.find((one) => one === setting) ?? fields.paceUnit.initial
}

/** What is no such number means the setting of a fresh node. */
function atLeastOne(setting: unknown, initial: number): number {
  const number = Math.floor(Number(setting))
  return number >= 1 ? number : initial
}
