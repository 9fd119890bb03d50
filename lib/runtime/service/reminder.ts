/** Reminds those whose turn it is, by the channels at which they can be reached (`docs/interface.md` 2.1). */
import type { ApiClient } from '../../api/client'
import { nodeError } from '../../api/errors/errors'
import { noteReminder } from '../monitor/last-reminder'
import { getPath, listAt, textAt } from '../values/read-text'
import { hasSigned } from './signers'

/** How a reminder goes out. */
export type ReminderChannel = 'sendEmail' | 'sendSms' | 'sendBoth'

/**
 * Looks first who has not signed and where they can be reached: a reminder by e-mail to people with a phone number
 * would reach no one. `by` is the name of the person who asks for it. Rejects with an EidError; with EID_REFUSED, and nothing sent, when no one can be reached.
 */
export async function remind(api: ApiClient, id: string, by: string): Promise<ReminderChannel> {
  const { data } = await api.send('getDocument', { id })
  const notificationSetting = reminderChannel(data)
  if (!notificationSetting) throw nodeError('EID_REFUSED', 'noAddress', {}, { attempts: 0 })
  await api.send('remindDocument', { id, body: { notificationSetting } })
  noteReminder(id, by)
  return notificationSetting
}

/** By what those who have not signed can be reached; undefined when none of them can be. */
export function reminderChannel(record: unknown): ReminderChannel | undefined {
  const open = listAt(record, 'signers').filter((one) => !hasSigned(one))
  const has = (signer: unknown, what: 'email' | 'mobile') => {
    const found = getPath(signer, what === 'email' ? 'signerInfo.email' : 'signerInfo.mobile.number')
    return (typeof found === 'string' && found !== '') || typeof found === 'number'
  }
  const byEmail = open.filter((one) => has(one, 'email'))
  const bySmsOnly = open.filter((one) => !has(one, 'email') && has(one, 'mobile'))
  if (byEmail.length > 0) return bySmsOnly.length > 0 ? 'sendBoth' : 'sendEmail'
  return bySmsOnly.length > 0 ? 'sendSms' : undefined
}

/** Whether the service reminds of the document by itself: it has a schedule, and a signer whom it notifies. */
export function remindsItself(record: unknown): boolean {
  if (textAt(record, 'notification.reminder.chronSchedule') === '') return false
  return listAt(record, 'signers').some((one) => /^send/i.test(textAt(one, 'notifications.setup.reminder')))
}
