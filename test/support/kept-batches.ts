/** The batches of a node in a store in memory, without Node-RED. */
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import type { Store } from '../../lib/store/store'
import { BatchQueue, type QueueOptions } from '../../nodes/batch/run/queue'
import { parseList } from '../../nodes/batch/rows/read-list'
import { createRateLimit } from '../../nodes/batch/run/rate-limit'
import type { Row } from '../../nodes/batch/rows/row'
import { storeOf } from './stores'
import { RED } from './errors'

export const clock = { now: () => performance.now(), epochNow: () => Date.now() }
export const done = { failed: false, result: {} } as const

/** The same store with one method replaced. */
export const instead = <Name extends 'get' | 'put'>(store: Store, which: Name, act: Store[Name]): Store =>
  new Proxy(store, {
    get: (target, name) => (name === which ? act : (Reflect.get(target, name) as () => unknown).bind?.(target)),
  })

export const memory = () => storeOf({ kind: 'batches' })

/** Opens batches the way Node-RED does when it starts; `stop` stops all opened batches. */
export function openKept() {
  const running: BatchQueue[] = []
  const open = async (store: Store, options: Partial<QueueOptions> = {}, flowGoesOn = false) => {
    const sent: FlowMessage[] = []
    const reports: (readonly Row[])[] = []
    const failures: unknown[] = []
    const late: [string, number][] = []
    const batches = new BatchQueue({
      RED,
      store,
      clock,
      nodeId: `node-${Math.random()}`,
      rateLimit: createRateLimit(0, 'second', clock),
      parallel: 8,
      attempts: 2,
      emit: (msg) => void sent.push(msg),
      report: ({ rows }) => void reports.push(rows.all),
      emitProgress: () => undefined,
      status: { show: () => undefined, setResult: () => undefined, rest: () => undefined, clear: () => undefined },
      stuck: () => undefined,
      mayComeBack: () => true,
      noWayBack: () => undefined,
      forgotten: () => undefined,
      liveServices: () => [],
      otherService: () => undefined,
      failedLate: ({ id, row }) => void late.push([id, row]),
      translate: (key) => (key === 'status.language' ? 'en-GB' : key),
      failed: (error) => void failures.push(error),
      ...options,
    })
    running.push(batches)
    await batches.start(flowGoesOn)
    return { batches, sent, reports, failures, late }
  }
  const stop = async () => {
    for (const one of running.splice(0)) await one.stop()
  }
  return { open, stop }
}

export async function take(batches: BatchQueue, count: number): Promise<void> {
  const list = await parseList([...Array(count).keys()], (row) => `key-${String(row)}`)
  await batches.take({ id: 'b', list, msg: {} })
}
