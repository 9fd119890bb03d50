/** Checks whether a split leaves a part of the deposit unassigned; a failed check holds back no release. */
import { EidError } from '../../lib/api/errors/errors'
import { amountParam } from '../../lib/api/errors/texts'
import type { PlainObject } from '../../lib/common/plain-object'
import type { Call } from '../../lib/runtime/node/api-node'
import { systemClock } from '../../lib/store/clock'
import { restOf } from './checks'
import type { fields } from './deposit-terminate.fields'

/** Milliseconds that the look may take. */
const timeoutMs = 5_000
/** After so many milliseconds a client that may not look is asked once more: its scopes may be others. */
const againMs = 3_600_000

/** When a node was last refused the look. */
const refused = new Map<string, number>()

/** Warns when the parts are less than the deposit, if that is known. */
export async function warnOfRest(call: Call<typeof fields>, id: string, body: PlainObject): Promise<void> {
  const { api, nodeId, signal } = call
  if (systemClock.now() - (refused.get(nodeId) ?? -Infinity) < againMs) return
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const { data } = await api.send('getDeposit', { id, signal: limited })
    const rest = restOf(data, body)
    if (rest) call.warn('rest', { rest: amountParam(rest.amount), total: amountParam(rest.total) })
  } catch (error) {
    // Its own signal ends the node's work; everything else is no reason to stop.
    signal.throwIfAborted()
    if (error instanceof EidError && error.code === 'EID_FORBIDDEN') refused.set(nodeId, systemClock.now())
  }
}
