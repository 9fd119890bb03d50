/** Waits until a document, session, share or deposit has ended, across restarts (`interface.md` 3). */
import { hostname } from 'node:os'
import type { CallOptions } from '../../lib/api/call/call'
import { EidError, nodeError } from '../../lib/api/errors/errors'
import type { OperationName } from '../../lib/api/operations/operations'
import { reasonParams, toEidError } from '../../lib/runtime/node-red/errors'
import { isSandbox, type ClientNode } from '../../lib/runtime/node-red/client-node'
import { systemClock } from '../../lib/store/clock'
import { registerLiveNode, type Arrival, type LiveBehaviour, type LiveNode } from '../../lib/runtime/node/live-node'
import type { Done, Runtime } from '../../lib/runtime/node-red/node-red'
import { flowLabel } from '../../lib/runtime/node-red/flow-label'
import { takeOffOwnError } from '../../lib/runtime/node/own-error'
import { isShared, openNodeStore, orClose, reportFailures } from '../../lib/runtime/node/node-store'
import { endedKind, endedLimits, registerEnded, type EndedProblem } from '../../lib/runtime/monitor/ended'
import { saidOf } from '../../lib/runtime/monitor/error-sentence'
import { noteReminder } from '../../lib/runtime/monitor/last-reminder'
import { registerReminders } from '../../lib/runtime/monitor/reminder-notes'
import { pendingChanged, registerPending, subjectOfPending } from '../../lib/runtime/monitor/pending'
import { safeDone } from '../../lib/runtime/node/safe-done'
import { registerWaiting, type Wake } from '../../lib/runtime/monitor/wake'
import { joinWatch, watchFor } from './list/client-watches'
import { registerCountRoute } from './count-route'
import { statusKeyOf } from './status-keys'
import { createListMember, type ListMember } from './list/list-member'
import { commandId, forgottenBySandbox, isRemindedAlready, patchOf, raisedBy, waitFor, withDefaultId } from './message'
import { createPoller, type Ending, type PollContext, type Poller } from './poller'
import { createPendingSource, createReminderSource } from './pending-source'
import { createEndedLog, endedAs, type EndedLog } from './ended'
import { createReminderNotes, type OwnNotes } from './reminder-notes'
import { createReminders, type Reminders } from './reminders'
import { createProgress } from './progress'
import { flush, flushMoved } from './flush'
import type { Store } from '../../lib/store/store'
import { kindOf, type WaitOutcome } from './goals'
import { askResourceState } from './resource-state'
import type { PendingWait } from './stored-wait'
import { fields, type Goal } from './wait.fields'
import { createWaits, type Waits } from './waits'

export = (RED: Runtime): void => {
  registerCountRoute(RED)
  registerLiveNode(RED, 'eid-wait', fields, open, { settingsOf: withDefaultId })
}

type Live = LiveNode<typeof fields>

/** The parts of the node that handle its messages. */
interface Own {
  readonly store: Store
  readonly waits: Waits
  readonly wake: Wake
  /** Warns once that the service itself sends reminders for documents. */
  remindsItself(): void
}

const outputs: readonly WaitOutcome[] = ['done', 'ended', 'expired']

/** The node checks after this many milliseconds which waits are left, and how many. */
const reconcileMs = 10_000

/** Rejects with EID_CONFIG if the node's store can't be used. */
async function open(live: Live): Promise<LiveBehaviour> {
  const failed = reportFailures(live)
  const show = () => void waits.show().catch(failed)
  const store = openNodeStore(live, { kind: 'waits', back: show })
  const watch = await orClose(store, () => watchFor(live))
  const list = watch && createListMember(watch, store)
  const endedStore = openNodeStore(live, { kind: endedKind, ...endedLimits })
  const ended = createEndedLog(live.RED, {
    store: endedStore,
    node: nodeInfoOf(live),
    replica: isShared(live) ? hostname() : undefined,
    problemOf: (wait, ending) => problemOf(live, wait, ending),
  })
  const waits = openWaits(live, store)
  const notes = createReminderNotes(live)
  const remindsItself = warnOnce(live)
  const poller = openPoller(live, { store, waits, list, ended, reminders: openReminders(live, notes, remindsItself) })
  const wake = async (subjects: readonly string[]) => {
    watch?.forget(documentsIn(live, subjects))
    await store.makeDue(subjects)
  }
  // A shared store reports the pending waits itself, for all nodes that use it.
  const unregister = isShared(live)
    ? []
    : [
        registerPending(live.RED, live.node.id, createPendingSource(live.RED, store, wake, waits, nodeInfoOf(live))),
        registerReminders(
          live.RED,
          createReminderSource(store, () => notes.notes()),
        ),
        registerEnded(live.RED, live.node.id, ended),
      ]
  const { client, shared } = live.config
  const sleep = registerWaiting(live.RED, String(client ?? ''), { shared: String(shared ?? ''), wake })
  let leave: (() => Promise<void>) | undefined
  let reconciling: NodeJS.Timeout | undefined
  return {
    receive: (arrival) => receive(live, { store, waits, wake, remindsItself }, arrival),
    async start() {
      poller.start()
      reconciling = setInterval(() => void waits.reconcile().catch(failed), reconcileMs).unref()
      await waits.show().catch(failed)
      await pollMoved(live, store, wake).catch(failed)
      leave = watch && list && (await joinWatch(live, watch, list, waits, store))
    },
    moved: () => waits.show().catch(failed),
    async close() {
      sleep()
      for (const end of unregister) end()
      clearInterval(reconciling)
      await leave?.()
      await poller.stop()
      await Promise.all([store.close(), endedStore.close(), notes.close()])
    },
  }
}

