/**
 * The messages of the latest calls that may have changed something at the service. While Node-RED runs, a user can send
 * such a message again.
 */
import { setLatest } from '../../common/latest'
import type { FlowMessage } from '../node-red/node-red'

/** The maximum number of messages. It is small, because messages may contain files, which stay in memory too. */
const most = 10

const kept = new Map<string, FlowMessage>()

/** `error` is the id of the entry in the list of errors. */
export function keepMessage(error: string, msg: FlowMessage): void {
  setLatest(kept, error, msg, most)
}

/** The message, which is still kept after this call; undefined if it is not kept any more. */
export function keptMessage(error: string): FlowMessage | undefined {
  return kept.get(error)
}

/** Removes and returns the message, so that it can't be sent twice. Without an id, drops all messages. */
export function takeMessage(error?: string): FlowMessage | undefined {
  if (error === undefined) return void kept.clear()
  const msg = kept.get(error)
  kept.delete(error)
  return msg
}
