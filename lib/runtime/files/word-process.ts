/**
 * Hands Word files to a process of its own, because a file of a few kilobytes can take any time and memory to read. The
 * process is ended when it takes too much, and Node-RED keeps running meanwhile. A thread would not be enough: if it
 * runs out of memory, it can end the whole process.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promise as queueOf } from 'fastq'
import type { PlainObject } from '../../common/plain-object'
import type { FileProblem } from './file-problem'
import type { WordFields } from './word-field'

export interface WordJob {
  readonly what: 'fields' | 'text' | 'fill'
  readonly bytes: Buffer
  /** The values of the fields, if the file is to be filled in. */
  readonly data: PlainObject
}

interface WordProcess {
  fields(bytes: Buffer): Promise<WordFields>
  text(bytes: Buffer): Promise<string | FileProblem>
  fill(bytes: Buffer, data: PlainObject): Promise<Buffer | FileProblem>
}

interface Limits {
  /** Milliseconds that a file may take. The largest acceptable file takes about a tenth of this. */
  readonly maxMs: number
  /** Megabytes of memory. The largest acceptable file takes about half of this. */
  readonly maxMegabytes: number
}

/** Milliseconds without a file after which the process is ended, because it may hold much memory. */
const idleMs = 60_000

/** The process starts with the first file. A file that exceeds the limits gets the problem `wordHeavy`. */
export function createWordProcess({ maxMs, maxMegabytes }: Limits = { maxMs: 40_000, maxMegabytes: 768 }): WordProcess {
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
  const run = (job: WordJob) =>
    new Promise<unknown>((resolve) => {
      clearTimeout(idle)
      const child = (current ??= start())
      const end = (answer: unknown) => {
        clearTimeout(timer)
        child.off('message', end).off('exit', giveUp).off('error', giveUp)
        idle = setTimeout(stop, idleMs).unref()
        resolve(answer)
      }
      const giveUp = () => {
        stop()
        end({ key: 'wordHeavy' })
      }
      const timer = setTimeout(giveUp, maxMs)
      child.on('message', end).on('exit', giveUp).on('error', giveUp)
      // If the process has just ended, the event `exit` follows.
      child.send(job, () => undefined)
    })
  const jobs = queueOf(run, 1)
  const ask = (what: WordJob['what'], bytes: Buffer, data: PlainObject = {}) => jobs.push({ what, bytes, data })
  return {
    fields: async (bytes) => (await ask('fields', bytes)) as WordFields,
    text: async (bytes) => (await ask('text', bytes)) as string | FileProblem,
    fill: async (bytes, data) => (await ask('fill', bytes, data)) as Buffer | FileProblem,
  }
}

function startWorker(maxMegabytes: number): ChildProcess {
  const built = join(__dirname, 'word-worker.js')
  // In the repository, the process runs the source.
  const isBuilt = existsSync(built)
  const loader = isBuilt ? [] : ['--require', join(__dirname, '..', '..', '..', 'scripts', 'sources.cjs')]
  const child = fork(isBuilt ? built : join(__dirname, 'word-worker.ts'), {
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
