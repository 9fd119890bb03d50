/** Records the calls that a node makes for the row of a list, before and after each call. */
import type { Answer } from '../../api/call/call'
import { EidError } from '../../api/errors/errors'
import { operations, type Operation } from '../../api/operations/operations'
import { keepActed } from '../monitor/acted-rows'
import { noteCall, type RowCall } from '../monitor/row-calls'
import type { FlowMessage } from '../node-red/node-red'
import type { CallMade } from './stopped-log'

/** Whether the call changes nothing at the service, so that no record is needed. */
export function changesNothing({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  return method === 'GET' || path === operations.validateJwt.path
}

/** Makes a call, and records it if the message carries a row. */
export function noted(
  msg: FlowMessage,
  calls: RowCall[],
  call: CallMade & Pick<RowCall, 'sandboxVia'> & { readonly isKeyed: boolean },
  send: () => Promise<Answer>,
): Promise<Answer> {
  const rowCall = noteCall(msg, call)
  if (!rowCall) return send()
  calls.push(rowCall)
  return sendFor(rowCall, msg, send)
}

async function sendFor(rowCall: RowCall, msg: FlowMessage, send: () => Promise<Answer>): Promise<Answer> {
  try {
    // The call is stored before it is sent. If the process is killed after that, the row counts as a row for which
    // something may have been done.
    if (!rowCall.isOwn) await keepActed(msg)
    const answer = await send()
    rowCall.outcome = 'done'
    return answer
  } catch (error) {
    if (error instanceof EidError) rowCall.outcome = error.cause.outcome
    throw error
  }
}

/**
 * Stores the results of the calls, with the ids known now. Failures are ignored, because it is already stored that the
 * calls were made.
 */
export async function keepActedBy(calls: readonly RowCall[], msg: FlowMessage): Promise<void> {
  if (calls.some(({ isOwn }) => !isOwn)) await keepActed(msg).catch(() => undefined)
}
