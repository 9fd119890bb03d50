/** Sends a web message into the flow unchanged, and a final one a second time after asking the service. */
import type { LiveNode } from '../../lib/runtime/node/live-node'
import type { FlowMessage, Send } from '../../lib/runtime/node-red/node-red'
import { systemClock } from '../../lib/store/clock'
import { confirm, type ConfirmedSubject, type Verdict } from './confirmation'
import type { fields } from './embed.fields'
import { isFinal, type WebMessage } from './messages'
import { createPacedQueue } from './paced-queue'

export interface Delivery {
  /** Delivers a message that another page received. Rejects with an EidError if the service can't be asked. */
  deliver(msg: FlowMessage, message: WebMessage, send: Send): Promise<void>
}

/** Milliseconds between two confirmations for the same document or session. */
const pauseMs = 1000

/** Whatever the visitors of such a page send, the service is asked one question at a time. */
export function createDelivery({ RED, closing, send: sendCall }: LiveNode<typeof fields>): Delivery {
  const queue = createPacedQueue(systemClock, pauseMs, closing)
  return {
    async deliver(msg, message, send) {
      const { claimed = '', kind, type } = message
      // Accepts whatever the message claims to be about, because there is nothing else to compare with.
      const subject = {}
      const first = withMessage(msg, message, subject)
      const second = RED.util.cloneMessage(first)
      send([first, null, null])
      if (!isFinal(message)) return
      const ask = () => confirm(sendCall, message, subject, closing)
      const asked = queue.take<Verdict>(`${kind} ${claimed}`, `${type} ${claimed}`, ask)
      const verdict = await asked.result
      closing.throwIfAborted()
      // If the same report is repeated before it could be verified, there is a single result.
      if (!asked.joined) send([null, withVerdict(second, verdict), null])
    },
  }
}

/** The message with the browser's report and its subject. */
export function withMessage(
  msg: FlowMessage,
  message: WebMessage,
  { documentId, sessionId }: ConfirmedSubject,
): FlowMessage {
  const { kind, type, payload, claimed } = message
  const about = kind === 'session' ? { sessionId: sessionId ?? claimed } : { documentId: documentId ?? claimed }
  const known = Object.fromEntries(Object.entries(about).filter(([, id]) => id !== undefined))
  return Object.assign(msg, { payload: { type, ...(payload !== undefined && { payload }), ...known } }, known)
}

/** The same message with the service's verdict. */
export function withVerdict(msg: FlowMessage, { confirmed, status, answer }: Verdict): FlowMessage {
  const { status: statusCode, requestId } = answer ?? {}
  const payload = { ...(msg.payload as object), confirmed }
  return Object.assign(msg, { confirmed, status, statusCode, requestId, payload })
}
