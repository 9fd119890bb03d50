/** The lists from which accounts choose: themes, spinners, signature methods. */
import { methodName } from '../pages/method-names'
import type { Answer } from '../server/call'
import { themes } from '../signer/theme'

const spinners = ['Document', 'Classic', 'Cubes', 'Bounce']

/** The account's methods, which are offered to a signer whose settings name no methods. */
export const methods: readonly { readonly type: string; readonly description: string }[] = [
  { type: 'no_eid', description: 'Norwegian electronic ID' },
  { type: 'no_eid_mobile', description: 'Norwegian electronic ID on a mobile phone' },
  { type: 'se_eid', description: 'Swedish electronic ID' },
  { type: 'fi_eid', description: 'Finnish electronic ID' },
  { type: 'sms_otp', description: 'One-time code sent by SMS' },
]

export const listThemes = (): Answer => ({ json: themes })
export const listSpinners = (): Answer => ({ json: spinners })
export const listMethods = (): Answer => ({
  json: methods.map(({ type, description }) => ({ type, name: methodName(type, 'en'), description, logoUrl: '' })),
})
