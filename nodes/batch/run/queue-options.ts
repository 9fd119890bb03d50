/** Builds the options of a queue from its node: its settings, its outputs, its texts, the flow around it. */
import { mayComeBack, mayLeadTo, nodesReachedFrom } from '../../../lib/runtime/node-red/reached-nodes'
import { sandboxName } from '../../../lib/runtime/node-red/client-node'
import { servicesOf } from '../../../lib/runtime/node-red/service-nodes'
import { nodeError, type EidError } from '../../../lib/api/errors/errors'
import { tidy } from '../../../lib/api/errors/texts'
import { createYielder } from '../../../lib/common/event-loop'
import { waitingRows } from '../../../lib/runtime/monitor/pending'
import {
  listErrors,
  recordError,
  settleList,
  settleRows,
  type ErrorEntry,
} from '../../../lib/runtime/monitor/error-log'
import { firstRows, isAbout, maxRows, rowMarksOf, rowOf } from '../../../lib/runtime/monitor/error-rows'
import { markOf } from '../../../lib/runtime/monitor/key-marks'
import { reportOccurrence } from '../../../lib/runtime/monitor/occurrences'
import { flowLabel } from '../../../lib/runtime/node-red/flow-label'
import { isShared, openNodeStore } from '../../../lib/runtime/node/node-store'
import { toEidError } from '../../../lib/runtime/node-red/errors'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { systemClock } from '../../../lib/store/clock'
import type { Store } from '../../../lib/store/store'
import { fields } from '../batch.fields'
import type { Live } from '../controller'
import { countsAsFailed, stateOf, type Row, type RowEnd } from '../rows/row'
import { placeOf, shownNumber, type Counts, type RowPlace } from '../rows/rows'
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
    nodeId: node.id,
    clock: systemClock,
    status,
    translate,
    rateLimit: rateLimitOf(live),
    parallel: atLeastOne(config.parallel, fields.parallel.initial),
    attempts: atLeastOne(config.attempts, fields.attempts.initial),
    emit(msg: FlowMessage & { readonly batch: RowPlace }) {
      settleRows(node.id, msg.batch.id, [msg.batch])
      node.send([msg, null])
    },
    done: (place: RowPlace, failedIn: RowEnd['failedIn']) => settleRows(node.id, place.id, [place], { failedIn }),
    emitProgress: (msg: FlowMessage) => node.send([null, msg]),
    failed: (error: unknown) => failed(error),
    waitingRows: (id: string, takenBy = node.id) => waitingRows([node.id, takenBy], id, comesBackFrom),
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
    async report(batch: Batch, msg: FlowMessage, stop: AbortSignal) {
      // Read before anything is recorded, because it takes several turns.
      const known = isListed(node.id, batch.head.id) ? await rowsByMark(batch) : undefined
      // The node that takes its place records and sends all this.
      if (stop.aborted) return
      recordFailures(live, batch, known)
      node.send([null, msg])
    },
  }
}

/** Lists a row's error, which no Catch node receives, among the errors of this Node-RED. */
function recordRow({ node, translate }: Live, place: RowPlace, error: EidError): void {
  const msg = { batch: place, _batch: { node: node.id } }
  recordError(node, toEidError(error, translate), error, msg, { isWarning: true })
}

/** Lists the rows that failed among the errors of this Node-RED, by number and key. */
function recordFailures({ node, translate }: Live, batch: Batch, known: ReadonlyMap<string, Row> = new Map()): void {
  const { head, rows } = batch
  const { failed, total, done } = rows.counts
  const failures = rows.all.filter(countsAsFailed)
  const outcome = failures.some((row) => stateOf(row) === 'look first') ? 'unknown' : 'not-done'
  const named = failures.map((row) => placeOf(batch, row))
  const refused = named.filter(({ key }) => key === '')
  const labels = named.slice(0, maxRows).flatMap((batch) => rowOf({ batch }))
  const rowMarks = named.slice(0, maxRows).flatMap((batch) => rowMarksOf({ batch }))
  const { id, started } = head
  settleRows(node.id, id, refused, 'refused')
  // This must happen before the errors of the rows are settled, because those errors contain the titles.
  const shown = firstRows({ rows: labels, rowMarks, list: `${node.id}/${id}` }, listErrors())
  const reason = sharedReason(failures, `${node.id}/${id}`)
  const marks = listErrors().flatMap(({ list, rowMarks = [] }) => (list === `${node.id}/${id}` ? rowMarks : []))
  const left = [...new Set(marks.flatMap(([, mark]) => known.get(mark) ?? []))].map((row) => placeOf(batch, row))
  settleList(node.id, id, left)
  if (failed === 0) return
  const ended = { node: node.id, id, started, total, done, failed, rows: shown }
  reportOccurrence({ what: 'list', ...ended, ...(reason && { reason }) })
  if (areListed(failures, labels, `${node.id}/${id}`)) return
  const params = { id, failed, total, refused: refused.length > 0 ? '@rows.byKey' : '', count: refused.length }
  const error = nodeError('EID_FAILED', 'rows.failed', params, { outcome })
  const msg = { batch: { id }, _batch: { node: node.id } }
  recordError(node, toEidError(error, translate), error, msg, { rows: labels, rowMarks })
}

/** Whether another node has reported an error about a row of this list. */
function isListed(node: string, name: string): boolean {
  return listErrors().some((one) => one.list === `${node}/${name}` && one.node.id !== node)
}

/** The rows of a list by the hashes of their keys, made without blocking other work. */
async function rowsByMark({ rows }: Batch): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>()
  const breathe = createYielder()
  for (const row of rows.all) {
    await breathe()
    const mark = markOf(row.key)
    if (mark !== undefined) found.set(mark, row)
  }
  return found
}

/**
 * The error with which all these rows of the list failed. Undefined if they failed with different errors, or with one
 * that none of our nodes has reported: the text of such an error may contain personal data.
 */
function sharedReason(rows: readonly Row[], list: string): ErrorEntry | undefined {
  const [problem, ...others] = new Set(rows.map(({ result }) => result?.problem))
  return others.length === 0 ? listErrors().find((one) => one.list === list && one.text === problem) : undefined
}

/**
 * Whether the errors of other nodes already name all these rows of the list, so that an error about the list would only
 * repeat them. For a row that has to be checked, one of these errors must say so. `labels` are the names of the rows.
 */
function areListed(rows: readonly Row[], labels: readonly string[], list: string): boolean {
  const errors = listErrors().filter((one) => one.list === list)
  return rows.every((row, index) => {
    const label = labels[index]
    const isEnough = ({ outcome }: ErrorEntry) => outcome === 'unknown' || stateOf(row) !== 'look first'
    return label !== undefined && errors.some((one) => isEnough(one) && isAbout(one, label, row.key))
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
const servicesAhead = ({ RED, node }: Live) => servicesOf(nodesReachedFrom(RED, node))

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
