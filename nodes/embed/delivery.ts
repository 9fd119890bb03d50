/** Brings a web message into the flow: as it is, and the final ones once more when the service has been asked. */
import type { LiveNode } from '../../lib/runtime/live-node'
import type { FlowMessage, Send } from '../../lib/runtime/node-red'
import { systemClock } from '../../lib/runtime/clock'
import { confirm, type Subject, type Verdict } from './confirmation'
import type { fields } from './embed.fields'
import { isFinal, type WebMessage } from './messages'
import { createTurns } from './turns'

export interface WebMessageFrom {
  readonly message: WebMessage
  /** What the page that it came from is about; empty when the page is not ours. */
  readonly subject: Subject
  /** Whatever the person at this page says, the service is asked one question at a time. */
  readonly source: string
  /** A final message that is confirmed already is not asked about again. */
  readonly asked: boolean
  /** The id of our own page. */
  readonly page?: string
}

export interface Delivery {
  /** Sends `msg`. True when the service has confirmed the end. Rejects with an EidError when it cannot be asked. */
  deliver(msg: FlowMessage, from: WebMessageFrom, send: Send): Promise<boolean>
}

/** Between two confirmations for one source. */
const pauseMs = 1000

/** `isFirst` tells whether this end of a page has not been told before, here or in another Node-RED. */
export function createDelivery(
  { RED, closing, send: sendCall }: LiveNode<typeof fields>,
  isFirst: (page: string, end: string) => Promise<boolean>,
): Delivery {
  const turns = createTurns(systemClock, pauseMs, closing)
  return {
    async deliver(msg, { message, subject, source, asked, page }, send) {
      const payload = payloadOf(message, subject)
      const { documentId, sessionId } = payload
      const about = { ...(documentId !== undefined && { documentId }), ...(sessionId !== undefined && { sessionId }) }
      Object.assign(msg, { payload }, about)
      const second = RED.util.cloneMessage(msg)
      send([msg, null, null])
      if (asked || !isFinal(message)) return false
      const name = `${message.type} ${message.claimed ?? ''}`
      const turn = turns.take<Verdict>(source, name, () => confirm(sendCall, message, subject, closing))
      const { confirmed, status, answer } = await turn.result
      closing.throwIfAborted()
      // The same word of the same page, said again before the service could be asked, is one end.
      if (turn.joined) return confirmed
      if (confirmed && page !== undefined && !(await isFirst(page, message.type))) return confirmed
      Object.assign(second, { confirmed, status, statusCode: answer?.status, requestId: answer?.requestId })
      send([null, { ...second, payload: { ...payload, confirmed } }, null])
      return confirmed
    },
  }
}

interface WebMessagePayload {
  type: string
  payload?: unknown
  documentId?: string
  sessionId?: string
}

function payloadOf(message: WebMessage, { documentId, sessionId }: Subject): WebMessagePayload {
  const { kind, type, payload, claimed } = message
  const about = kind === 'session' ? { sessionId: sessionId ?? claimed } : { documentId: documentId ?? claimed }
  const known = Object.fromEntries(Object.entries(about).filter(([, id]) => id !== undefined))
  return { type, ...(payload !== undefined && { payload }), ...known }
}
