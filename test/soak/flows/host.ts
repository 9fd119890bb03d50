/** Sends commands to the Node-RED of a group, and waits for its answers. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { FromParent, ToParent } from './child'

export async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

export function tell(child: ChildProcess, message: FromParent): void {
  if (child.connected) child.send(message)
}

export function answer(child: ChildProcess, name: 'ready' | 'deployed'): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`Node-RED ended with ${code}`))
    const listener = (message: ToParent) => {
      if (!(name in message)) return
      child.off('message', listener).off('exit', ended)
      resolve()
    }
    child.on('message', listener).once('exit', ended)
  })
}
