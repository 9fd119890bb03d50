/** Builds the options of a queue from its node: its settings, its outputs, its texts, the flow around it. */
import { mayComeBack, mayLeadTo, nodesReachedFrom } from '../../../lib/runtime/node-red/reached-nodes'
import { sandboxName, servicesOf } from '../../../lib/runtime/node-red/client-node'
import { nodeError, type EidError } from '../../../lib/api/errors/errors'
import { tidy } from '../../../lib/api/errors/texts'
import { waitingRows } from '../../../lib/runtime/monitor/pending'
import { reportOccurrence } from '../../../lib/runtime/monitor/occurrences'
import { messageEvents } from '../../../lib/runtime/node-red/message-events'
import { flowLabel } from '../../../lib/runtime/node-red/flow-label'
import { isShared, openNodeStore } from '../../../lib/runtime/node/node-store'
import { toEidError } from '../../../lib/runtime/node-red/errors'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { systemClock } from '../../../lib/store/clock'
import type { Store } from '../../../lib/store/store'
import { fields } from '../batch.fields'
import type { Live } from '../controller'
import { failedRowsOf, labelOf, sharedReason } from '../rows/failed-rows'
import { shownNumber, type Counts, type RowPlace } from '../rows/rows'
import type { Batch } from './batch-state'
import { createRateLimit } from './rate-limit'
import { createSentRows, type SentRows } from './sent-rows'

/** The options of a queue that works in this store; errors are reported through `failed`. */
export function queueOptions(
  live: Live,
  store: Store,
  failed: (error: unknown, msg?: FlowMessage) => void,
  sentRows?: SentRows,
) {
  const { node, config, status, translate } = live
  // A wait that is not on the way back holds another message of the same row, so it does not count.
  const comesBackFrom = (wait: string) => {
    const found = live.RED.nodes.getNode(wait)
    return !found || mayLeadTo(live.RED, found, node)
  }
  return {
    store,
    ...(sentRows && { sentRows }),
    RED: live.RED,
    nodeId: node.id,
    clock: systemClock,
    status,
    translate,
    rateLimit: rateLimitOf(live),
    parallel: atLeastOne(config.parallel, fields.parallel.initial),
    attempts: atLeastOne(config.attempts, fields.attempts.initial),
    emit(msg: FlowMessage & { readonly batch: RowPlace }) {
      node.send([msg, null])
    },
    emitProgress: (msg: FlowMessage) => node.send([null, msg]),
    failed: (error: unknown) => failed(error),
    waitingRows: (id: string, takenBy = node.id) => waitingRows(live.RED, [node.id, takenBy], id, comesBackFrom),
    forgotten(id: string, counts: Counts | undefined) {
      const { total = 0, done = 0, failed = 0, inFlight = 0 } = counts ?? {}
      node.log(translate(counts ? 'log.reset' : 'log.resetEnded', { id, total, ended: done + failed, out: inFlight }))
    },
    liveServices: () => servicesAhead(live).filter((one) => one !== sandboxName),
    otherService: (id: string, count: number) => node.warn(translate('warnings.otherService', { id, count })),
    failedLate(place: RowPlace, problem: string) {
      const params = { id: place.id, row: shownNumber(place) }
      const error = nodeError('EID_FAILED', 'rows.failedLate', params, { outcome: 'unknown' })
      recordRow(live, place, error)
      // The flow's own error, `problem`, is shown after ours.
      node.warn(tidy(`${toEidError(error, translate).message} ${problem}`))
    },
    mayComeBack: () => mayComeBack(live.RED, node),
    noWayBack: (id: string, count: number, total: number) =>
      node.warn(translate('warnings.noWayBack', { id, count, total })),
    stuck(found: RowPlace, minutes: number) {
      const error = nodeError(
        'EID_TIMEOUT',
        'errors.rowStuck',
        { row: shownNumber(found), minutes },
        { outcome: 'unknown' },
      )
      recordRow(live, found, error)
      node.warn(toEidError(error, translate).message)
    },
    report(batch: Batch, msg: FlowMessage) {
      reportFailed(live, batch)
      node.send([null, msg])
    },
  }
}

/** Gives its list the error of a row, which no Catch node receives. */
function recordRow({ RED, node, config, translate }: Live, place: RowPlace, error: EidError): void {
  const msg = { batch: place, _batch: { node: node.id } }
  const said = toEidError(error, translate)
  messageEvents(RED).ended({ RED, node, config, translate, msg, calls: [] }, { error: said, isWarning: true })
}

/** The number of rows in the report of an ended list; no one reads more. */
const shownRows = 10

/** Reports to those who watch that a list has ended with failures. */
function reportFailed({ RED, node }: Live, batch: Batch): void {
  const { head, rows } = batch
  const { failed, total, done } = rows.counts
  if (failed === 0) return
  const reason = sharedReason(rows.all)
  const failures = failedRowsOf(batch).filter(({ state }) => state === 'failed' || state === 'look first')
  const ended = { node: node.id, id: head.id, started: head.started, total, done, failed }
  reportOccurrence(RED, {
    what: 'list',
    ...ended,
    rows: failures.slice(0, shownRows).map(labelOf),
    ...(reason && { reason }),
  })
}

/** Opens the memory of the rows that all *batch* nodes have sent; `close` releases it. */
export function openSentRows(live: Live): { readonly sentRows: SentRows; close(): Promise<void> } {
  const { RED, node, config, translate, closing } = live
  const kinds = isShared(live) ? (['shared', 'here'] as const) : (['here'] as const)
  const stores = kinds.map((together) => openNodeStore(live, { kind: 'sent', together }))
  const format = new Intl.DateTimeFormat(translate('status.language'), { dateStyle: 'medium', timeStyle: 'short' })
  const sentRows = createSentRows({
    stores,
    clock: systemClock,
    nodeId: node.id,
    place: () => ({ node: node.name || node.id, flow: flowLabel(RED, config) }),
    services: () => servicesAhead(live),
    durationMs: (rows) => rows * rateLimitOf(live).intervalMs,
    signal: closing,
    moment: (at) => format.format(at),
  })
  return { sentRows, close: async () => void (await Promise.all(stores.map((store) => store.close()))) }
}

/** The services that the wires lead the rows to. */
const servicesAhead = ({ RED, node }: Live) => servicesOf(RED, nodesReachedFrom(RED, node))

const rateLimitOf = ({ config }: Live) => createRateLimit(Number(config.pace), unitOf(config.paceUnit), systemClock)

type Unit = (typeof fields.paceUnit.choices)[number]

function unitOf(setting: unknown): Unit {
  return fields.paceUnit.choices.find((one) => one === setting) ?? fields.paceUnit.initial
}

/** Returns the setting if it is a number of at least 1; for any other value, the default of a new node applies. */
function atLeastOne(setting: unknown, initial: number): number {
  const number = Math.floor(Number(setting))
  return number >= 1 ? number : initial
}
