/** Validates deadlines, with the same rules in all nodes. */
import type { ProblemKey } from '../../api/errors/errors'
import { momentOf } from '../../settings/moment'
import type { PlainObject } from '../../common/plain-object'
import { getPath } from '../values/read-text'

/** The last moment of a deadline in a request, in milliseconds since 1970; NaN if it is not ISO 8601. */
export function deadlineMs(deadline: unknown): number {
  // A request goes out as it is, so a text has to be one that the service reads.
  const isIso = deadline instanceof Date || (typeof deadline === 'string' && /^\d{4}-\d\d-\d\d/.test(deadline))
  return Date.parse((isIso ? momentOf(deadline) : undefined) ?? '')
}

/** The problem of a deadline that is invalid or in the past; `now` is in milliseconds since 1970. */
export function deadlineProblems(deadline: unknown, path: string, now: number): ProblemKey[] {
  const until = deadlineMs(deadline)
  if (Number.isNaN(until)) return [{ path, key: 'requestDate' }]
  return until <= now ? [{ path, key: 'past' }] : []
}

/** The problem of the deadline in a document request, if there is one. */
export function documentDeadlineProblems(body: PlainObject, now: number): ProblemKey[] {
  const path = 'advanced.timeToLive.deadline'
  const deadline = getPath(body, path)
  return deadline === undefined ? [] : deadlineProblems(deadline, path, now)
}
