/**
 * Values that come from the environment: `${NAME}` as the whole of a setting, which Node-RED puts in when flows start.
 */

/** The name in `${NAME}` (or `$(NAME)`, which Node-RED takes too); undefined when `value` is anything else. */
export function variableIn(value: unknown): string | undefined {
  return typeof value === 'string' ? /^\$[{(]([^}]+)[})]$/.exec(value)?.[1] : undefined
}
