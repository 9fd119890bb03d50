/**
 * Watches how much memory this process takes while an action runs. A separate thread watches, so that it also notices
 * the memory while the main thread is busy.
 */
import { Worker } from 'node:worker_threads'

export const mebibyte = 1024 ** 2

const watcher = `const { workerData } = require('node:worker_threads')
const peak = new Int32Array(workerData)
setInterval(() => Atomics.store(peak, 0, Math.max(peak[0], process.memoryUsage.rss() / 1024)), 2)`

interface Measured<T> {
  readonly result: T
  readonly seconds: number
  /** The maximum growth of the process during the action, in MiB. */
  readonly growth: number
  /** CPU seconds of this process. */
  readonly cpu: number
}

/** Runs `action` and measures time, CPU time and peak growth of the resident memory. */
export async function measure<T>(action: () => Promise<T>): Promise<Measured<T>> {
  const peak = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(watcher, { eval: true, workerData: peak.buffer })
  await new Promise((resolve) => thread.once('online', resolve))
  const kibibytes = () => process.memoryUsage.rss() / 1024
  collectGarbage()
  const before = kibibytes()
  Atomics.store(peak, 0, before)
  const cpu = process.cpuUsage()
  const start = performance.now()
  const result = await action()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const growth = (Math.max(Atomics.load(peak, 0), kibibytes()) - before) / 1024
  await thread.terminate()
  return { result, seconds, growth, cpu: (user + system) / 1e6 }
}

/** Frees unreachable memory; the process must run with --expose-gc. */
function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('run with --expose-gc')
  globalThis.gc()
}

/** The memory of reachable objects and of Buffers, in MiB. */
export function livingMemory(): number {
  // Two collections are needed: the first only finds the Buffers that are no longer used, the second frees their
  // memory.
  collectGarbage()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / mebibyte
}
