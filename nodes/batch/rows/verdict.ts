/** Decides what a failure means for a row: all calls made for the row count, not only the last call. */
import { madeIdNames, type MadeIdName, type RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { RowError } from '../../../lib/runtime/monitor/row-owners'
import type { Translate } from '../../../lib/api/errors/texts'
import { maxProblem, type Result, type RowEnd } from './row'

export type Failure = Extract<RowEnd, { failed: true }>

/** Known facts about a row besides its last error. */
interface RowHistory {
  readonly calls: readonly RowCall[]
  /** False if an earlier attempt did not come back. That attempt may have done something that was not recorded. */
  readonly isComplete: boolean
  /** The errors of the row in our nodes. */
  readonly errors?: readonly RowError[] | undefined
  /** The result of an earlier attempt. */
  readonly before?: Result | undefined
  /** Whether the row did not come back, because the node holding it was stopped. */
  readonly isLost?: boolean
}

/**
 * Decides the outcome of a failed row: it is `not-done` only if no call made for the row had an effect. If a document
 * was created under the row's own key, it is reported like everything else that was created. The row may still be sent
 * again, because it then finds this document.
 */
export function verdictOf(
  end: Failure,
  { calls, isComplete, errors = [], before = {}, isLost = false }: RowHistory,
  translate: Translate,
): Failure {
  const failure = (...words: Words) => failureOf(end, errors, translate, ...words)
  const keyed = calls.filter(({ isOwn }) => isOwn)
  const own = new Set([before.documentId, ...keyed.map(({ made }) => made?.documentId)])
  const acting = calls.filter(({ isOwn }) => !isOwn)
  const brought = madeIdNames.flatMap((name) => idOf(name, end.result, own))
  const done = [
    ...new Set([
      ...acting.filter(({ outcome }) => outcome === 'done').flatMap(doneBy(translate)),
      ...brought.map(wordsOf(translate)),
    ]),
  ]
  if (done.length > 0) return failure(isLost ? 'rows.lostMade' : 'rows.made', { made: listOf(done) })
  if (end.outcome === 'unknown') {
    const isOwn = isComplete && acting.length === 0 && keyed.some(({ subject }) => subject === end.doubtfulKey)
    return isOwn ? { ...failure('rows.mayHaveMadeOwn', {}), isRepeatable: 'later' } : end
  }
  if (acting.length > 0) {
    const made = listOf([...new Set(acting.map(({ call, subject }) => `${call} ${subject}`.trim()))])
    return failure(isLost ? 'rows.lostMayHaveMade' : 'rows.mayHaveMade', { made })
  }
  if (!isComplete) return failure('rows.lostBefore', {})
  const [documentId] = [...own].filter((id) => id !== undefined)
  if (documentId !== undefined) {
    const named = failure('rows.madeOwn', { id: documentId })
    return { ...named, result: { ...named.result, documentId }, isRepeatable: 'now' }
  }
  if (keyed.length === 0 && before.outcome !== 'unknown') return end
  return { ...failure('rows.mayHaveMadeOwn', {}), isRepeatable: 'now' }
}

/**
 * Returns the failure of a row that came back twice, once without an error and once with the failure `end`: only part
 * of the flow succeeded.
 */
export function partlyFailed(end: Failure, errors: readonly RowError[] | undefined, translate: Translate): Failure {
  return failureOf(end, errors ?? [], translate, 'rows.partly', {})
}

/** Whether sending the row once more would do something twice. */
export function hasActed(calls: readonly RowCall[]): boolean {
  return calls.some(({ isOwn }) => !isOwn)
}

/** The ids that these calls created; for each kind of id, the latest one. */
export function madeBy(calls: readonly RowCall[]): Result {
  return calls.reduce<Result>((ids, { made }) => ({ ...ids, ...made }), {})
}

function idOf(name: MadeIdName, result: Result, own: ReadonlySet<string | undefined>): [MadeIdName, string][] {
  const id = result[name]
  return id === undefined || (name === 'documentId' && own.has(id)) ? [] : [[name, id]]
}

const wordsOf =
  (translate: Translate) =>
  ([name, id]: readonly [string, string]) =>
    translate(`made.${name}`, { id })

const doneBy =
  (translate: Translate) =>
  ({ call, subject, made = {} }: RowCall): string[] => {
    const words = Object.entries(made).map(wordsOf(translate))
    return words.length > 0 ? words : [`${call} ${subject}`.trim()]
  }

const listOf = (words: readonly string[]) => words.join(', ')

type Words = [key: string, params: Record<string, string>]

/**
 * Returns the same failure with an unknown outcome, and with a sentence that names the resources that exist. Of an error
 * of our nodes, the end of its sentence is left out, which says whether the last call did anything.
 */
function failureOf(end: Failure, errors: readonly RowError[], translate: Translate, ...[key, params]: Words): Failure {
  const { problem = '' } = end.result
  const said = errors.find(({ text }) => text.slice(0, maxProblem) === problem)?.reason ?? problem
  return {
    ...end,
    outcome: 'unknown',
    result: { ...end.result, outcome: 'unknown', problem: [translate(key, params), said].filter(Boolean).join(' ') },
  }
}
