/** What a node shows below itself: how many calls are on their way, and how the last one ended. */
import type { RuntimeNode } from './node-red'
import type { Say } from './texts'

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

/** Shows the state of `node`. `sandbox` tells whether it talks to the simulated service. */
export function createStatus(node: RuntimeNode, say: Say, sandbox: () => boolean): Status {
  let active = 0
  const requesting = () => {
    const text = active > 1 ? say('status.requestingMany', { count: active }) : say('status.requesting')
    node.status({ fill: 'blue', shape: 'dot', text })
  }
  const end = (show: () => void) => {
    active = Math.max(0, active - 1)
    if (active > 0) requesting()
    else show()
  }
  return {
    begin() {
      active++
      requesting()
    },
    progress: (text) => node.status({ fill: 'blue', shape: 'dot', text }),
    succeed: (text) => end(() => node.status({ fill: 'green', shape: 'dot', text })),
    fail: (text) => end(() => node.status({ fill: 'red', shape: 'ring', text })),
    idle: () => node.status(sandbox() ? { fill: 'grey', shape: 'ring', text: say('status.sandbox') } : {}),
    clear: () => node.status({}),
  }
}
