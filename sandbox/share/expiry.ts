/** Time limits of a share: a reminder before a recipient's access ends, and the end itself. */
import type { World } from '../world'
import { emitShare } from './events'
import { remind } from './notices'
import type { Share } from './state'

const REMINDER_AHEAD_MS = 24 * 3600 * 1000

/** Schedules the reminders and the end of a share, replacing what was scheduled earlier. */
export function planExpiry(world: World, share: Share): void {
  unplan(share)
  const now = world.clock.now()
  for (const recipient of share.recipients) {
    const wait = recipient.expires - REMINDER_AHEAD_MS - now
    if (wait > 0) share.plans.push(world.clock.after(wait, () => remind(world, share, recipient)))
  }
  const last = Math.max(...share.recipients.map(({ expires }) => expires))
  if (Number.isFinite(last)) share.plans.push(world.clock.after(last - now, () => end(world, share)))
}

/** Cancels everything scheduled for a share. */
export function unplan(share: Share): void {
  for (const takeBack of share.plans.splice(0)) takeBack()
}

/** Removes the files of a share that has ended. */
export async function removeFiles(world: World, share: Share): Promise<void> {
  for (const { file } of share.content) if (file) await world.files.remove(file.path)
}

/** Ends a share when the access of the last recipient ends, and removes its files. */
async function end(world: World, share: Share): Promise<void> {
  share.expired = true
  emitShare(world, share, 'share_expired')
  await removeFiles(world, share)
}