/**
 * Wakes waits after a change of the client or of its service, so that it is shown at once which of them are paused, and
 * events find the others.
 */
async function pollMoved({ RED, config }: Live, store: Store, wake: Wake): Promise<void> {
  const id = String(config.client)
  const client = RED.nodes.getNode(id) as Partial<ClientNode> | null
  if (client?.settings) await flushMoved(store, wake, { client: id, service: client.settings.service })
}

/** Returns the location of the node, in words that people know. */
function nodeInfoOf({ RED, node, config }: Live) {
  return { id: node.id, name: config.name ?? '', flow: flowLabel(RED, config) }
}

async function receive(live: Live, own: Own, { msg, taken, done, bare }: Arrival): Promise<void> {
  const { store, waits, wake } = own
  const read = await live.read(taken)
  if (taken.flush === true || taken.reset === true) {
    const id = commandId(read)
    const subject = id === undefined ? undefined : subjectOf(live, read.values.what, id)
    await (taken.reset === true ? waits.reset(subject) : flush(store, wake, subject))
    return done()
  }
  const found = waitFor(taken, read, await serviceOf(live), systemClock, bare)
  const isReminded = found.remind !== undefined && isRemindedAlready(found)
  if (isReminded) own.remindsItself()
  const wait = isReminded ? { ...found, remind: undefined } : found
  await waits.add(wait, subjectOf(live, wait.what, wait.resourceId), msg)
}

/**
 * Returns the service that the client uses. Rejects with EID_CONFIG if a setting is missing, so that this is reported
 * at once. While the node is being stopped, it resolves with undefined instead: the client may no longer exist, no
 * Catch node would receive the error, and the wait resumes after the deploy.
 */
async function serviceOf({ connect, closing }: Live): Promise<string | undefined> {
  try {
    return (await connect()).client.settings.service
  } catch (error) {
    if (closing.aborted) return undefined
    throw error
  }
}

/**
 * Returns the subject under which a wait is stored. Events of the same client use the same subject to wake the wait.
 */
const subjectOf = ({ config }: Live, what: Goal, id: string) =>
  subjectOfPending(String(config.client), kindOf(what), id)

/** Returns the ids of the documents among these subjects. */
function documentsIn(live: Live, subjects: readonly string[]): string[] {
  const start = subjectOf(live, 'document', '')
  return subjects.filter((one) => one.startsWith(start)).map((one) => one.slice(start.length))
}

function openWaits(live: Live, store: Store): Waits {
  const { node, translate } = live
  const progress = createProgress(live)
  const { id: _id, ...place } = nodeInfoOf(live)
  return createWaits({
    store,
    shared: isShared(live),
    ...(isShared(live) && { place: { node: place, replica: hostname() } }),
    clock: systemClock,
    dropped: (wait) => doneOf(live, wait)(),
    changed(count, latest) {
      progress(count, latest)
      pendingChanged(live.RED)
    },
    heldBack: ({ service = '' }) => node.warn(translate('warnings.elsewhere', { service })),
    unreadable: () => node.error(translate('warnings.unreadable'), {}),
    failed: reportFailures(live),
  })
}

interface Parts {
  readonly store: Store
  readonly waits: Waits
  readonly list: ListMember | undefined
  readonly ended: EndedLog
  readonly reminders: Reminders
}

function openPoller(live: Live, { store, waits, list, ended, reminders }: Parts): Poller {
  return createPoller({
    store,
    shared: isShared(live),
    waits,
    list,
    clock: systemClock,
    subjectOf: ({ what, resourceId }) => subjectOf(live, what, resourceId),
    note: (...about) => ended.note(...about),
    remind: (...about) => reminders.work(...about),
    ask: (wait, context, signal) => ask(live, wait, context, signal),
    end(id, wait, ending, redelivered) {
      const done = doneOf(live, wait)
      try {
        if (redelivered) wait.msg.redelivered = true
        deliver(live, wait, ending)
        done()
      } catch (thrown) {
        // The list of ended waits has the error with which the wait has ended.
        const isListed = errorOf(live, wait, ending) !== undefined
        const about = { id: wait.resourceId, ended: endedAs(wait, ending, thrown), ...(isListed && { wait: id }) }
        done(live.fail(thrown, wait.msg, about))
      }
    },
    failed: reportFailures(live),
  })
}

