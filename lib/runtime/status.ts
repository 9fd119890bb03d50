/** What a node shows below itself: how many calls are on their way, and how the last one ended. */
import type { NodeStatus, RuntimeNode } from './node-red'
import type { Translate } from './texts'

export interface Status {
  /** A message has come in. */
  begin(): void
  /** Replaces `requesting` while a message is on its way. */
  progress(text: string): void
  succeed(text: string): void
  fail(text: string): void
  /** The state without any message: empty, or a grey ring for nodes on the sandbox. */
  idle(): void
  clear(): void
}

/** Milliseconds between two counts while several messages are on their way; the first and the last state show at once. */
const pace = 50

/** Shows the state of `node`. `sandbox` tells whether it talks to the simulated service. */
export function createStatus(node: RuntimeNode, translate: Translate, sandbox: () => boolean): Status {
  let active = 0
  let timer: NodeJS.Timeout | undefined
  const show = (status: NodeStatus) => {
    clearTimeout(timer)
    timer = undefined
    node.status(status)
  }
  const requesting = () => {
    const text = active > 1 ? translate('status.requestingMany', { count: active }) : translate('status.requesting')
    show({ fill: 'blue', shape: 'dot', text })
  }
  const later = () => {
    timer ??= setTimeout(requesting, pace)
  }
  const end = (status: NodeStatus) => {
    active = Math.max(0, active - 1)
    if (active > 0) later()
    else show(status)
  }
  return {
    begin() {
      active++
      if (active === 1) requesting()
      else later()
    },
    progress: (text) => show({ fill: 'blue', shape: 'dot', text }),
    succeed: (text) => end({ fill: 'green', shape: 'dot', text }),
    fail: (text) => end({ fill: 'red', shape: 'ring', text }),
    idle: () => show(sandbox() ? { fill: 'grey', shape: 'ring', text: translate('status.sandbox') } : {}),
    clear: () => show({}),
  }
}
