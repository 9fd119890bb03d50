/** Validates deadlines, with the same rules in all nodes. */
import type { ProblemKey } from '../../api/errors/errors'
import { dateTime } from '../../settings/rules'
import type { PlainObject } from '../../common/plain-object'
import { getPath } from '../values/read-text'

/** The problem of a deadline that is invalid or in the past; `now` is in milliseconds since 1970. */
export function deadlineProblems(deadline: unknown, path: string, now: number): ProblemKey[] {
  if (dateTime(String(deadline)) !== undefined) return [{ path, key: 'requestDate' }]
  return Date.parse(String(deadline)) <= now ? [{ path, key: 'past' }] : []
}

/** The problem of the deadline in a document request, if there is one. */
export function documentDeadlineProblems(body: PlainObject, now: number): ProblemKey[] {
  const path = 'advanced.timeToLive.deadline'
  const deadline = getPath(body, path)
  return deadline === undefined ? [] : deadlineProblems(deadline, path, now)
}
