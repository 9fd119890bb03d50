/** Reminds the signers of a document after the press of a button, in the sidebar or on the overview page. */
import { setLatest } from '../../common/latest'
import { systemClock } from '../../store/clock'
import { createSharedAnswers } from '../http/shared-answers'
import { askNow, type PendingItem } from '../monitor/pending'
import { findClient } from '../node-red/client-node'
import { hosted } from '../node-red/host'
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
  /** The people who have been asked since. */
  readonly asked: Set<string>
}

/** Maximum number of these reminders kept in memory; the oldest are dropped first. */
const maxOthers = 1_000

// Both are shared by the sidebar and the overview pages. People who press at the same moment share one reminder. A later
// press finds the note about this reminder, so that the person is asked, and is not told that another one was sent.
const createPresses = () => ({ share: createSharedAnswers<Answer>(0), others: new Map<string, Another>() })

/** Reminds the signers of the document for which `item` waits. Rejects with an EidError. */
export async function remindPressed(RED: Runtime, item: PendingItem, press: ReminderPress): Promise<Reminded> {
  const { share, others } = hosted(RED, createPresses)
  // Several waits may have the same document, so they share the answer, but only while the same signers have to sign:
  // the next signer has not been reminded yet.
  const document = [item.client, item.id, item.waitingFor.map(({ name, url }) => [name, url])]
  const key = JSON.stringify([press.again, ...document])
  const other = others.get(key)
  // Without a login, people are not told apart: then each press is a question until the time is over.
  const isAsked = press.by !== '' && other?.asked.has(press.by) === true
  if (other && systemClock.now() - other.sentAt < repeatMs && !isAsked) {
    other.asked.add(press.by)
    return { state: 'earlier', isSure: true, at: other.at, by: other.by }
  }
  const noted = (reminded: Reminded): Answer => {
    const now = { sentAt: systemClock.now(), at: systemClock.epochNow(), by: press.by, asked: new Set<string>() }
    if (press.again && reminded.state === 'sent') setLatest(others, key, now, maxOthers)
    return { ok: true, reminded }
  }
  const answer = await share(key, () =>
    send(RED, item, press).then(noted, (thrown: unknown) => ({ ok: false, thrown })),
  )
  if (!answer.ok) throw answer.thrown
  return answer.reminded
}

async function send(RED: Runtime, { client, id, wait }: PendingItem, press: ReminderPress): Promise<Reminded> {
  const api = await findClient(RED, client).connect()
  const reminded = await remind(RED, api, { id, wait, ...press })
  // If the document has ended, its wait is polled now; if that fails, the wait ends at its next poll.
  if (reminded.state === 'ended') await askNow(RED, wait).catch(() => undefined)
  return reminded
}
