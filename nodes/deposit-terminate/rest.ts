/** Checks whether a split leaves part of the deposit unassigned; a failed check does not prevent the release. */
import { EidError } from '../../lib/api/errors/errors'
import { amountParam } from '../../lib/api/errors/texts'
import type { PlainObject } from '../../lib/common/plain-object'
import type { Call } from '../../lib/runtime/node/message-call'
import { systemClock } from '../../lib/store/clock'
import { restOf } from './checks'
import type { fields } from './deposit-terminate.fields'

/** Time limit of the check in milliseconds. */
const timeoutMs = 5_000
/** Milliseconds for which a node skips the check after a refusal; by then, the client's scopes may have changed. */
const againMs = 3_600_000

/** When the check of each node was last refused. */
const refused = new Map<string, number>()

/** Warns if the parts are less than the deposit, provided that the amount of the deposit is known. */
export async function warnOfRest(call: Call<typeof fields>, id: string, body: PlainObject): Promise<void> {
  const { api, nodeId, signal } = call
  if (systemClock.now() - (refused.get(nodeId) ?? -Infinity) < againMs) return
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const { data } = await api.send('getDeposit', { id, signal: limited })
    const rest = restOf(data, body)
    if (rest) call.warn('rest', { rest: amountParam(rest.amount), total: amountParam(rest.total) })
  } catch (error) {
    // If the node was stopped, the message ends here. Any other failure of the check does not prevent the release.
    signal.throwIfAborted()
    if (error instanceof EidError && error.code === 'EID_FORBIDDEN') refused.set(nodeId, systemClock.now())
  }
}
