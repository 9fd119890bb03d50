/** Reminders that the service sends by itself, on the document's schedule and up to its maximum. */
import { objectIn, textIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { tellSigner } from './notices'
import { nextTime } from './schedule'
import { isTurn } from './signers'
import type { SignatureDocument } from './state'

const DAY_MS = 86_400_000

/** Maximum number of reminders for a document whose settings name no limit or a greater limit. */
const MAX_REMINDERS = 100

/** Schedules the first reminder, at the earliest `firstReminderAfter` days from now; replaces an earlier schedule. */
export function planReminders(document: SignatureDocument, world: World): void {
  document.stopReminders()
  const { chronSchedule, firstReminderAfter, maxReminders } = settingsOf(document)
  if (textIn(chronSchedule) === '') return
  const left = Math.min(Number(maxReminders ?? MAX_REMINDERS), MAX_REMINDERS)
  plan(document, world, world.clock.now() + (Number(firstReminderAfter) || 0) * DAY_MS, left)
}

function plan(document: SignatureDocument, world: World, after: number, left: number): void {
  const time = nextTime(textIn(settingsOf(document).chronSchedule), after)
  if (time === undefined || !(left > 0)) return
  document.stopReminders = world.clock.after(time - world.clock.now(), () => {
    remindSigners(document, world)
    plan(document, world, time, left - 1)
  })
}

function remindSigners(document: SignatureDocument, world: World): void {
  if (document.status !== 'unsigned' && document.status !== 'partialsigned') return
  for (const signer of document.signers) {
    if (!signer.signature && isTurn(signer, document)) tellSigner('reminder', signer, document, world)
  }
}

function settingsOf({ requested }: SignatureDocument): JsonObject {
  return objectIn(objectIn(requested.notification).reminder)
}