/** Returns a function that warns that the service itself sends reminders; once, however many documents there are. */
function warnOnce({ node, translate }: Live): () => void {
  let hasWarned = false
  return () => {
    if (!hasWarned) node.warn(translate('warnings.remindsItself'))
    hasWarned = true
  }
}

function openReminders(live: Live, { notes }: OwnNotes, remindsItself: () => void): Reminders {
  const { node, translate } = live
  const send = async (operation: OperationName, options: CallOptions, { msg }: PendingWait) =>
    live.send(operation, { background: true, ...options }, msg.requestTimeout)
  return createReminders({
    notes,
    clock: systemClock,
    read: async (wait, signal) => (await send('getDocument', { id: wait.resourceId, signal }, wait)).data,
    async send(wait, notificationSetting, signal) {
      await send('remindDocument', { id: wait.resourceId, body: { notificationSetting }, signal }, wait)
      noteReminder(live.RED, wait.resourceId)
    },
    own: remindsItself,
    nobody: ({ id, date }) => node.warn(translate('warnings.remindNobody', { id, date })),
    failed({ id: documentId, date }, state, error) {
      // If the node is being stopped, nothing is reported here, because the calls in flight have their own line in the
      // log.
      if (live.closing.aborted) return
      const reason = error instanceof EidError ? reasonParams(error, translate) : { reason: '@reminders.stopped' }
      const { code, cause } = error instanceof EidError ? error : { code: 'EID_NETWORK' as const, cause: unknownCause }
      const params = { ...reason, id: documentId, date }
      // The error contains no message of the flow, so that a Catch branch that ends waits does not end this wait.
      const failed = nodeError(code, `errors.reminder.${state}`, params, cause)
      node.error(live.fail(failed, { documentId }, { id: documentId }), { documentId })
    },
  })
}

/** The cause in the error if it is unknown whether a reminder was sent. */
const unknownCause = { attempts: 1, outcome: 'unknown' } as const

/**
 * Polls the service for a wait, unless the client now uses another service: a document of the sandbox would not be
 * found at the live service, although nothing has happened to it.
 */
async function ask(live: Live, wait: PendingWait, { details, fullRecord }: PollContext, signal: AbortSignal) {
  const { client } = await live.connect()
  if (wait.service !== undefined && wait.service !== client.settings.service) return 'elsewhere'
  const send: Parameters<typeof askResourceState>[1] = (operation, options) =>
    live.send(operation, { signal, background: true, ...options }, wait.msg.requestTimeout)
  const { what, resourceId, version } = wait
  return askResourceState(
    live.RED,
    send,
    { what, resourceId, version, fullRecord, seen: details?.status },
    client.settings.sharePaths,
  )
}

/** The error with which the message of a wait ends; undefined if the message continues. */
function errorOf({ RED, config }: Live, wait: PendingWait, ending: Ending): unknown {
  if (!('error' in ending)) return raisedBy(config, wait, ending.state, ending.late)
  return isSandbox(RED, config.client) ? forgottenBySandbox(ending.error) : ending.error
}

function problemOf(live: Live, wait: PendingWait, ending: Ending): EndedProblem | undefined {
  const thrown = errorOf(live, wait, ending)
  if (thrown === undefined) return undefined
  const error = toEidError(thrown, live.translate)
  return { type: live.node.type, code: error.code, text: error.message, said: saidOf(error) }
}

/**
 * Sends the message to the output for the way in which its wait ended. If the settings ask for an error instead of the
 * output, throws that error.
 */
function deliver(live: Live, wait: PendingWait, ending: Ending): void {
  const { node, status, translate } = live
  const error = errorOf(live, wait, ending)
  if (error !== undefined || 'error' in ending) throw error
  const { state, late } = ending
  const outcome = late ? 'expired' : state.outcome
  const text = late
    ? translate('status.timedOut')
    : translate('status.ended', { status: statusKeyOf(wait.what, state, outcome) })
  status.setResult({ fill: outcome === 'done' ? 'green' : 'yellow', shape: 'dot', text })
  takeOffOwnError(node, wait.msg)
  Object.assign(wait.msg, patchOf(live.RED, wait, state, late))
  node.send(outputs.map((one) => (one === outcome ? wait.msg : null)))
}

/**
 * Returns the function that completes a message. The `done` of a message from before a restart no longer exists, so an
 * error can be reported, but the message can't be completed.
 */
function doneOf({ node, translate }: Live, { msg, done }: PendingWait): Done {
  if (done) return safeDone(done, node, translate)
  return (error) => void (error !== undefined && node.error(error, msg))
}
