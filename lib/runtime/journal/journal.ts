/** Listens to all messages of a Node-RED: keeps its list of errors, and writes to its log what a deploy has stopped. */
import { listenToMessages, type HandledMessage } from '../node-red/message-events'
import type { Runtime } from '../node-red/node-red'
import { recordError, settleMessage } from '../monitor/error-log'
import type { FailedItem } from '../monitor/occurrences'
import { failedItem, failedItemOf } from './failed-item'
import { logStopped } from './stopped-log'

export function startJournal(RED: Runtime): void {
  listenToMessages(RED, 'errors', {
    ended(message, { error, thrown, about }) {
      const { node, config, msg, asked } = message
      if (!error) return msg && settleMessage(node, msg, asked)
      const more = { client: config.client, asked, item: itemOf(message, about?.id), wait: about?.wait }
      recordError(node, error, thrown, msg, { ...more, ended: about?.ended })
    },
  })
  listenToMessages(RED, 'log', { stopped: logStopped })
}

function itemOf({ msg, taken = msg, values, body }: HandledMessage, id: string | undefined): FailedItem | undefined {
  if (values && taken) return failedItem(values, taken, body)
  return msg && id !== undefined ? failedItemOf(msg, id) : undefined
}
