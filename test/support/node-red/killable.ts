/** Starts Node-RED in a process of its own and kills it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programOf } from '../program'
import type { FromParent, RedProcess, ToParent } from './killable-program'

export interface Arrived {
  readonly at: string
  readonly msg: Readonly<Record<string, unknown>>
}

export interface Started {
  /** The address of the routes that the flow's nodes serve. */
  readonly url: string
  /** Everything that reached a node of type `helper`, oldest first. */
  readonly arrived: readonly Arrived[]
  /** Called for everything that arrives from now on. */
  onArrived: (arrived: Arrived) => void
  send(to: string, msg: Record<string, unknown>): void
  /** Pauses the process until `goOn` is called. */
  freeze(): void
  goOn(): void
  /** Kills the process without warning, or shuts it down; resolves when the process has ended. */
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

let count = 0

/** Starts a process; what arrives in it is also in the file `ledger`. */
async function launch(options: Omit<RedProcess, 'ledger'>) {
  // If the process dies while the parent is too busy to read, the messages to the parent are lost. The process
  // therefore also writes them to a file.
  const ledger = join(options.userDir, `arrived-${++count}.log`)
  const told = JSON.stringify({ ...options, ledger } satisfies RedProcess)
  const child = fork(await programOf(join(__dirname, 'killable-program.ts')), [told], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const read = () => {
    const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n') : []
    return lines.filter(Boolean).map((line) => JSON.parse(line) as Arrived)
  }
  return { child, gone, read }
}

/** Starts the process and kills it after `afterMs` milliseconds. Returns what has arrived in it. */
export async function startAndKill(options: Omit<RedProcess, 'ledger'>, afterMs: number): Promise<Arrived[]> {
  const { child, gone, read } = await launch(options)
  setTimeout(() => child.kill('SIGKILL'), afterMs)
  await gone
  return read()
}

/** Starts the process; resolves when the flow runs. */
export async function startProcess(options: Omit<RedProcess, 'ledger'>): Promise<Started> {
  const { child, gone, read } = await launch(options)
  const arrived: Arrived[] = []
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)))
    const start = (url: string): Started => ({
      url,
      arrived,
      onArrived: () => undefined,
      send: (to, msg) => void child.send({ to, msg } satisfies FromParent),
      freeze: () => void child.kill('SIGSTOP'),
      goOn: () => void child.kill('SIGCONT'),
      async kill(signal = 'SIGKILL') {
        child.kill(signal)
        await gone
        // Messages that were still in transit are read from the file instead.
        child.removeAllListeners('message')
        arrived.push(...read().slice(arrived.length))
      },
    })
    let started: Started | undefined
    child.on('message', (message: ToParent) => {
      if ('url' in message) return resolve((started = start(message.url)))
      arrived.push(message)
      started?.onArrived(message)
    })
  })
}
