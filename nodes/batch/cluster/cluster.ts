/**
 * Lets several instances work on the batches of one node. One of them is the leader: only the leader sends rows. The
 * other instances pass the lists, rows and commands that they receive on to the leader. When the leader is gone, another
 * instance takes over.
 *
 * States of an instance: following -> leading (it holds the one item of `leadership`) -> following.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { OwnedRow, RowError } from '../../../lib/runtime/monitor/row-owners'
import { openNodeStore, reportFailures } from '../../../lib/runtime/node/node-store'
import { systemClock } from '../../../lib/store/clock'
import type { Claim, Store } from '../../../lib/store/store'
import { startWorker, type Worker } from '../../../lib/store/worker'
import type { Control, Controller, Live } from '../controller'
import type { ReadList } from '../rows/read-list'
import type { ReturningRow } from '../rows/row-message'
import type { RowEnd } from '../rows/row'
import { endedOf } from '../rows/rows'
import type { Origin } from '../run/batch-state'
import { endedListsOf } from '../run/ended-lists'
import { BatchQueue } from '../run/queue'
import { openSentRows, queueOptions } from '../run/queue-options'
import { findHead, openSummaries } from '../run/storage'
import { notLeader, processCommand, sendCommand } from './mailbox'

/** Once this share of the lease has passed, nothing is written or sent until the lease is renewed. */
const safeShareOfLease = 0.6
/** Milliseconds between two reads of the leader's progress, and between two writes by the leader. */
const noteMs = 2_000
const commandsAtOnce = 4

/** Throws EID_CONFIG if the store does not exist. */
export function openCluster(live: Live): Controller {
  return new Cluster(live)
}

type Failed = ReturnType<typeof reportFailures>

class Cluster implements Controller {
  readonly #live: Live
  readonly #store: Store
  readonly #leadership: Store
  readonly #mailbox: Store
  readonly #sent: ReturnType<typeof openSentRows>
  readonly #failed: Failed
  #leading: BatchQueue | undefined
  #worker: Worker | undefined
  #watching: NodeJS.Timeout | undefined

  constructor(live: Live) {
    this.#live = live
    this.#store = openNodeStore(live, { kind: 'batches' })
    this.#leadership = openNodeStore(live, { kind: 'batchlead' })
    this.#mailbox = openNodeStore(live, { kind: 'batchpost' })
    this.#sent = openSentRows(live)
    this.#failed = reportFailures(live)
  }

  start(): Promise<void> {
    void this.#offer()
    const work = (claim: Claim, signal: AbortSignal) => this.#lead(claim, signal)
    this.#worker = startWorker({ store: this.#leadership, parallel: 1, work, failed: this.#failed })
    this.#watching = setInterval(() => void this.#watch().catch(() => undefined), noteMs)
    return Promise.resolve()
  }

