/**
 * Listens to all messages of a Node-RED: gives each error to its one owner, reports it to those who watch, and writes to
 * the log what a deploy has stopped.
 */
import { hosted } from '../node-red/host'
import { listenToMessages, type HandledMessage, type MessageEnd } from '../node-red/message-events'
import type { Runtime } from '../node-red/node-red'
import { sentenceWithoutDone } from '../monitor/error-sentence'
import { reportOccurrence, type ErrorSubject } from '../monitor/occurrences'
import { ownedRow, rowStopped } from '../monitor/row-owners'
import { whenCaughtIsKnown } from '../monitor/uncaught'
import { errorsOf } from './errors'
import { failedItem, failedItemOf, withSubject } from './failed-item'
import { logStopped } from './stopped-log'
import { hasMessage } from './subject'

export function startJournal(RED: Runtime): void {
  const errors = errorsOf(RED)
  listenToMessages(RED, 'errors', {
    ended(message, end) {
      if (end.error) failed(message, { ...end, error: end.error })
      else errors.passed(message)
    },
    named: (error, { options }, taken) => withSubject(error, options.body, taken),
  })
  listenToMessages(RED, 'log', { stopped: logStopped })
}

/** The errors reported so far: an error that is reported in two places is one error. */
const createReported = () => new WeakSet<object>()

function failed(message: HandledMessage, end: MessageEnd & Required<Pick<MessageEnd, 'error'>>): void {
  const { RED, node, config, msg = {} } = message
  const { error, thrown = error, about, isWarning = false } = end
  const reported = hosted(RED, createReported)
  if (typeof thrown === 'object' && thrown !== null) {
    if (reported.has(thrown)) return
    reported.add(thrown)
  }
  const item = itemOf(message)
  const errors = errorsOf(RED)
  const entry = errors.entryOf(message, error, item, about)
  const owned = ownedRow(RED, msg)
  if (entry.isUnsaved && message.msg) errors.unsaved.keep(entry.subject, message.taken ?? message.msg)
  // A wait's error belongs to the list of ended waits, a row's error to its list.
  const isListed = about?.wait !== undefined
  if (!isListed && owned?.owner.failed) {
    const isLasting = entry.outcome === 'unknown' || entry.isUnsaved === true
    const reason = sentenceWithoutDone(error, message.translate)
    owned.owner.failed(owned.row, { ...entry, about: item, isLasting, reason })
  } else if (!isListed) errors.record(message, entry)
  whenCaughtIsKnown(RED, node.id, (caught) => {
    const carried = { row: owned !== undefined, message: hasMessage(message) }
    const client = typeof config.client === 'string' ? config.client : undefined
    reportOccurrence(RED, {
      what: 'error',
      entry,
      about: item,
      caught: caught && !isWarning,
      ...carried,
      client,
      ended: about?.ended,
    })
    if (owned && !isWarning) rowStopped(RED, msg, { error, isCaught: caught })
  })
}

function itemOf({ msg, taken = msg, values, body }: HandledMessage): ErrorSubject {
  if (values && taken) return failedItem(values, taken, body)
  return msg ? failedItemOf(msg) : {}
}
