/** Cancels a deposit that is not fully funded (`docs/interface.md` 3.2, 4.3). */
import { apiNode, payloadOf } from '../../lib/runtime/node/api-node'
import { fields } from './deposit-cancel.fields'

export = apiNode('eid-deposit-cancel', fields, async ({ values, api, setStatus }) => {
  const { depositId: id } = values
  const answer = await api.send('cancelDeposit', { id })
  setStatus('canceled')
  return { payload: payloadOf(answer, { id, operation: 'cancelDeposit' }), depositId: id }
})
