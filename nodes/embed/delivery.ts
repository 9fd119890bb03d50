/** Sends a web message into the flow unchanged; after a final message, also sends the service's answer about it. */
import type { LiveNode } from '../../lib/runtime/node/live-node'
import type { FlowMessage, Send } from '../../lib/runtime/node-red/node-red'
import { systemClock } from '../../lib/store/clock'
import { confirm, type ConfirmedSubject, type Verdict } from './confirmation'
import type { fields } from './embed.fields'
import { isFinal, type WebMessage } from './messages'
import { createPacedQueue } from './paced-queue'

export interface Delivery {
  /**
   * Delivers a message that another page received about `subject`. Rejects with an EidError if the service can't be
   * asked.
   */
  deliver(msg: FlowMessage, message: WebMessage, subject: ConfirmedSubject, send: Send): Promise<void>
}

/** Milliseconds between two confirmations for the same document or session. */
const pauseMs = 1000

/**
 * Creates the delivery of messages that another page received. However many messages the visitors of that page send,
 * only one request at a time is sent to the service about the same document or session.
 */
export function createDelivery({ RED, closing, send: sendCall }: LiveNode<typeof fields>): Delivery {
  const queue = createPacedQueue(systemClock, pauseMs, closing)
  return {
    async deliver(msg, message, subject, send) {
      const { claimed, type } = message
      const first = withMessage(msg, message, subject)
      const second = RED.util.cloneMessage(first)
      send([first, null, null])
      if (!isFinal(message)) return
      const ask = () => confirm(sendCall, message, subject, closing)
      const asked = queue.take<Verdict>(JSON.stringify(subject), JSON.stringify([type, claimed]), ask)
      const verdict = await asked.result
      closing.throwIfAborted()
      // If the same report is repeated before it could be verified, the result is sent only once.
      if (!asked.joined) send([null, withVerdict(second, verdict), null])
    },
  }
}

/** Returns the message with the browser's report, and with the document or session of the page. */
export function withMessage(
  msg: FlowMessage,
  { kind, type, payload }: WebMessage,
  { documentId, sessionId }: ConfirmedSubject,
): FlowMessage {
  const about = kind === 'session' ? { sessionId } : { documentId }
  return Object.assign(msg, { payload: { type, ...(payload !== undefined && { payload }), ...about } }, about)
}

/** Adds the service's verdict to the message. */
export function withVerdict(msg: FlowMessage, { confirmed, status, answer }: Verdict): FlowMessage {
  const { status: statusCode, requestId } = answer ?? {}
  const payload = { ...(msg.payload as object), confirmed }
  return Object.assign(msg, { confirmed, status, statusCode, requestId, payload })
}
