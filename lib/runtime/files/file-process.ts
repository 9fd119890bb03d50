/**
 * Hands Word files and lists to a process of its own, because a file of a few kilobytes can take any time and memory to
 * read. The process is ended when it takes too much, and Node-RED keeps running meanwhile. A thread would not be
 * enough: if it runs out of memory, it can end the whole process.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createTurns } from '../../common/turns'
import type { FileJob } from './file-jobs'

/** What the process sends: parts of the answer, in order, and then its end. */
export type FileAnswer = { readonly part: unknown } | { readonly end: unknown }

export interface Limits {
  /** Milliseconds that a file may take. The largest acceptable file takes about a tenth of this. */
  readonly maxMs: number
  /** Megabytes of memory. The largest acceptable file takes about half of this. */
  readonly maxMegabytes: number
}

/** Milliseconds without a file after which the process is ended, because it may hold much memory. */
const idleMs = 60_000

interface Order {
  readonly job: FileJob
  /** Gets each part of the answer, as soon as it has arrived. */
  readonly onPart: (part: unknown) => void
}

/**
 * Returns a function that hands over a job and returns the end of the answer; undefined if the file exceeds the limits.
 * The process starts with the first job and does one job at a time.
 */
export function createFileProcess({ maxMs, maxMegabytes }: Limits = { maxMs: 40_000, maxMegabytes: 768 }) {
  let current: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  const stop = () => {
    current?.kill('SIGKILL')
    current = undefined
  }
  const start = () => {
    const child = startWorker(maxMegabytes)
    return child.once('exit', () => void (current = current === child ? undefined : current))
  }
  const run = ({ job, onPart }: Order) =>
    new Promise<unknown>((resolve) => {
      clearTimeout(idle)
      const child = (current ??= start())
      const end = (answer: unknown) => {
        clearTimeout(timer)
        child.off('message', take).off('exit', giveUp).off('error', giveUp)
        idle = setTimeout(stop, idleMs).unref()
        resolve(answer)
      }
      const take = (answer: FileAnswer) => ('part' in answer ? onPart(answer.part) : end(answer.end))
      const giveUp = () => {
        stop()
        end(undefined)
      }
      const timer = setTimeout(giveUp, maxMs)
      child.on('message', take).on('exit', giveUp).on('error', giveUp)
      // If the process has just ended, the event `exit` follows.
      child.send(job, () => undefined)
    })
  const jobs = createTurns(1)
  return (job: FileJob, onPart: Order['onPart'] = () => undefined) => jobs.run(0, () => run({ job, onPart }))
}

function startWorker(maxMegabytes: number): ChildProcess {
  const built = join(__dirname, 'file-worker.js')
  // In the repository, the process runs the source.
  const isBuilt = existsSync(built)
  const loader = isBuilt ? [] : ['--require', join(__dirname, '..', '..', '..', 'scripts', 'sources.cjs')]
  const child = fork(isBuilt ? built : join(__dirname, 'file-worker.ts'), {
    execArgv: [`--max-old-space-size=${maxMegabytes}`, ...loader],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Without a listener, an error would end Node-RED.
  child.on('error', () => undefined)
  // The process ends by itself when Node-RED does, and does not keep it running.
  child.unref()
  child.channel?.unref()
  return child
}
