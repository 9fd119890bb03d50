/** The status below a node. If the status changes often, it is updated at most a few times a second. */
import type { NodeStatus, RuntimeNode } from '../node-red/node-red'
import type { Translate } from '../node-red/texts'

/** The status of a node that takes a message, makes its calls and passes it on. */
export interface Status {
  /** Called when a message has arrived. */
  begin(): void
  /** Shows this text in place of `requesting` while a message is being handled. */
  progress(text: string): void
  /**
   * Green: the service did it. Gray: the message succeeded without the service. Blue: people have to complete it.
   * Yellow: a person should check the result.
   */
  succeed(text: string, fill?: 'green' | 'grey' | 'blue' | 'yellow'): void
  fail(text: string): void
  /** Shows the status without any message: no status, or a gray ring for nodes on the sandbox. */
  idle(): void
  clear(): void
}

/** The status of a node that works on its own. */
export interface LiveStatus {
  /** Shows the current activity, until the next activity replaces it. */
  show(status: NodeStatus): void
  /** Sets the status to show when the node is idle; undefined if there is nothing to show. */
  setResult(status: NodeStatus | undefined): void
  /** Called when the node is idle: shows the latest result or, without a result, the gray ring of the sandbox. */
  rest(): void
  clear(): void
}

/** Milliseconds between two updates if many follow each other; the first and the latest update are always shown. */
const countPaceMs = 50
const livePaceMs = 100

/** Creates the status of `node`. `sandbox` returns whether the node uses the simulated service. */
export function createStatus(node: RuntimeNode, translate: Translate, sandbox: () => boolean): Status {
  const throttle = createThrottle(node, countPaceMs)
  let active = 0
  // The texts are cached, because a text with a count takes half a millisecond: Node-RED's catalog looks for plural
  // forms.
  const counted = new Map<number, string>()
  const many = (count: number) => {
    const text = counted.get(count) ?? translate('status.requestingMany', { count })
    counted.set(count, text)
    return text
  }
  const requesting = (): NodeStatus => ({
    fill: 'blue',
    shape: 'dot',
    text: active > 1 ? many(active) : translate('status.requesting'),
  })
  const end = (status: NodeStatus) => {
    active = Math.max(0, active - 1)
    if (active > 0) throttle.later(requesting)
    else throttle.now(status)
  }
  return {
    begin() {
      active++
      if (active === 1) throttle.now(requesting())
      else throttle.later(requesting)
    },
    progress: (text) => throttle.now({ fill: 'blue', shape: 'dot', text }),
    succeed: (text, fill = 'green') => end({ fill, shape: 'dot', text }),
    fail: (text) => end(errorStatus(text)),
    idle: () => throttle.now(idleStatus(translate, sandbox)),
    clear: () => throttle.now({}),
  }
}

/** Creates the activity status of `node`. `sandbox` returns whether the node uses the simulated service. */
export function createLiveStatus(node: RuntimeNode, translate: Translate, sandbox: () => boolean): LiveStatus {
  const throttle = createThrottle(node, livePaceMs)
  let result: NodeStatus | undefined
  return {
    show: (status) => throttle.soon(() => status),
    setResult: (status) => void (result = status),
    rest: () => throttle.soon(() => result ?? idleStatus(translate, sandbox)),
    clear: () => throttle.now({}),
  }
}

/** What an error looks like below every node. */
export function errorStatus(text: string): NodeStatus {
  return { fill: 'red', shape: 'ring', text }
}

const idleStatus = (translate: Translate, sandbox: () => boolean): NodeStatus =>
  sandbox() ? { fill: 'grey', shape: 'ring', text: translate('status.sandbox') } : {}

interface Throttle {
  /** Shows the status at once and cancels any scheduled update. */
  now(status: NodeStatus): void
  /** Shows a status after the pause. If this is called several times, only the latest status is built and shown. */
  later(make: () => NodeStatus): void
  /** Shows the status at once, or after the pause if another status was shown just before. */
  soon(make: () => NodeStatus): void
}

function createThrottle(node: RuntimeNode, paceMs: number): Throttle {
  let next: (() => NodeStatus) | undefined
  let timer: NodeJS.Timeout | undefined
  const arm = () => {
    timer = setTimeout(tick, paceMs)
    timer.unref()
  }
  const tick = () => {
    timer = undefined
    if (!next) return
    const make = next
    next = undefined
    node.status(make())
    arm()
  }
  return {
    now(status) {
      clearTimeout(timer)
      timer = next = undefined
      node.status(status)
    },
    later(make) {
      next = make
      if (!timer) arm()
    },
    soon(make) {
      next = make
      if (!timer) tick()
    },
  }
}
