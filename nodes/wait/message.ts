/** Turns a message into a wait, and the end of a wait into a message. */
import { EidError, inputError, isNotFound, nodeError, type ProblemKey } from '../../lib/api/errors/errors'
import { identityIn } from '../../lib/api/sessions'
import { datesAfter, daysIn } from '../../lib/common/reminder-dates'
import { shownTitle } from '../../lib/runtime/journal/failed-item'
import type { Values } from '../../lib/settings/fields'
import { flagOf } from '../../lib/settings/flag'
import type { Clock } from '../../lib/store/clock'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import type { Done, FlowMessage, NodeConfig } from '../../lib/runtime/node-red/node-red'
import { remindsItself } from '../../lib/runtime/service/reminder'
import { textAt } from '../../lib/runtime/values/read-text'
import type { ReadResult } from '../../lib/runtime/values/values'
import { answersOf } from './answers'
import { detailsOf } from './details'
import { expectedPerson } from './expected-person'
import { statusKeyOf } from './status-keys'
import type { ResourceState } from './resource-state'
import { goalOf, kindOf } from './goals'
import { minPauseMs, pausesOf } from './pauses'
import type { PendingWait } from './stored-wait'
import { defaultIdOf, fields } from './wait.fields'

type WaitFields = typeof fields

const unitSeconds = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const

/** Returns the settings, with an empty `resourceId` replaced by the name of its message property. */
export function withDefaultId(config: NodeConfig): NodeConfig {
  const { resourceIdType = fields.resourceId.type, what = fields.what.initial } = config
  const unset = resourceIdType === 'msg' && (config.resourceId ?? '') === ''
  return unset ? { ...config, resourceId: defaultIdOf(goalOf(what) ?? fields.what.initial), resourceIdType } : config
}

/** Returns the wait that a message requests. Throws EID_INVALID_INPUT with every problem. */
export function waitFor(
  msg: FlowMessage,
  { values, problems }: ReadResult<WaitFields>,
  service: string | undefined,
  clock: Clock,
  done: Done,
): PendingWait {
  const found = problemsOf(values, problems)
  const { what, resourceId = '', timeout, timeoutUnit } = values
  const expected = kindOf(what) === 'session' ? expectedPerson(values, found) : undefined
  if (found.length > 0) throw inputError(found)
  const deadline = timeout === undefined ? Infinity : clock.now() + timeout * unitSeconds[timeoutUnit] * 1000
  const remind = planOf(values, clock)
  return { what, resourceId, msg, deadline, ...pausesOf(values), service, remind, expected, version: undefined, done }
}

/**
 * Returns the plan of the reminders. Their dates count from the day on which the message arrived, even if the clock or
 * the form is changed later.
 */
function planOf({ what, remindAfter, remindAt, remindDays }: Values<WaitFields>, clock: Clock) {
  const after = remindAfter === undefined ? undefined : daysIn(remindAfter)
  if (!after || kindOf(what) !== 'document') return undefined
  const dates = datesAfter(new Date(clock.epochNow()), after, remindDays)
  return { dates, at: remindAt ?? fields.remindAt.initial, days: remindDays }
}

/** Whether the message itself shows that the service sends reminders for the document. */
export function isRemindedAlready({ resourceId, msg }: PendingWait): boolean {
  return textAt(msg.payload, 'documentId') === resourceId && remindsItself(msg.payload)
}

const isMissing = ({ path, key }: ProblemKey) => path === 'resourceId' && /^missing/.test(key)

/**
 * Returns the id in a message that ends or wakes waits; undefined if it has none, so that it means all waits. Throws
 * EID_INVALID_INPUT for a wrong id and for an empty text, because neither may end or wake all waits.
 */
export function commandId({ values, problems }: ReadResult<WaitFields>): string | undefined {
  const isAbsent = (one: ProblemKey) => isMissing(one) && one.params?.found !== ''
  const wrong = problems.filter((one) => one.path === 'resourceId' && !isAbsent(one))
  if (wrong.length > 0) throw inputError(withIdName(values, wrong))
  return values.resourceId
}

/** Problems with a missing id name the message property where the id was expected. */
const withIdName = ({ what }: Values<WaitFields>, problems: readonly ProblemKey[]) =>
  problems.map((one) => (isMissing(one) ? { ...one, path: defaultIdOf(what) } : one))

/** Returns all problems of a message that starts a wait. */
function problemsOf(values: Values<WaitFields>, read: readonly ProblemKey[]): ProblemKey[] {
  const { what, resourceId } = values
  const problems = withIdName(values, read)
  const isReported = problems.some(({ path }) => path === 'resourceId' || path === defaultIdOf(what))
  if (resourceId === undefined && !isReported) problems.push({ path: defaultIdOf(what), key: 'missing' })
  if (!(pausesOf(values).pauseMs >= minPauseMs)) problems.push({ path: 'pollInterval', key: 'positive' })
  return problems
}

/**
 * Returns the properties added to the message when its wait has ended. `late` means that the node's own time limit was
 * reached first.
 */
export function patchOf(
  RED: HostOwner,
  { what, resourceId, expected }: PendingWait,
  { status, answer, reason }: ResourceState,
  late: boolean,
): object {
  return {
    payload: answer.data ?? { id: resourceId, operation: 'wait' },
    status,
    statusCode: answer.status,
    requestId: answer.requestId,
    timedOut: late,
    // Without an identity, that of an earlier session must not stay on the message.
    ...(kindOf(what) === 'session' && { identity: identityIn(answer.data) }),
    ...(expected && { reason }),
    ...(kindOf(what) === 'document' && answersOf(RED, resourceId, answer.data)),
    [defaultIdOf(what)]: resourceId,
  }
}

/** Returns the error that is sent instead of an output, if the settings ask for one. */
export function raisedBy(
  config: NodeConfig,
  wait: PendingWait,
  state: ResourceState,
  late: boolean,
): EidError | undefined {
  const expired = late || state.outcome === 'expired'
  const wanted = expired ? config.raiseExpired : state.outcome === 'ended' && config.raiseFailed
  // If it is unclear whether an error is wanted, the message leaves by its output, which shows the same state.
  if (flagOf(wanted) !== true) return undefined
  const code = expired ? 'EID_EXPIRED' : 'EID_FAILED'
  const { data } = state.answer
  const kind = kindOf(wait.what)
  // The title of a session is its reference, under which many people write a name.
  const known = kind === 'session' ? '' : (detailsOf(kind, data, state.status)?.title ?? '')
  const title = shownTitle(known, data, wait.msg.payload)
  const params = {
    title,
    named: title === '' ? '' : '@subjects.named',
    what: `@what.${kind}`,
    id: wait.resourceId,
    status: statusKeyOf(wait.what, state),
  }
  const cause = { status: state.answer.status, requestId: state.answer.requestId }
  // If the wait reached its own time limit, nothing has expired at the service.
  return nodeError(code, `errors.${late ? 'waitedLong' : code}`, params, cause)
}

/**
 * Replaces the error if the sandbox does not find a resource. Most likely, the resource existed before Node-RED was
 * stopped, and the new error says so. Other errors stay unchanged.
 */
export function forgottenBySandbox(error: unknown): unknown {
  if (!isNotFound(error)) return error
  return new EidError(error.code, { key: 'errors.forgotten', params: error.text.params }, error.cause)
}
