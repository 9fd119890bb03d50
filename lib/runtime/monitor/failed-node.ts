/** For the list of errors: the node that failed, so that the editor can show it. */
import type { RuntimeNode } from '../node-red/node-red'

/**
 * The failed node. The editor tries all ids in `places`, because it does not know the id of a node inside a subflow.
 */
export interface FailedNode {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly places: readonly string[]
}

/** What an error stores of its node. */
export function nodeOf({ id, type, name = '', z, _alias }: RuntimeNode): FailedNode {
  return { id, type, name, places: [id, z, _alias].filter((place) => place !== undefined && place !== '') as string[] }
}
