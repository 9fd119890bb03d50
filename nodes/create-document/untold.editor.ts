/** Finds signers of the form who are not notified of the document at all. */
import type { DoubtOf } from '../../lib/editor/form-context'

/**
 * Returns `untold` for a signer who gets no notice because the e-mail address or phone number for the chosen channel is
 * missing. Values from the message are not known here, and an empty row is ignored.
 */
export const untold: DoubtOf = (list, read) => {
  if (list !== 'signers') return undefined
  const known = ['notification', 'email', 'mobileNumber'].every((name) =>
    ['str', 'tpl'].includes(read(name).type ?? ''),
  )
  const has = (name: string) => read(name).value !== ''
  if (!known || !['firstName', 'lastName', 'mobileNumber', 'email'].some(has)) return undefined
  const way = String(read('notification').value).toLowerCase()
  if (way === 'off') return undefined
  const lacks = { sendsms: !has('mobileNumber'), sendboth: !has('email') || !has('mobileNumber') }[way] ?? !has('email')
  return lacks ? 'untold' : undefined
}
