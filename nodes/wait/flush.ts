/**
 * Wakes pending waits at once: all waits, those about a given subject, or those affected when the client switches to
 * another service or is replaced.
 */
import { isPlainObject } from '../../lib/common/plain-object'
import { subjectParts } from '../../lib/runtime/monitor/pending'
import type { Wake } from '../../lib/runtime/monitor/wake'
import type { Asked } from '../../lib/runtime/node-red/client-node'
import { serviceMark } from '../../lib/runtime/service/service-mark'
import { inChunks } from '../../lib/common/in-chunks'
import { listAll } from '../../lib/store/list-all'
import type { Listed, Store } from '../../lib/store/store'

/** Number of waits woken per turn of the event loop. */
const wokenAtOnce = 1_000

/** Wakes every wait or, if a subject is given, those about this subject. */
export async function flush(store: Store, wake: Wake, subject?: string): Promise<void> {
  await wakeAll(await listed(store, subject), wake)
}

/**
 * Wakes the waits that were created for another service or with another client, and those that are still marked as
 * paused because the client had switched.
 */
export async function flushMoved(store: Store, wake: Wake, { client, service }: Asked): Promise<void> {
  const own = serviceMark(service)
  const isElsewhere = (summary: unknown) =>
    isPlainObject(summary) && (summary.service !== undefined || (summary.at ?? own) !== own)
  const isMoved = ({ subject, summary }: Listed) => subjectParts(subject)?.client !== client || isElsewhere(summary)
  await wakeAll((await listAll(store)).filter(isMoved), wake)
}

export async function listed(store: Store, subject: string | undefined): Promise<Listed[]> {
  const found = await listAll(store)
  return subject === undefined ? found : found.filter((one) => one.subject === subject)
}

const wakeAll = (waits: readonly Listed[], wake: Wake) =>
  inChunks(
    waits.map(({ subject }) => subject),
    wokenAtOnce,
    wake,
  )
