/** What rests: it belongs to a node that is disabled or no longer in the flows. And the buttons for it. */
import { continueIn, deleteKept, listKept, targetsFor, type KeptNode } from '../../../lib/runtime/monitor/kept-nodes'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import type { RestingRow } from '../view'
import { failed, gone, type Told } from '../../../lib/runtime/people/told'

/** Milliseconds between two reads, because several tabs request the same. */
const readMs = 2_000

export function createResting(RED: Runtime, now: () => number) {
  let latest: Promise<{ items: KeptNode[]; failures: unknown[] }> | undefined
  let readAt = 0
  /** What all nodes keep, also those that run. */
  const kept = () => {
    if (latest && now() - readAt < readMs) return latest
    readAt = now()
    return (latest = listKept(RED))
  }
  return {
    async rows(): Promise<RestingRow[]> {
      const { items } = await kept()
      return items.flatMap(({ state, ...one }) => {
        if (state === 'running') return []
        return [{ ...one, state, targets: state === 'gone' ? targetsFor(RED, one) : [] }]
      })
    },
    kept: async () => (await kept()).items,
    async press({ id, shared, action, to }: Record<string, unknown>): Promise<Told> {
      if (typeof id !== 'string' || typeof shared !== 'string') return gone
      latest = undefined
      try {
        if (action === 'delete') return answerTo(await deleteKept(RED, { id, shared }))
        if (action !== 'continue' || typeof to !== 'string') return gone
        return answerTo(await continueIn(RED, { id, shared }, to))
      } catch (thrown) {
        return failed(thrown, 0)
      }
    },
  }
}

function answerTo(result: 'moved' | 'deleted' | 'gone' | 'otherNode' | 'sameList'): Told {
  if (result === 'gone') return gone
  if (result === 'moved' || result === 'deleted') return { ok: true }
  return { ok: false, say: (translate) => translate(`resting.${result}`) }
}
