/** Reminders by the service itself, on the days that its schedule can keep. */
import type { PlainObject } from '../../lib/common/plain-object'
import type { Values } from '../../lib/settings/fields'
import type { fields, ReminderDays } from './create-document.fields'

/**
 * The days of the week, as the service's schedule writes them. It knows no "every so many days": that would be days of
 * the month, and begin again on the first.
 */
const weekdays: Readonly<Record<ReminderDays, string>> = {
  everyDay: '*',
  mondayToFriday: 'MON-FRI',
  monday: 'MON',
  tuesday: 'TUE',
  wednesday: 'WED',
  thursday: 'THU',
  friday: 'FRI',
  saturday: 'SAT',
  sunday: 'SUN',
}

/** No reminders go out on the day on which the document was sent. */
const firstReminderAfter = 1

/** At eight in the morning UTC; undefined when the form has no reminders. */
export function toReminder({ remindOn, remindAtMost }: Values<typeof fields>): PlainObject | undefined {
  if (remindOn === undefined) return remindAtMost === undefined ? undefined : { maxReminders: remindAtMost }
  return { chronSchedule: scheduleOf(remindOn), firstReminderAfter, maxReminders: remindAtMost }
}

function scheduleOf(days: string): string | undefined {
  const chosen = Object.hasOwn(weekdays, days) ? weekdays[days as ReminderDays] : undefined
  // One of the two fields for days has to be left open.
  return chosen === '*' ? '0 0 8 * * ?' : chosen && `0 0 8 ? * ${chosen}`
}