  async reread(): Promise<void> {
    if (this.#leading) return this.#leading.reread()
    await sendCommand(this.#mailbox, { what: 'reread' })
  }

  async take(list: ReadList, origin: Origin): Promise<void> {
    const isTaken = await this.#leading?.take(list, origin).then(
      () => true,
      // If another instance has become the leader meanwhile, that instance gets the list.
      (error: unknown) => (this.#leading && error !== notLeader ? Promise.reject(error) : false),
    )
    if (isTaken) return
    await sendCommand(this.#mailbox, { what: 'list', ...list })
    // The report is sent by the leader.
    origin.done()
  }

  async end(row: ReturningRow, end: RowEnd): Promise<boolean> {
    const led = this.#leading
    const isTaken = await led?.end(row, end)
    // If this instance no longer leads, it may not have stored its records, so the row is passed on to the new leader.
    if (led && led === this.#leading) return isTaken ?? false
    const head = row.isOurs ? undefined : await findHead(this.#store, row.id)
    if (!row.isOurs && (!head || (row.sender !== undefined && head.takenBy !== row.sender))) return false
    await sendCommand(this.#mailbox, { what: 'end', ...row, end })
    return true
  }

  async acted(row: OwnedRow, calls: readonly RowCall[]): Promise<void> {
    const led = this.#leading
    await led?.acted(row, calls).catch((error: unknown) => {
      if (error !== notLeader) throw error
    })
    // If this instance no longer leads, it may not have stored its records, so the calls are passed on to the new
    // leader.
    if (led && led === this.#leading) return
    await sendCommand(this.#mailbox, { what: 'acted', row, calls })
  }

  stopped(...lost: Parameters<Controller['stopped']>): void {
    this.#leading?.stopped(...lost)
  }

  async failed(row: OwnedRow, error: RowError): Promise<void> {
    if (this.#leading) return this.#leading.failed(row, error)
    await sendCommand(this.#mailbox, { what: 'failed', row, error })
  }

  async passed(row: OwnedRow, nodeId: string): Promise<void> {
    await this.#leading?.passed(row, nodeId)
  }

  async control(what: Control, id: string | undefined): Promise<void> {
    if (this.#leading) return this.#leading.control(what, id)
    await sendCommand(this.#mailbox, { what, id })
  }

  async report(id: string): ReturnType<Controller['report']> {
    return this.#leading?.report(id)
  }

  async dismiss(id: string): Promise<boolean> {
    return (await this.#leading?.dismiss(id)) ?? false
  }

  list(): ReturnType<Controller['list']> {
    return this.#leading?.list() ?? openSummaries(this.#store)
  }

  async close(): Promise<void> {
    clearInterval(this.#watching)
    await this.#worker?.stop()
    await Promise.all([this.#store, this.#leadership, this.#mailbox].map((one) => one.close()))
    await this.#sent.close()
  }

  /** Creates the leadership item. Only one exists, whichever instance creates it first. */
  async #offer(): Promise<void> {
    const { closing } = this.#live
    while (!closing.aborted) {
      try {
        return void (await this.#leadership.add('lead', { dueMs: 0 }))
      } catch (error) {
        this.#failed(error)
        await pause(noteMs, undefined, { signal: closing }).catch(() => undefined)
      }
    }
  }

  /** Leads until the signal is aborted. */
  async #lead(claim: Claim, signal: AbortSignal): Promise<void> {
    const lease = holdLease(this.#leadership, claim, signal)
    const failed: Failed = (error, msg) => void (lease.isOurs() && this.#failed(error, msg))
    const store = whileOurs(this.#store, lease.isOurs)
    const queue = new BatchQueue(queueOptions(this.#live, store, failed, this.#sent.sentRows))
    const stopNoting = startNoting(queue)
    let commands: Worker | undefined
    try {
      // Reading stored batches may take several tries, and another instance may lead meanwhile.
      await Promise.race([queue.start(), aborted(signal)])
      this.#leading = queue
      commands = this.#startCommands(queue)
      await aborted(signal)
    } finally {
      this.#leading = undefined
      // From here on, another instance may receive lists that are sent again, so this instance's records of ended lists
      // may be out of date.
      endedListsOf(this.#live.RED, this.#live.node.id).forget()
      lease.end()
      stopNoting()
      // The commands and the queue are stopped together, because a command in progress waits for the queue's writes.
      await Promise.all([commands?.stop(), queue.stop()])
    }
  }

  #startCommands(queue: BatchQueue): Worker {
    const { node } = this.#live
    const refused = (error: unknown) => node.error(this.#live.fail(error), {})
    return startWorker({
      store: this.#mailbox,
      parallel: commandsAtOnce,
      failed: this.#failed,
      work: (one, ending) => processCommand(this.#mailbox, one, queue, ending, refused),
    })
  }

  /** Shows the status while another instance leads. */
  async #watch(): Promise<void> {
    if (this.#leading) return
    const { status, translate } = this.#live
    const [first] = await openSummaries(this.#store)
    if (!first || this.#leading) return status.rest()
    const format = new Intl.NumberFormat(translate('status.language'))
    const [ended, total] = [endedOf(first), first.total].map((one) => format.format(one))
    const words = translate('status.progress', { ended: ended ?? '', total: total ?? '' })
    status.show({ fill: 'grey', shape: 'dot', text: translate('status.elsewhere', { progress: words }) })
  }
}

interface Lease {
  /** False when another instance may lead by now. */
  isOurs(): boolean
  end(): void
}

function holdLease(leadership: Store, claim: Claim, signal: AbortSignal): Lease {
  let sureSince = systemClock.now()
  const renew = async () => {
    const asked = systemClock.now()
    if ((await leadership.renew([claim])).length > 0) sureSince = asked
  }
  const renewing = setInterval(() => void renew().catch(() => undefined), leadership.leaseMs / 5)
  return {
    isOurs: () => !signal.aborted && systemClock.now() - sureSince < leadership.leaseMs * safeShareOfLease,
    end: () => clearInterval(renewing),
  }
}

/**
 * Regularly stores the progress of the batches, which the other instances then show. Returns the function that stops
 * this.
 */
function startNoting(queue: BatchQueue): () => void {
  let noted: Promise<void> | undefined
  // One write at a time, so that a slow store is not overloaded.
  const noting = setInterval(() => {
    noted ??= queue
      .note()
      .catch(() => undefined)
      .then(() => void (noted = undefined))
  }, noteMs)
  return () => clearInterval(noting)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * Wraps the store so that the store accepts nothing from an instance that may no longer lead. A write during which the
 * instance was suspended rejects too: a new leader may have read the store before the item was written.
 */
function whileOurs(store: Store, isOurs: () => boolean): Store {
  const check = () => (isOurs() ? undefined : Promise.reject(notLeader))
  return {
    ...store,
    put: async (id, item) => {
      await check()
      await store.put(id, item)
      await check()
    },
    remove: async (id) => (await check(), store.remove(id)),
  }
}
