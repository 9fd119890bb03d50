/** Derives ids for people who have no id. */
import { createHash } from 'node:crypto'

interface Person {
  readonly firstName?: unknown
  readonly lastName?: unknown
  readonly email?: unknown
  readonly mobileNumber?: unknown
}

/** Eight digits that are always the same for a person, and reveal nothing about the person. */
export function derivedId({ firstName, lastName, email, mobileNumber }: Person): string {
  const who = JSON.stringify([firstName, lastName, email, mobileNumber])
  return createHash('sha256').update(who).digest('hex').slice(0, 8)
}
