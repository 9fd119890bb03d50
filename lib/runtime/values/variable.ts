/** Reads environment variables inside a text. Node-RED itself replaces `${NAME}` only if it is the whole value. */
import { configError } from '../../api/errors/errors'
import type { Runtime, RuntimeNode } from '../node-red/node-red'
import type { ReadVariable } from './template'

/**
 * Reads variables where Node-RED looks for them: in the node's subflow, group and flow, then in the environment of the
 * process.
 */
export function variableOf({ RED, node }: { readonly RED: Runtime; readonly node: RuntimeNode }): ReadVariable {
  return (path, name) => {
    let value: unknown
    RED.util.evaluateNodeProperty(name, 'env', node, {}, (_error, found) => (value = found))
    if (value === undefined || value === '') throw configError('env', { field: path, name })
    return String(value)
  }
}
