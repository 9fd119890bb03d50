/** Pulls events from the service's queue, one message each, and marks them as handled (`interface.md` 4.9). */
import { inputError } from '../../lib/api/errors/errors'
import { registerLiveNode, type LiveBehaviour, type LiveNode } from '../../lib/runtime/node/live-node'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { isShared, isReportedByStore, openNodeStore, reportFailures } from '../../lib/runtime/node/node-store'
import { createReader } from '../../lib/runtime/values/values'
import { wakeByEvent } from '../../lib/runtime/monitor/wake'
import { fields } from './events.fields'
import { forgetHandouts, handoutsOf, settleDoubtful } from './leases'
import { keepPulling } from './pull-loop'
import { createQueue, type Queue } from './queue'
import { createSeen, type Seen } from './seen'

export = (RED: Runtime): void => {
  registerLiveNode(RED, 'eid-events', fields, open)
}

type Live = LiveNode<typeof fields>

/** Maximum number of events in the record of deliveries and handled events: about as many as arrive in a day. */
const maxRemembered = 20_000
/** Milliseconds during which a stopped node may still acknowledge the events that it has sent. */
const closeGraceMs = 800
const { eventId: _perMessage, ...standingFields } = fields

/** Rejects with an EidError if the settings can't be read. */
async function open(live: Live): Promise<LiveBehaviour> {
  /** Aborts the calls that a stopped node may still make. */
  const acknowledging = new AbortController()
  const store = openNodeStore(live, { kind: 'events', maxItems: maxRemembered })
  const seen = createSeen(store)
  const wake = (subjects: readonly string[]) => store.makeDue(subjects)
  const own = isShared(live) ? { shared: String(live.config.shared), wake } : undefined
  const heard = (event: unknown) =>
    void wakeByEvent(live.RED, String(live.config.client ?? ''), event, own).catch(reportFailures(live))
  const queue = await openQueue(live, acknowledging.signal, seen, heard).catch(async (error: unknown) => {
    await seen.close()
    throw error
  })
  let pulling = Promise.resolve()
  return {
    start(stopped) {
      const { id } = live.node
      settleDoubtful(handoutsOf(live.RED, id), stopped !== 'all' && stopped.every((one) => one === id))
      pulling = pull(live, queue)
    },
    async receive({ taken, done }) {
      const { values, problems } = await live.read(taken)
      if (problems.length > 0) throw inputError(problems)
      // With the setting `on-delivery`, the event was already marked when it was sent.
      if (values.acknowledge === 'when-returned') await queue.handle(values.eventId ?? '')
      done()
    },
    async close(isDeleted) {
      const timer = setTimeout(() => acknowledging.abort(), closeGraceMs)
      await pulling
      clearTimeout(timer)
      acknowledging.abort()
      if (isDeleted) forgetHandouts(live.RED, live.node.id)
      await seen.close()
    },
  }
}

async function openQueue(
  live: Live,
  acknowledging: AbortSignal,
  seen: Seen,
  heard: (event: unknown) => void,
): Promise<Queue> {
  const { RED, node, config, closing } = live
  const { values, problems } = await createReader({ RED, node }, standingFields, config)({})
  // A missing client is reported when the client is looked up.
  const wrong = problems.filter(({ path }) => path !== 'client')
  if (wrong.length > 0) throw inputError(wrong)
  return createQueue({
    eventTypes: wordsOf(values.eventTypes),
    tags: wordsOf(values.tags),
    handouts: handoutsOf(live.RED, node.id),
    seen,
    onDelivery: values.acknowledge === 'on-delivery',
    signal: closing,
    ask: (operation, options) => live.send(operation, { signal: acknowledging, ...options }),
    emit: (msg) => node.send(msg),
    heard,
    unfit: (count) => node.warn(live.translate('warnings.unfit', { count })),
    failed: (error, msg) => node.error(live.fail(error), msg),
  })
}

/** Pulls events until the node is closed; never rejects. */
function pull({ node, config, translate, status, closing, fail }: Live, queue: Queue): Promise<void> {
  let trouble: string | undefined
  return keepPulling({
    intervalMs: intervalMsOf(config.interval),
    signal: closing,
    async pull() {
      const { count, more } = await queue.pull()
      const text = count === 1 ? translate('status.receivedOne') : translate('status.received', { count })
      if (count > 0) status.setResult({ fill: 'green', shape: 'dot', text })
      else if (trouble !== undefined) status.setResult(undefined)
      trouble = undefined
      if (!closing.aborted) status.rest()
      return more
    },
    failed(thrown) {
      if (isReportedByStore(thrown)) return
      const error = fail(thrown)
      // If a service is down all night, that is reported as a single error, not thousands.
      if (error.code !== trouble) node.error(error, {})
      trouble = error.code
    },
  })
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

/**
 * Returns the interval in milliseconds; for a setting that is not a number above 0, the default of a new node applies.
 */
function intervalMsOf(setting: unknown): number {
  const seconds = Number(setting)
  return (seconds > 0 ? seconds : fields.interval.initial) * 1000
}
