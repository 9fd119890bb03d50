/** What the answers of the approvers amount to: nothing yet, approved, or rejected. */
import { isPlainObject } from '../../lib/common/plain-object'
import type { Approver } from './approvers'
import { compare, marksIn, type Marks } from './identity'

/** The answer of one approver, as it is stored. */
export interface Vote {
  readonly answer: 'approve' | 'reject'
  /** Id of the approver's row. */
  readonly row: string
  readonly name: string
  /** ISO 8601 */
  readonly at: string
  readonly provider: string
  readonly sessionId: string
  readonly reason: string
  readonly marks: Marks
}

export interface Tally {
  /** The approvals that count, oldest first. */
  readonly approved: readonly Vote[]
  /** The first rejection that counts. */
  readonly rejected: Vote | undefined
  readonly isApproved: boolean
}

interface TallyOptions {
  /** The people who may approve now: the answer of someone who has been removed does not count. */
  readonly approvers: readonly Approver[]
  readonly required: number
  /** The proposer, whose answer does not count; undefined if proposers may approve. */
  readonly proposer: Marks | undefined
}

/** Counts the answers in their order. What comes after the answer that decides does not count. */
export function tally(votes: readonly Vote[], { approvers, required, proposer }: TallyOptions): Tally {
  const approved: Vote[] = []
  let rejected: Vote | undefined
  for (const vote of votes) {
    if (rejected || approved.length >= required) break
    if (!counts(vote, approvers, proposer, approved)) continue
    if (vote.answer === 'reject') rejected = vote
    else approved.push(vote)
  }
  return { approved, rejected, isApproved: !rejected && approved.length >= required }
}

function counts(
  { row, marks }: Vote,
  approvers: readonly Approver[],
  proposer: Marks | undefined,
  earlier: readonly Vote[],
): boolean {
  const isListed = approvers.some((one) => one.id === row && compare(one.marks, marks) === 'same')
  const others = [...(proposer ? [proposer] : []), ...earlier.map((one) => one.marks)]
  return isListed && others.every((one) => compare(one, marks) === 'other')
}

/** Reads a stored answer; undefined for any other value. */
export function voteIn(value: unknown): Vote | undefined {
  if (!isPlainObject(value) || !marksIn(value.marks)) return undefined
  const { answer, row, name, at, provider, sessionId, reason } = value
  const isAnswer = answer === 'approve' || answer === 'reject'
  const texts = [row, name, at, provider, sessionId, reason]
  return isAnswer && texts.every((one) => typeof one === 'string') ? (value as unknown as Vote) : undefined
}
