/** Compares a split with the deposit, if the service lets the node see it. */
import { EidError } from '../../lib/api/errors/errors'
import { amountParam } from '../../lib/api/errors/texts'
import type { PlainObject } from '../../lib/common/plain-object'
import { hosted } from '../../lib/runtime/node-red/host'
import type { Call } from '../../lib/runtime/node/message-call'
import { systemClock } from '../../lib/store/clock'
import { depositAmount } from '../../lib/runtime/service/deposit-amount'
import { restOf, totalProblems } from './checks'
import type { fields } from './deposit-terminate.fields'

/** Time limit of the check in milliseconds. */
const timeoutMs = 5_000
/** Milliseconds for which a node skips the check after a refusal; by then, the client's scopes may have changed. */
const againMs = 3_600_000

/** When the check of each node was last refused. */
const createRefused = () => new Map<string, number>()

/**
 * Refuses the split if the deposit is another amount than expected, even if the parts add up to the expected amount.
 * Without an expected amount, warns if the parts leave some of the deposit. If the amount of the deposit can't be found
 * out, the split is sent: the tenant still has to sign it.
 */
export async function compareSplit(call: Call<typeof fields>, id: string, body: PlainObject): Promise<void> {
  const deposit = await readDeposit(call, id)
  if (depositAmount(deposit) === undefined) return
  const { expectedTotal } = call.values
  if (expectedTotal !== undefined) return call.check(totalProblems(deposit, expectedTotal))
  const rest = restOf(deposit, body)
  if (rest) call.warn('rest', { rest: amountParam(rest.amount), total: amountParam(rest.total) })
}

/** The deposit; undefined if the service does not return it in time. */
async function readDeposit({ RED, api, nodeId, signal, values }: Call<typeof fields>, id: string): Promise<unknown> {
  const refused = hosted(RED, createRefused)
  // A comparison that the form asks for is always tried.
  const isAsked = values.expectedTotal !== undefined
  if (!isAsked && systemClock.now() - (refused.get(nodeId) ?? -Infinity) < againMs) return undefined
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    return (await api.send('getDeposit', { id, signal: limited })).data
  } catch (error) {
    // If the node was stopped, the message ends here. Any other failure of the check does not prevent the release.
    signal.throwIfAborted()
    if (error instanceof EidError && error.code === 'EID_FORBIDDEN' && !isAsked) refused.set(nodeId, systemClock.now())
    return undefined
  }
}
