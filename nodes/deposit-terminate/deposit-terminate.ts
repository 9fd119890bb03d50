/** Releases a fully funded deposit: all to the tenant, or split (`docs/interface.md` 2.4, 3.2, 4.4). */
import { apiNode, payloadOf } from '../../lib/runtime/api-node'
import { isPlainObject } from '../../lib/runtime/body'
import { at } from '../../lib/runtime/words'
import { isKid, problemsOf } from './checks'
import { fields } from './deposit-terminate.fields'

export = apiNode('eid-deposit-terminate', fields, async (call) => {
  const { values, api } = call
  const { depositId: id } = values
  const body = call.body({
    category: values.category,
    username: values.username,
    amount: { tenant: values.amountTenant, landlord: values.amountLandlord },
    transactionInfo: { landlord: { kid: values.kid, description: values.landlordDescription } },
  })
  call.check(problemsOf(body, values.expectedTotal))
  const kid = at(body, 'transactionInfo.landlord.kid')
  if (kid !== undefined && !isKid(String(kid))) call.warn('kid')

  const effect = body.category === 'SPLIT' ? 'waiting' : 'paidOut'
  const done = { id, operation: 'terminateDeposit', category: body.category, effect: call.text(`effects.${effect}`) }
  if (values.dryRun) {
    call.say('dryRun')
    const wouldSend = { method: 'POST', path: `/deposit/personal/${id}/terminate`, body }
    return { payload: { ...done, dryRun: true, wouldSend }, depositId: id }
  }
  const answer = await api.send('terminateDeposit', { id, body })
  call.say(effect)
  const said = payloadOf(answer, done)
  return { payload: isPlainObject(said) ? { ...said, effect: done.effect } : said, depositId: id }
})
