/** Reminders by the service itself, on the days that its schedule can express. */
import type { PlainObject } from '../../lib/common/plain-object'
import type { Values } from '../../lib/settings/fields'
import type { fields, ReminderDays } from './create-document.fields'

/**
 * The days of the week in the service's schedule. The schedule can't express "every five days": it counts days of the
 * month and starts again on the first.
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

/** No reminders are sent on the day on which the document was sent. */
const firstReminderAfter = 1

/** Returns the reminders, which are sent at eight in the morning UTC; undefined if the form asks for no reminders. */
export function toReminder({ remindOn, remindAtMost }: Values<typeof fields>): PlainObject | undefined {
  if (remindOn === undefined) return remindAtMost === undefined ? undefined : { maxReminders: remindAtMost }
  return { chronSchedule: scheduleOf(remindOn), firstReminderAfter, maxReminders: remindAtMost }
}

function scheduleOf(days: string): string | undefined {
  const chosen = Object.hasOwn(weekdays, days) ? weekdays[days as ReminderDays] : undefined
  // The schedule has two day fields, and one of them must be left open.
  return chosen === '*' ? '0 0 8 * * ?' : chosen && `0 0 8 ? * ${chosen}`
}
