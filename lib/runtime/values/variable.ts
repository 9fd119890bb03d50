/** Environment variables inside a text: Node-RED itself only replaces a whole value `${NAME}`. */
import { configError } from '../../api/errors/errors'
import type { Runtime, RuntimeNode } from '../node-red/node-red'
import type { ReadVariable } from './template'

/** Looks where Node-RED does: in the node's subflow, group and flow, then in its environment. */
export function variableOf({ RED, node }: { readonly RED: Runtime; readonly node: RuntimeNode }): ReadVariable {
  return (path, name) => {
    let value: unknown
    RED.util.evaluateNodeProperty(name, 'env', node, {}, (_error, found) => (value = found))
    if (value === undefined || value === '') throw configError('env', { field: path, name })
    return String(value)
  }
}
