/**
 * Delivers work into the flow only once per process, even if the store can't record afterwards that the work is done.
 */
import type { Changes, Claim, Store } from './store'

interface DeliverOnce {
  /** Completes work that this process has already delivered. Returns false if this process has not delivered it. */
  completeDelivered(claim: Claim, remain?: Changes): Promise<boolean>
  /**
   * Marks the claim as delivered, calls `send`, and completes the claim once the next nodes have received the message.
   * Returns false if nothing was sent: the claim is no longer ours, or `signal` was aborted before `send`.
   */
  deliver(claim: Claim, signal: AbortSignal, send: () => void, remain?: Changes): Promise<boolean>
}

/** `delivered` returns a promise that resolves when the next nodes have received the message. */
export function createDeliverOnce(
  store: Pick<Store, 'markDelivered' | 'complete'>,
  delivered: () => Promise<void>,
): DeliverOnce {
  /** Work that was sent, but is not yet completed in the store. */
  const sent = new Set<string>()
  const complete = async (claim: Claim, remain?: Changes) => {
    await store.complete(claim, remain)
    sent.delete(claim.id)
  }
  return {
    async completeDelivered(claim, remain) {
      // A new item that was stored under the same id has not been delivered.
      if (claim.deliveryCount === 0) sent.delete(claim.id)
      if (!sent.has(claim.id)) return false
      await complete(claim, remain)
      return true
    },
    async deliver(claim, signal, send, remain) {
      if (signal.aborted || !(await store.markDelivered(claim)) || signal.aborted) return false
      sent.add(claim.id)
      send()
      await delivered()
      // If the flow was stopped in this very turn, the next nodes may already have been closed, so the work is not
      // completed and is sent again after the deploy.
      if (!signal.aborted) await complete(claim, remain)
      return true
    },
  }
}
