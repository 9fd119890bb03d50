/** Adds the lists of pending and recently ended waits to each message. */
import { inputError } from '../../lib/api/errors/errors'
import type { Values } from '../../lib/settings/fields'
import { systemClock } from '../../lib/store/clock'
import { registerLiveNode, type Arrival, type LiveBehaviour, type LiveNode } from '../../lib/runtime/node/live-node'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { listEnded, type EndedItem } from '../../lib/runtime/monitor/ended'
import { listPending, type PendingItem } from '../../lib/runtime/monitor/pending'
import { fields } from './pending.fields'

export = (RED: Runtime): void => {
  registerLiveNode(RED, 'eid-pending', fields, open)
}

type Live = LiveNode<typeof fields>

/** Opens the node. Its client is only a filter: the node makes no calls, and the client may be missing. */
function open(live: Live): Promise<LiveBehaviour> {
  return Promise.resolve({ receive: (arrival) => receive(live, arrival) })
}

async function receive(live: Live, { msg, taken, send, done }: Arrival): Promise<void> {
  const { values, problems } = await live.read(taken)
  if (problems.length > 0) throw inputError(problems)
  const [{ items, failures }, ended] = await Promise.all([listPending(live.RED), listEnded(live.RED)])
  // If a store is unreachable, the message ends with the error, because a list without the store's items would look
  // complete.
  const failed = [...failures, ...ended.failures]
  if (failed.length > 0) throw failed[0]
  const list = items.filter((item) => isWanted(live, values, item) && isOld(values, item)).map(entryOf)
  msg.payload = list
  msg.ended = ended.items.filter((item) => isWanted(live, values, item)).map(endedEntryOf)
  live.status.setResult({ fill: 'green', shape: 'dot', text: live.translate('status.listed', { count: list.length }) })
  live.status.rest()
  send(msg)
  done()
}

const unitMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const

function isWanted(live: Live, values: Values<typeof fields>, item: PendingItem | EndedItem): boolean {
  const { kind = '', client = '' } = values
  if (kind !== '' && item.kind !== kind) return false
  return client === '' || item.client === client || live.RED.nodes.getNode(item.client)?.name === client
}

function isOld({ olderThan = 0, olderThanUnit }: Values<typeof fields>, item: PendingItem): boolean {
  return olderThan === 0 || systemClock.epochNow() - Date.parse(item.since) >= olderThan * unitMs[olderThanUnit]
}

/** Returns an entry of the list: the item without the parts that only the item's own node uses. */
function entryOf(item: PendingItem) {
  const { kind, id, title, since, until, nextQuestion, nextReminder, waitingFor, node, client, service } = item
  return {
    kind,
    id,
    title,
    since,
    until,
    nextQuestion,
    waitingFor,
    node,
    client,
    ...(nextReminder !== undefined && { nextReminder }),
    ...(service !== undefined && { service }),
  }
}

/** Returns an entry of the ended list, with its id under the name that the next node expects. */
function endedEntryOf({ what, kind, id, title, who, since, when, outcome, node, client }: EndedItem) {
  return { what, [`${kind}Id`]: id, title, who, since, when, outcome, node, client }
}
