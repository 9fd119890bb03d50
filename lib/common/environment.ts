/** Settings that consist only of `${NAME}`. Node-RED replaces them with the environment variable when flows start. */

/** The name in `${NAME}` (or `$(NAME)`, which Node-RED accepts too); undefined if `value` is anything else. */
export function variableIn(value: unknown): string | undefined {
  return typeof value === 'string' ? /^\$[{(]([^}]+)[})]$/.exec(value)?.[1] : undefined
}
