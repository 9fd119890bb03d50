/** Records the calls that nodes make for the row of a list, before and after each call, for the list that has the row. */
import { operations } from '../../api/operations/operations'
import { listServiceOf } from '../node-red/client-node'
import { listenToMessages, type CallMade, type HandledMessage } from '../node-red/message-events'
import type { Runtime } from '../node-red/node-red'
import { noteCall, noteFailed, noteMade, type RowCall } from '../monitor/row-calls'
import { keepActed, ownedRow, rowStopped } from '../monitor/row-owners'
import { keyOrIds, lineOf } from './stopped-log'

export function listenForRows(RED: Runtime): void {
  const noted = new WeakMap<CallMade, RowCall>()
  const rowCallsOf = ({ calls }: HandledMessage) =>
    calls.flatMap((call) => {
      const rowCall = noted.get(call)
      return rowCall ? [Object.assign(rowCall, { outcome: call.outcome })] : []
    })
  listenToMessages(RED, 'rows', {
    called(message, call) {
      const { msg, taken } = message
      if (!msg || changesNothing(call)) return undefined
      const rowCall = noteCall(RED, msg, {
        call: lineOf(call),
        subject: () => keyOrIds(call, taken),
        isKeyed: call.isKeyed,
        service: serviceOf(message),
      })
      if (!rowCall) return undefined
      noted.set(call, rowCall)
      // The call is stored before it is sent. If the process is killed after that, the row counts as a row for which
      // something may have been done.
      return rowCall.isOwn ? undefined : keepActed(RED, msg)
    },
    acted(message, patch) {
      const { msg } = message
      if (!msg) return undefined
      const calls = rowCallsOf(message)
      if (patch) noteMade(RED, msg, calls, patch, serviceOf(message))
      // A failure is ignored, because it is already stored that the calls were made.
      return calls.some(({ isOwn }) => !isOwn) ? keepActed(RED, msg).catch(() => undefined) : undefined
    },
    ended({ msg, node }, { error }) {
      if (!msg) return
      if (error) return noteFailed(msg, node.id)
      const owned = ownedRow(RED, msg)
      owned?.owner.passed?.(owned.row, node.id)
    },
    // If the message failed, its row would never return to the list, because the Catch nodes may have been stopped too.
    // A successful message was passed on, or is held for the next node.
    stopped({ msg }, { error }) {
      if (msg && error) rowStopped(RED, msg)
    },
  })
}

/** Calls to the sandbox count as done for a row of a list only as long as this node uses the sandbox. */
const serviceOf = ({ RED, config }: HandledMessage) => listServiceOf(RED, config.client)

/** Whether the call changes nothing at the service, so that no record is needed. */
function changesNothing({ operation: { method, path } }: CallMade): boolean {
  return method === 'GET' || path === operations.validateJwt.path
}
