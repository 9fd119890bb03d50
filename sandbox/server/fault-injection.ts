/** Applies faults, before or after a call takes effect. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from '../state/faults'
import { errorAnswer } from './answers'
import type { Answer } from './call'
import { encode } from './write'

/**
 * Applies a fault before the call. Returns the response to send, or `closed` if the connection was closed; undefined if
 * the call still has to run.
 */
export async function injectBefore(fault: Fault, request: IncomingMessage): Promise<Answer | 'closed' | undefined> {
  if (fault.delay > 0) await pause(fault.delay, undefined, { ref: false })
  if (fault.kind === 'expired-token') return { status: 401 }
  if (fault.kind === 'status' && !fault.after) return statusAnswer(fault)
  if (fault.kind !== 'close-before') return undefined
  request.socket.destroy()
  return 'closed'
}

/** Replaces the response of a call that took effect. Returns the response to send, or `closed`. */
export function injectAfter(fault: Fault, answer: Answer, response: ServerResponse): Answer | 'closed' {
  if (fault.kind === 'status' && fault.after) return statusAnswer(fault)
  if (fault.kind === 'malformed-json') return { text: '{"broken": ', type: 'application/json; charset=utf-8' }
  if (fault.kind === 'truncated') return truncate(answer, response)
  if (fault.kind !== 'close-after') return answer
  response.socket?.destroy()
  return 'closed'
}

function statusAnswer(fault: Fault): Answer {
  const headers: Record<string, string> = fault.retryAfter === undefined ? {} : { 'Retry-After': fault.retryAfter }
  if (typeof fault.body === 'string') return { status: fault.status, text: fault.body, headers }
  const standard = errorAnswer(fault.status, `SANDBOX-${fault.status}`, 'A fault of the sandbox.').json
  return { status: fault.status, json: fault.body ?? standard, headers }
}

/** Announces the length of the whole response, and sends half of it. */
function truncate(answer: Answer, response: ServerResponse): 'closed' {
  const { body, type } = encode(answer)
  const bytes = Buffer.from(body)
  response.writeHead(answer.status ?? 200, { 'Content-Type': type, 'Content-Length': bytes.length + 1 })
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy())
  return 'closed'
}
