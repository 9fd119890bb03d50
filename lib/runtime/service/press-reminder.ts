/** Reminds the signers of a document after the press of a button, in the sidebar or on the overview page. */
import { setLatest } from '../../common/latest'
import { systemClock } from '../../store/clock'
import { createSharedAnswers } from '../http/shared-answers'
import { askNow, type PendingItem } from '../monitor/pending'
import { findClient } from '../node-red/client-node'
import type { Runtime } from '../node-red/node-red'
import { remind, type Reminded } from './reminder'

interface ReminderPress {
  /** The name of the person who presses the button. */
  readonly by: string
  /** Whether the person knows about today's reminder, and wants another one. */
  readonly again: boolean
}

/** Within these milliseconds after another reminder, a person who wants another one too is asked once more. */
const repeatMs = 10_000

type Answer = { readonly ok: true; readonly reminded: Reminded } | { readonly ok: false; readonly thrown: unknown }

/** A reminder that was sent although there was one earlier that day. */
interface Another {
  /** Milliseconds of the clock that never goes back. */
  readonly sentAt: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly by: string
}

/** Maximum number of these reminders kept in memory; the oldest are dropped first. */
const maxOthers = 1_000

/** Returns the function that reminds after a press. It rejects with an EidError. */
export function createReminderPress(RED: Runtime): (item: PendingItem, press: ReminderPress) => Promise<Reminded> {
  // People who press at the same moment share one reminder. A later press finds the note about this reminder, so that
  // the person is asked, and is not told that another one was sent.
  const share = createSharedAnswers<Answer>(0)
  const others = new Map<string, Another>()
  return async (item, press) => {
    // Several waits may have the same document, so they share the answer, but only while the same signers have to sign:
    // the next signer has not been reminded yet.
    const document = [item.client, item.id, item.waitingFor.map(({ name, url }) => [name, url])]
    const key = JSON.stringify([press.again, ...document])
    const { sentAt, ...sent } = others.get(key) ?? { sentAt: -Infinity, at: 0, by: '' }
    if (systemClock.now() - sentAt < repeatMs) return { state: 'earlier', isSure: true, ...sent }
    const noted = (reminded: Reminded): Answer => {
      const now = { sentAt: systemClock.now(), at: systemClock.epochNow(), by: press.by }
      if (press.again && reminded.state === 'sent') setLatest(others, key, now, maxOthers)
      return { ok: true, reminded }
    }
    const answer = await share(key, () =>
      send(RED, item, press).then(noted, (thrown: unknown) => ({ ok: false, thrown })),
    )
    if (!answer.ok) throw answer.thrown
    return answer.reminded
  }
}

async function send(RED: Runtime, { client, id, wait }: PendingItem, press: ReminderPress): Promise<Reminded> {
  const api = await findClient(RED, client).connect()
  const reminded = await remind(api, { id, wait, ...press })
  // If the document has ended, its wait is polled now; if that fails, the wait ends at its next poll.
  if (reminded.state === 'ended') await askNow(wait).catch(() => undefined)
  return reminded
}
