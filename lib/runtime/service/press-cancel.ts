/** Cancels a document after the press of a button, in the sidebar or on the overview page. */
import { EidError } from '../../api/errors/errors'
import { noteCancelReason } from '../monitor/cancel-reasons'
import { askNow, type PendingItem } from '../monitor/pending'
import { findClient } from '../node-red/client-node'
import type { Runtime } from '../node-red/node-red'

/** `reason` is shown to the signers, and listed with the ended wait; it may be empty. Rejects with an EidError. */
export async function cancelPressed(RED: Runtime, { client, id, wait }: PendingItem, reason: string): Promise<void> {
  const api = await findClient(RED, client).connect()
  // Noted before the call, because the document may be canceled even if no answer arrives.
  const attempt = noteCancelReason(RED, id, reason)
  try {
    await api.send('cancelDocument', { id, query: { reason: reason === '' ? undefined : reason } })
    attempt.done()
  } catch (thrown) {
    if (thrown instanceof EidError && thrown.cause.outcome === 'not-done') attempt.forget()
    throw thrown
  }
  // The document has ended, so its wait is polled now; if that fails, the wait ends at its next poll.
  await askNow(RED, wait).catch(() => undefined)
}
