/** Reminds those whose turn it is, by the channels at which they can be reached. */
import type { ApiClient } from '../../api/client'
import { nodeError } from '../../api/errors/errors'
import { getPath } from '../values/read-text'
import { hasSigned } from './signers'

/** How the reminder went out. */
export type Channel = 'sendEmail' | 'sendSms' | 'sendBoth'

/**
 * Looks first who has not signed and where they can be reached: a reminder by e-mail to people with a phone number
 * would reach no one. Rejects with an EidError; with EID_REFUSED, and nothing sent, when no one can be reached.
 */
export async function remind(api: ApiClient, id: string): Promise<Channel> {
  const { data } = await api.send('getDocument', { id })
  const notificationSetting = channelFor(getPath(data, 'signers'))
  if (!notificationSetting) throw nodeError('EID_REFUSED', 'noAddress', {}, { attempts: 0 })
  await api.send('remindDocument', { id, body: { notificationSetting } })
  return notificationSetting
}

function channelFor(signers: unknown): Channel | undefined {
  const open = (Array.isArray(signers) ? (signers as unknown[]) : []).filter((one) => !hasSigned(one))
  const has = (signer: unknown, what: 'email' | 'mobile') => {
    const found = getPath(signer, what === 'email' ? 'signerInfo.email' : 'signerInfo.mobile.number')
    return (typeof found === 'string' && found !== '') || typeof found === 'number'
  }
  const byEmail = open.filter((one) => has(one, 'email'))
  const bySmsOnly = open.filter((one) => !has(one, 'email') && has(one, 'mobile'))
  if (byEmail.length > 0) return bySmsOnly.length > 0 ? 'sendBoth' : 'sendEmail'
  return bySmsOnly.length > 0 ? 'sendSms' : undefined
}
