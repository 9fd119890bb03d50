/**
 * Changes a deposit. Only the landlord's number and address can change; `docs/interface.md` does not say whether other
 * fields can.
 */
import { invalid } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn } from '../server/json'
import type { World } from '../world'
import { depositRecord } from './record'
import { findDeposit, refuseEnded } from './release'

const changeable = ['organizationNumber', 'address', 'ssn']

/** `PATCH /deposit/personal/{id}` {landlord: {organizationNumber, address, ssn}}: returns the record. */
export function changeDeposit(call: Call, world: World): Answer {
  const deposit = findDeposit(call, world)
  const { landlord, ...others } = call.json()
  const wrong = [
    ...Object.keys(others),
    ...Object.keys(objectIn(landlord)).flatMap((name) => (changeable.includes(name) ? [] : [`landlord.${name}`])),
  ]
  if (wrong.length > 0) throw invalid(wrong.map((field) => ({ field, message: `${field} cannot be changed.` })))
  refuseEnded(deposit)
  const changed = { ...objectIn(deposit.requested.landlord), ...objectIn(landlord) }
  deposit.requested = { ...deposit.requested, landlord: changed }
  return { json: depositRecord(deposit, world) }
}
