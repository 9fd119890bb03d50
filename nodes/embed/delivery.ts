/** Sends a web message into the flow as it is, and a final one a second time, once the service has confirmed it. */
import type { LiveNode } from '../../lib/runtime/node/live-node'
import type { FlowMessage, Send } from '../../lib/runtime/node-red/node-red'
import { systemClock } from '../../lib/store/clock'
import { confirm, type ConfirmedSubject, type Verdict } from './confirmation'
import type { fields } from './embed.fields'
import { isFinal, type WebMessage } from './messages'
import { createPacedQueue } from './paced-queue'

export interface Delivery {
  /** Sends what another page has received. Rejects with an EidError when the service cannot be asked. */
  deliver(msg: FlowMessage, message: WebMessage, send: Send): Promise<void>
}

/** Between two confirmations for one document or session. */
const pauseMs = 1000

/** Whatever the person at such a page says, the service is asked one question at a time. */
export function createDelivery({ RED, closing, send: sendCall }: LiveNode<typeof fields>): Delivery {
  const queue = createPacedQueue(systemClock, pauseMs, closing)
  return {
    async deliver(msg, message, send) {
      const { claimed = '', kind, type } = message
      // Whatever the message says it is about is asked for: there is nothing else to compare with.
      const subject = {}
      const first = withMessage(msg, message, subject)
      const second = RED.util.cloneMessage(first)
      send([first, null, null])
      if (!isFinal(message)) return
      const ask = () => confirm(sendCall, message, subject, closing)
      const asked = queue.take<Verdict>(`${kind} ${claimed}`, `${type} ${claimed}`, ask)
      const verdict = await asked.result
      closing.throwIfAborted()
      // The same report, repeated before it could be verified, is one result.
      if (!asked.joined) send([null, withVerdict(second, verdict), null])
    },
  }
}

/** The message with what the browser said, and with what that is about. */
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

/** And with what the service says of it. */
export function withVerdict(msg: FlowMessage, { confirmed, status, answer }: Verdict): FlowMessage {
  const { status: statusCode, requestId } = answer ?? {}
  const payload = { ...(msg.payload as object), confirmed }
  return Object.assign(msg, { confirmed, status, statusCode, requestId, payload })
}
