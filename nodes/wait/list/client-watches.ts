/** Finds the single list watch of all "wait" nodes that use the same client and store. */
import { EidError } from '../../../lib/api/errors/errors'
import { systemClock } from '../../../lib/store/clock'
import { statusTextOf } from '../../../lib/runtime/node-red/errors'
import { hosted } from '../../../lib/runtime/node-red/host'
import type { LiveNode } from '../../../lib/runtime/node/live-node'
import { isShared, openNodeStore, reportFailures } from '../../../lib/runtime/node/node-store'
import { subjectOfPending } from '../../../lib/runtime/monitor/pending'
import type { Store } from '../../../lib/store/store'
import { goalOf, kindOf } from '../goals'
import type { ListMember } from './list-member'
import { createListWatch, type ListWatch } from './list-watch'
import { defaultPauses, minPauseMs, pausesOf } from '../pauses'
import type { Waits } from '../waits'
import type { fields } from '../wait.fields'

type Live = LiveNode<typeof fields>

const createWatches = () => new Map<string, ListWatch>()

/** How many times the list is read during the longest pause of a wait. One call for the list serves all waits. */
const listsPerPause = 5

/** Returns the watch that the node takes part in; undefined if the node waits for something that no list shows. */
export function watchFor(live: Live): ListWatch | undefined {
  const { RED, config } = live
  const client = RED.nodes.getNode(String(config.client))
  if (kindOf(goalOf(config.what) ?? 'document') !== 'document' || !client) return undefined
  const key = JSON.stringify([config.client, config.shared ?? ''])
  const watches = hosted(RED, createWatches)
  const found = watches.get(key)
  if (found && !found.isEmpty()) return found
  const watch = createListWatch({
    store: openNodeStore(live, { kind: 'lists', owner: client }),
    shared: isShared(live),
    clock: systemClock,
    failed: reportFailures(live),
  })
  watches.set(key, watch)
  return watch
}

/** Adds a node to a watch; returns a function that removes the node. */
export async function joinWatch(live: Live, watch: ListWatch, member: ListMember, waits: Waits, store: Store) {
  const { node, config, translate, closing } = live
  const client = String(config.client)
  // The list is read for all messages, so pauses set by a single message don't count here.
  const { maxPauseMs } = pausesOf((await live.read({})).values)
  const longestMs = maxPauseMs >= minPauseMs ? maxPauseMs : defaultPauses.maxPauseMs
  return watch.join({
    intervalMs: longestMs / listsPerPause,
    count: () => waits.count(),
    ask: (query) => live.send('listDocuments', { query, background: true, signal: closing }),
    wake: (ids) => store.makeDue(ids.map((id) => subjectOfPending(client, 'document', id))),
    pollIndividually: () => member.pollIndividually(),
    unusable(error) {
      const reason = error instanceof EidError ? statusTextOf(error, translate) : translate('warnings.listSenseless')
      node.warn(translate('warnings.list', { reason }))
    },
  })
}
