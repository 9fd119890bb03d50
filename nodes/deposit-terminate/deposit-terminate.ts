/** Releases a fully funded deposit: all to the tenant, or split (`docs/interface.md` 2.4, 3.2, 4.4). */
import { operations } from '../../lib/api/operations/operations'
import { buildPath } from '../../lib/api/operations/paths'
import { apiNode } from '../../lib/runtime/node/api-node'
import type { Call } from '../../lib/runtime/node/message-call'
import { unsendable } from '../../lib/runtime/values/unsendable'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { problemsOf, totalProblems, warningsFor } from './checks'
import { fields } from './deposit-terminate.fields'
import { toRequest } from './request'
import { compareSplit } from './rest'

export = apiNode('eid-deposit-terminate', fields, async (call) => {
  const { values, api } = call
  const { depositId: id = '' } = values
  const body = call.body(toRequest(values))
  // A dry run must refuse what the call itself would refuse.
  call.check([...problemsOf(body, values), ...unsendable(body)])
  for (const doubt of warningsFor(body)) call.warn(doubt)
  const said = saidOf(call, id, body)
  if (values.dryRun) {
    call.setStatus('dryRun', {}, 'grey')
    const { method, path } = operations.terminateDeposit
    const wouldSend = { method, path: buildPath(path, { id }), body }
    return { payload: { ...said, dryRun: true, wouldSend }, depositId: id }
  }
  if (body.category === 'TENANT' && values.expectedTotal !== undefined) {
    const deposit = await api.send('getDeposit', { id })
    call.check(totalProblems(deposit.data, values.expectedTotal))
  }
  if (body.category === 'SPLIT') await compareSplit(call, id, body)
  const { data } = await api.send('terminateDeposit', { id, body })
  // Green would mean that the money has been paid out.
  call.setStatus(said.effect, {}, said.effect === 'paid-out' ? undefined : 'blue')
  // Properties from the service's response override ours.
  return { payload: isPlainObject(data) ? { ...said, ...data } : (data ?? said), depositId: id }
})

/** Describes the effect of the call: `effect` is a word for the flow, `text` a sentence for people. */
function saidOf(call: Call<typeof fields>, id: string, { category }: PlainObject) {
  const effect = category === 'SPLIT' ? 'waiting-for-signature' : 'paid-out'
  return { id, operation: 'terminateDeposit', category, effect, text: call.translate(`effects.${effect}`) }
}
