/** What happens to a share with time: a reminder before a recipient's access ends, and the end itself. */
import type { World } from '../world'
import { emitShare } from './events'
import { remind } from './notices'
import type { Share } from './state'

const REMINDER_AHEAD = 24 * 3600 * 1000

/** Plans the reminders and the end of a new share. */
export function planExpiry(world: World, share: Share): void {
  const now = world.clock.now()
  for (const recipient of share.recipients) {
    const wait = recipient.expires - REMINDER_AHEAD - now
    if (wait > 0) share.plans.push(world.clock.after(wait, () => remind(world, share, recipient)))
  }
  const last = Math.max(...share.recipients.map(({ expires }) => expires))
  share.plans.push(world.clock.after(last - now, () => end(world, share)))
}

/** The files go with the last recipient's access. */
async function end(world: World, share: Share): Promise<void> {
  share.expired = true
  emitShare(world, share, 'share_expired')
  for (const { file } of share.content) if (file) await world.files.remove(file.path)
}
