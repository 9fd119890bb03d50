/** Releases a fully funded deposit: all to the tenant, or split (`docs/interface.md` 2.4, 3.2, 4.4). */
import { apiNode, type Call } from '../../lib/runtime/api-node'
import { isPlainObject, type PlainObject } from '../../lib/runtime/body'
import { warningsFor, problemsOf } from './checks'
import { fields } from './deposit-terminate.fields'

export = apiNode('eid-deposit-terminate', fields, async (call) => {
  const { values, api } = call
  const { depositId: id = '' } = values
  const body = call.body(formOf(values))
  call.check(problemsOf(body, values.expectedTotal))
  for (const doubt of warningsFor(body)) call.warn(doubt)
  const said = saidOf(call, id, body)
  if (values.dryRun) {
    call.setStatus('dryRun')
    const wouldSend = { method: 'POST', path: `/deposit/personal/${encodeURIComponent(id)}/terminate`, body }
    return { payload: { ...said, dryRun: true, wouldSend }, depositId: id }
  }
  const { data } = await api.send('terminateDeposit', { id, body })
  call.setStatus(said.effect)
  // What the service says comes before our own words.
  return { payload: isPlainObject(data) ? { ...said, ...data } : (data ?? said), depositId: id }
})

type Values = Call<typeof fields>['values']

/** TENANT takes the whole amount: what the form says of a split stays out. */
function formOf({ category, username, ...values }: Values): PlainObject {
  if (category === 'TENANT') return { category, username }
  return {
    category,
    username,
    amount: { tenant: values.amountTenant, landlord: values.amountLandlord },
    transactionInfo: { landlord: { kid: values.kid, description: values.landlordDescription } },
  }
}

/** What the call sets in motion: a word for the flow, a sentence for the person. */
function saidOf(call: Call<typeof fields>, id: string, { category }: PlainObject) {
  const effect = category === 'SPLIT' ? 'waiting-for-signature' : 'paid-out'
  return { id, operation: 'terminateDeposit', category, effect, text: call.translate(`effects.${effect}`) }
}
