/** Reminds the signers of a document after the press of a button, in the sidebar or on the overview page. */
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

/** Within these milliseconds, a person who also wants another reminder shares it, and no third one is sent. */
const repeatMs = 10_000

type Answer = { readonly ok: true; readonly reminded: Reminded } | { readonly ok: false; readonly thrown: unknown }

/** Returns the function that reminds after a press. It rejects with an EidError. */
export function createReminderPress(RED: Runtime): (item: PendingItem, press: ReminderPress) => Promise<Reminded> {
  // People who press at the same moment share one reminder. A later press finds the note about this reminder, so that
  // the person is asked, and is not told that another one was sent.
  const atOnce = createSharedAnswers<Answer>(0)
  const wanted = createSharedAnswers<Answer>(repeatMs)
  return async (item, press) => {
    // Several waits may have the same document, so they share the answer, but only while the same signers have to sign:
    // the next signer has not been reminded yet.
    const key = JSON.stringify([item.client, item.id, item.waitingFor.map(({ name, url }) => [name, url])])
    const share = press.again ? wanted : atOnce
    const answer = await share(key, () =>
      send(RED, item, press).then(
        (reminded) => ({ ok: true, reminded }),
        (thrown: unknown) => ({ ok: false, thrown }),
      ),
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
