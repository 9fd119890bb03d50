/** Reminds the signers whose turn it is, through the channels that reach them (`docs/interface.md` 2.1). */
import type { ApiClient } from '../../api/client'
import { dateText } from '../../common/reminder-dates'
import { systemClock } from '../../store/clock'
import { lastReminder, noteReminder } from '../monitor/last-reminder'
import { withReminderNotes, type ReminderNotes } from '../monitor/reminder-notes'
import type { HostOwner } from '../node-red/host'
import { getPath, listAt, textAt } from '../values/read-text'
import { remindOnce } from './remind-once'
import { hasSigned } from './signers'

/** The channel of a reminder. */
export type ReminderChannel = 'sendEmail' | 'sendSms' | 'sendBoth'

/** The result of a request to remind. */
export type Reminded =
  | { readonly state: 'sent'; readonly channel: ReminderChannel }
  /** The signers were reminded earlier today, or may have been (`isSure` is false); nothing was sent. */
  | { readonly state: 'earlier'; readonly isSure: boolean; readonly at: number; readonly by: string }
  /**
   * `ended`: all have signed, or the document has ended in another way. `gone`: the wait for the document no longer
   * exists. `notOpen`: no one can sign now, for example because the document waits for attachments.
   */
  | { readonly state: 'ended' | 'gone' | 'notOpen' }
  /** None of the signers who have not signed can be reached. */
  | { readonly state: 'noAddress' }

interface Request {
  /** The id of the document, and the id of a wait for this document. */
  readonly id: string
  readonly wait: string
  /** The name of the person who asks for the reminder. */
  readonly by: string
  /** Remind the signers even if they were reminded earlier today. */
  readonly again?: boolean
}

/**
 * Reminds the signers whose turn it is after the press of a button, only once a day. First checks who has not signed and how these signers can be reached, because an e-mail
 * reminder would not reach signers who have only a phone number. Rejects with an EidError.
 */
export async function remind(RED: HostOwner, api: ApiClient, request: Request): Promise<Reminded> {
  const { data } = await api.send('getDocument', { id: request.id })
  const status = textAt(data, 'status.documentStatus')
  if (status !== '' && !isOpen(status)) return { state: isFinal(status) ? 'ended' : 'notOpen' }
  const channel = reminderChannel(data)
  if (!channel) return { state: 'noAddress' }
  const at = systemClock.epochNow()
  const { id, wait, by, again = false } = request
  const inFlow = again ? undefined : remindedByFlow(RED, id, at)
  if (inFlow) return { state: 'earlier', ...inFlow }
  const about = { id, record: data, day: dateText(new Date(at)) }
  const send = () => api.send('remindDocument', { id, body: { notificationSetting: channel } })
  const once = async (notes: ReminderNotes) => ({ earlier: await remindOnce(notes, about, { at, by }, send, again) })
  const found = await withReminderNotes(RED, wait, once)
  if (!found) return { state: 'gone' }
  const { earlier } = found
  // The rows in lists show this reminder from now on, even if another Node-RED sent it, or this Node-RED sent it before
  // a restart.
  if (!earlier) noteReminder(RED, id, by)
  else if (earlier.state === 'sent' && lastReminder(RED, id)?.inFlow !== true)
    noteReminder(RED, id, earlier.by, false, earlier.at)
  return earlier
    ? { state: 'earlier', isSure: earlier.state === 'sent', at: earlier.at, by: earlier.by }
    : { state: 'sent', channel }
}

/** A reminder that a flow itself sent today. Such reminders are known only until Node-RED stops. */
function remindedByFlow(RED: HostOwner, id: string, now: number) {
  const last = lastReminder(RED, id)
  return last?.inFlow && dateText(new Date(last.at)) === dateText(new Date(now))
    ? { isSure: true, at: last.at, by: last.by }
    : undefined
}

/** Whether someone can still sign a document with this status. */
export const isOpen = (status: string) => /^(unsigned|partialsigned)$/.test(status)

/** Whether no one will ever sign a document with this status (again). A status that is not known here is not final. */
const isFinal = (status: string) => /^(signed|cancell?ed|expired|deleted)$/.test(status)

/** The channel that reaches the signers who have not signed; undefined if no channel does. */
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

/**
 * Whether the service itself sends reminders for the document: this requires a schedule, and a signer whom it notifies.
 */
export function remindsItself(record: unknown): boolean {
  if (textAt(record, 'notification.reminder.chronSchedule') === '') return false
  return listAt(record, 'signers').some((one) => /^send/i.test(textAt(one, 'notifications.setup.reminder')))
}
