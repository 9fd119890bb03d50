/** Reminds the signers whose turn it is, through the channels that reach them (`docs/interface.md` 2.1). */
import type { ApiClient } from '../../api/client'
import { nodeError } from '../../api/errors/errors'
import { noteReminder } from '../monitor/last-reminder'
import { getPath, listAt, textAt } from '../values/read-text'
import { hasSigned } from './signers'

/** The channel of a reminder. */
export type ReminderChannel = 'sendEmail' | 'sendSms' | 'sendBoth'

/**
 * Checks first who has not signed and how they can be reached: an e-mail reminder to people with only a phone number
 * would reach no one. `by` is the name of the person who asks for it. Rejects with an EidError; with EID_REFUSED, and
 * nothing sent, if no one can be reached.
 */
export async function remind(api: ApiClient, id: string, by: string): Promise<ReminderChannel> {
  const { data } = await api.send('getDocument', { id })
  const notificationSetting = reminderChannel(data)
  if (!notificationSetting) throw nodeError('EID_REFUSED', 'noAddress', {}, { attempts: 0 })
  await api.send('remindDocument', { id, body: { notificationSetting } })
  noteReminder(id, by)
  return notificationSetting
}

/** The channel that reaches those who have not signed; undefined if none does. */
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

/** Whether the service itself sends reminders for the document: it has a schedule, and a signer whom it notifies. */
export function remindsItself(record: unknown): boolean {
  if (textAt(record, 'notification.reminder.chronSchedule') === '') return false
  return listAt(record, 'signers').some((one) => /^send/i.test(textAt(one, 'notifications.setup.reminder')))
}
