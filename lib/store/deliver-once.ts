/**
 * Delivers work into the flow only once per process, even if the store can't record afterwards that the work is done.
 */
import type { Claim, Store } from './store'

/** Records that a claim is done. Rejects as the store does; it is then called again. */
type Complete = (claim: Claim) => Promise<unknown>

interface DeliverOnce {
  /** Completes work that this process has already delivered. Returns false if this process has not delivered it. */
  completeDelivered(claim: Claim): Promise<boolean>
  /**
   * Marks the claim as delivered, calls `send`, and completes the claim once the next nodes have received the message.
   * Returns false if nothing was sent: the claim is no longer ours, or `signal` was aborted before `send`.
   */
  deliver(claim: Claim, signal: AbortSignal, send: () => void, complete?: Complete): Promise<boolean>
}

/** `delivered` returns a promise that resolves when the next nodes have received the message. */
export function createDeliverOnce(
  store: Pick<Store, 'markDelivered' | 'complete'>,
  delivered: () => Promise<void>,
): DeliverOnce {
  /** By the id of its claim, how work is completed that was sent, but is not yet completed in the store. */
  const sent = new Map<string, Complete>()
  const completeSent = async (claim: Claim, complete: Complete) => {
    await complete(claim)
    sent.delete(claim.id)
  }
  return {
    async completeDelivered(claim) {
      // A new item that was stored under the same id has not been delivered.
      if (claim.deliveryCount === 0) sent.delete(claim.id)
      const complete = sent.get(claim.id)
      if (complete) await completeSent(claim, complete)
      return complete !== undefined
    },
    async deliver(claim, signal, send, complete = (sent) => store.complete(sent)) {
      if (signal.aborted || !(await store.markDelivered(claim)) || signal.aborted) return false
      sent.set(claim.id, complete)
      send()
      await delivered()
      // If the flow was stopped in this very turn, the next nodes may already have been closed, so the work is not
      // completed and is sent again after the deploy.
      if (!signal.aborted) await completeSent(claim, complete)
      return true
    },
  }
}
