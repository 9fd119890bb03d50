/** Joins the queue of a node to its outputs, its status and its settings. */
import { nodesReachedFrom } from '../../../lib/runtime/node-red/reached-nodes'
import { asksLive, asksSandbox } from '../../../lib/runtime/node-red/sandbox-nodes'
import { nodeError } from '../../../lib/api/errors/errors'
import { waitingRows } from '../../../lib/runtime/monitor/pending'
import { onStoppedRows } from '../../../lib/runtime/monitor/stopped-rows'
import { recordError, settleList } from '../../../lib/runtime/monitor/error-log'
import { reportOccurrence } from '../../../lib/runtime/monitor/occurrences'
import { toEidError } from '../../../lib/runtime/node-red/errors'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { LiveNode } from '../../../lib/runtime/node/live-node'
import { tellFailures } from '../../../lib/runtime/node/node-store'
import { systemClock } from '../../../lib/store/clock'
import type { Store } from '../../../lib/store/store'
import { fields } from '../batch.fields'
import { changedRows } from '../rows/changed-rows'
import { reportOf } from '../rows/report'
import { countsAsFailed, stateOf } from '../rows/row'
import type { Batch } from './batch-state'
import type { EndedLists } from './ended-lists'
import { Progress } from './progress'
import { BatchQueue } from './queue'
import { createRateLimit } from './rate-limit'

type Live = LiveNode<typeof fields>

export interface OpenQueue {
  readonly queue: BatchQueue
  readonly progress: Progress
}

/** `ended` gets what ends; `failed` reports what goes wrong. */
export function openQueue(
  live: Live,
  store: Store,
  ended: EndedLists,
  failed: (error: unknown, msg?: FlowMessage) => void = tellFailures(live),
): OpenQueue {
  const { node, config, translate } = live
  const clock = systemClock
  const rateLimit = createRateLimit(Number(config.pace), unitOf(config.paceUnit), clock)
  const queue: BatchQueue = new BatchQueue({
    ...{ store, nodeId: node.id, clock, rateLimit, translate },
    parallel: atLeastOne(config.parallel, fields.parallel.initial),
    attempts: atLeastOne(config.attempts, fields.attempts.initial),
    emit: (msg) => node.send([msg, null]),
    changed: () => progress.changed(),
    taken: (id) => ended.forget(id),
    failed: (error) => failed(error),
    waitingRows: (id) => waitingRows(node.id, id),
    forgotten(id, counts) {
      ended.forget(id)
      const { total = 0, done = 0, failed = 0, out = 0 } = counts ?? {}
      node.log(translate(counts ? 'log.reset' : 'log.resetEnded', { id, total, ended: done + failed, out }))
    },
    asksSandbox,
    leadsToLive: () => [...nodesReachedFrom(live.RED, node)].some(asksLive),
    rehearsed: (id, count) => node.warn(translate('warnings.rehearsed', { id, count })),
    failedLate(id, row, problem) {
      const error = nodeError('EID_FAILED', 'rows.failedLate', { id, row, problem }, { outcome: 'unknown' })
      const reported = toEidError(error, translate)
      recordError(node, reported, reported, {}, { isWarning: true })
      node.warn(reported.message)
    },
    async report(batch: Batch, msg: FlowMessage) {
      const { report: payload, csv } = await reportOf(batch, node.id, translate)
      progress.ended(batch.rows.counts)
      const { id, total, started } = batch.head
      const { done, failed: notDone } = batch.rows.counts
      ended.note({ id, total, done, failed: notDone, started, ended: clock.epochNow() }, await changedRows(batch))
      recordFailures(live, batch)
      node.send([null, Object.assign(msg, { payload, csv, status: 'ended', batchId: batch.head.id })])
    },
  })
  const unregister = onStoppedRows(node.id, ({ batch, key }) => queue.stopped(batch, key))
  live.closing.addEventListener('abort', unregister, { once: true })
  const progress = new Progress(live, queue, {
    ...{ clock, intervalMs: rateLimit.intervalMs },
    emit: (msg) => node.send([null, msg]),
    stuck(row, minutes) {
      const error = nodeError('EID_TIMEOUT', 'errors.rowStuck', { row, minutes }, { outcome: 'unknown' })
      const reported = toEidError(error, translate)
      recordError(node, reported, reported, {}, { isWarning: true })
      node.warn(reported.message)
    },
  })
  return { queue, progress }
}

/** As many as the list of errors shows of one; the report has all. */
const maxRecorded = 10

/** Lists the rows that failed among the errors of this Node-RED, by number and key. */
function recordFailures({ node, translate }: Live, { head, rows }: Batch): void {
  const { failed, total, done } = rows.counts
  if (failed > 0)
    reportOccurrence({ what: 'list', node: node.id, id: head.id, started: head.started, total, done, failed })
  const failures = rows.all.filter(countsAsFailed)
  const outcome = failures.some((row) => stateOf(row) === 'look first') ? 'unknown' : 'not-done'
  const named = failures.map((row) => ({ id: head.id, key: row.key, row: rows.indexOf(row) + 1 }))
  settleList(node.id, head.id, named)
  // The latest is listed first.
  for (const batch of named.slice(0, maxRecorded).reverse()) {
    const error = nodeError('EID_FAILED', 'rows.failed', { id: head.id, failed, total }, { outcome })
    recordError(node, toEidError(error, translate), error, { batch, _batch: { node: node.id } })
  }
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
