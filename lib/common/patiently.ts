/** Repeats work on a file for a while: on Windows another program may have it open for a moment. */
import { setTimeout as sleep } from 'node:timers/promises'

/** What the system says of a file that a virus scanner or an index has open. */
const passingCodes: ReadonlySet<unknown> = new Set(['EPERM', 'EBUSY', 'EACCES'])

const firstPauseMs = 10
const longestPauseMs = 250
const timeoutMs = 2000

/** The result of `work`, tried again for two seconds while the system says that the file is in use. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (!passingCodes.has(code) || performance.now() - start > timeoutMs) throw error
    }
    await sleep(pause)
  }
}
