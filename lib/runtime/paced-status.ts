/** The status of a node that is busy by itself: a state that changes often is shown a few times a second at the most. */
import { isSandbox } from './client-node'
import type { NodeStatus, Runtime, RuntimeNode } from './node-red'
import type { Translate } from './texts'

export interface PacedStatus {
  /** What is going on; replaced by whatever comes next. */
  show(status: NodeStatus): void
  /** What is shown whenever nothing is going on. */
  result(status: NodeStatus): void
  /** Nothing is going on: the latest result, or the grey ring of the sandbox. */
  rest(): void
  clear(): void
}

/** Milliseconds between two states; the first and the latest of a burst are seen. */
const pace = 100

/** Shows the state of `node`, whose client has the id `client`. */
export function createPacedStatus(RED: Runtime, node: RuntimeNode, translate: Translate, client: unknown): PacedStatus {
  const idle = (): NodeStatus =>
    isSandbox(RED, client) ? { fill: 'grey', shape: 'ring', text: translate('status.sandbox') } : {}
  let result: NodeStatus | undefined
  let next: NodeStatus | undefined
  let timer: NodeJS.Timeout | undefined
  const tick = () => {
    timer = undefined
    if (next) change(next)
  }
  const change = (status: NodeStatus) => {
    next = status
    if (timer) return
    node.status(status)
    next = undefined
    timer = setTimeout(tick, pace)
    timer.unref()
  }
  return {
    show: change,
    result: (status) => void (result = status),
    rest: () => change(result ?? idle()),
    clear() {
      clearTimeout(timer)
      node.status({})
    },
  }
}
