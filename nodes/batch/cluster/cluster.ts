/**
 * Several Node-REDs work at the batches of one node: one of them leads, and it alone sends rows. What comes to the others
 * they hand over to it; when it is gone, another one leads.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../../lib/store/clock'
import { openNodeStore, tellFailures } from '../../../lib/runtime/node/node-store'
import type { Claim, Store } from '../../../lib/store/store'
import { startWorker, type Worker } from '../../../lib/store/worker'
import { controlBatches, type Desk, type Live } from '../controller'
import { findHead, summaries } from '../run/storage'
import { openBatches } from '../run/open-queue'
import { handOver, leadsNoMore, workOff } from './mailbox'
import { forgetFlow } from '../run/dispatcher'

type Opened = ReturnType<typeof openBatches>

/** How much of the lease may be gone before nothing is written or sent any more without having asked. */
const sureOf = 0.6
/** Milliseconds between two looks at how far the leader is, and between two of its notes about that. */
const lookMs = 2_000
const handledAtOnce = 4

/** Throws EID_CONFIG when there is no such store. */
export function openTogether(live: Live): Desk {
  const { node, status, translate, closing } = live
  const store = openNodeStore(live, { kind: 'batches' })
  const leadership = openNodeStore(live, { kind: 'batchlead', tells: false })
  const post = openNodeStore(live, { kind: 'batchpost', tells: false })
  const failed = tellFailures(live)
  let leading: Opened | undefined
  let worker: Worker | undefined
  let looking: NodeJS.Timeout | undefined

  const lead = async (claim: Claim, signal: AbortSignal) => {
    let sureSince = systemClock.now()
    const isOurs = () => !signal.aborted && systemClock.now() - sureSince < leadership.leaseMs * sureOf
    const ask = async () => {
      const asked = systemClock.now()
      if ((await leadership.renew([claim])).length > 0) sureSince = asked
    }
    const opened = openBatches(live, whileOurs(store, isOurs), (error, msg) => void (isOurs() && failed(error, msg)))
    const asking = setInterval(() => void ask().catch(() => undefined), leadership.leaseMs / 5)
    let noted: Promise<void> | undefined
    // One after the other: a slow store is not asked for more than it gets through.
    const noting = setInterval(() => {
      noted ??= note(opened)
        .catch(() => undefined)
        .then(() => void (noted = undefined))
    }, lookMs)
    let taking: Worker | undefined
    try {
      await opened.batches.start()
      leading = opened
      taking = startWorker({
        ...{ store: post, parallel: handledAtOnce, failed },
        work: (one, ending) => workOff(post, one, opened.batches, ending, (error) => node.error(live.fail(error), {})),
      })
      await aborted(signal)
    } finally {
      leading = undefined
      clearInterval(asking)
      clearInterval(noting)
      opened.progress.stop()
      // What is being handed over waits for what the other one writes.
      await Promise.all([taking?.stop(), opened.batches.stop()])
    }
  }
  /** There is one leadership, whoever of them makes it first. */
  const offer = async () => {
    while (!closing.aborted) {
      try {
        return void (await leadership.add('lead', { dueMs: 0 }))
      } catch (error) {
        failed(error)
        await pause(lookMs, undefined, { signal: closing }).catch(() => undefined)
      }
    }
  }
  const look = async () => {
    if (leading) return
    const [first] = await summaries(store)
    if (!first || leading) return status.rest()
    const format = new Intl.NumberFormat(translate('status.language'))
    const [ended, total] = [first.done + first.failed, first.total].map((one) => format.format(one))
    const words = translate('status.progress', { ended: ended ?? '', total: total ?? '' })
    status.show({ fill: 'grey', shape: 'dot', text: translate('status.elsewhere', { progress: words }) })
  }

  return {
    start() {
      void offer()
      worker = startWorker({ store: leadership, parallel: 1, work: lead, failed })
      looking = setInterval(() => void look().catch(() => undefined), lookMs)
      return Promise.resolve()
    },
    async take({ id, list, msg }, origin) {
      const led = await leading?.batches.take(id, list, msg, origin).then(
        () => true,
        // Another one may have begun to lead meanwhile: it gets the list.
        (error: unknown) => (leading && error !== leadsNoMore ? Promise.reject(error) : false),
      )
      if (led) return
      await handOver(post, { what: 'list', id, list, msg })
      // The report comes out of the one that leads.
      origin.done()
    },
    async end(row, end) {
      const led = leading
      const taken = await led?.batches.end(row.id, row.key, row.sent, end)
      // What was noted by one that no longer leads may not have been written down.
      if (led && led === leading) return taken ?? false
      if (!row.isOurs && !(await findHead(store, row.id))) return false
      await handOver(post, { what: 'end', ...row, end })
      return true
    },
    async control(what, id) {
      if (leading) return controlBatches(leading.batches, what, id)
      await handOver(post, { what, id })
    },
    list: () => (leading ? Promise.resolve(leading.progress.list()) : summaries(store)),
    async close(removed) {
      clearInterval(looking)
      await worker?.stop()
      await Promise.all([store, leadership, post].map((one) => one.close(removed)))
      if (removed) forgetFlow(node.id)
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * The same store, which takes nothing any more from one that may no longer lead. Who stood still while it was written
 * may not act on it either: another one may lead by then, and has not seen it.
 */
function whileOurs(store: Store, isOurs: () => boolean): Store {
  const check = () => (isOurs() ? undefined : Promise.reject(leadsNoMore))
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

/** What the others show of the batches is written down from time to time. */
async function note({ batches, progress }: Opened): Promise<void> {
  await batches.note(new Map(progress.list().map((one) => [one.id, one])))
}
