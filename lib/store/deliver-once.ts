/** Delivers work into the flow once per process, even if the store can't record afterwards that it is done. */
import type { Changes, Claim, Store } from './store'

export interface DeliverOnce {
  /** Completes work already delivered by this process; false if it was not. */
  completeDelivered(claim: Claim, remain?: Changes): Promise<boolean>
  /**
   * Marks the claim as delivered, calls `send`, and completes it once the next nodes have received the message. False
   * if the claim is no longer ours, or `signal` is aborted: then nothing was sent.
   */
  deliver(claim: Claim, signal: AbortSignal, send: () => void, remain?: Changes): Promise<boolean>
}

/** `delivered` resolves when the next nodes have received the message. */
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
      // An item stored again under the same id has not been delivered.
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
      // If the flow is stopped in that very turn, the next nodes may have been gone, so the work is sent again after
      // the deploy.
      if (!signal.aborted) await complete(claim, remain)
      return true
    },
  }
}
