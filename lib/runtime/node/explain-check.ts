/** Says more about a setting that is refused after the work itself is done: what is missing now, and how to get it. */
import { EidError, inputError, type ProblemKey } from '../../api/errors/errors'
import type { TextParams } from '../../api/errors/texts'

interface Checking {
  readonly values: { readonly documentId?: string | undefined }
  check(problems: readonly ProblemKey[]): void
}

/**
 * The same call, in which the last problem of a check is said within the sentence `key`, as `problem`. `paramsOf`
 * returns the other parameters. Without a usable document id, the problems stay as they are.
 */
export function explainCheck<C extends Checking>(call: C, key: string, paramsOf: () => TextParams): C {
  return {
    ...call,
    check(problems: readonly ProblemKey[]) {
      try {
        call.check(problems)
      } catch (error) {
        throw explained(error)
      }
    },
  }

  function explained(error: unknown): unknown {
    if (!(error instanceof EidError)) return error
    const { problemKeys } = error
    const last = problemKeys.at(-1)
    // Without a usable id, it is unknown which document this was about.
    const isUnknown = (call.values.documentId ?? '') === '' || problemKeys.some(({ path }) => path === 'documentId')
    if (!last || isUnknown) return error
    // Said in the same problem: Catch nodes and reports count one problem for each setting.
    const params = { ...last.params, ...paramsOf(), problem: `@problems.${last.key}` }
    return inputError([...problemKeys.slice(0, -1), { ...last, key, params }])
  }
}
