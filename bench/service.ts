/**
 * Starts the servers of the benchmark, each in a process of its own, so that they take no CPU time from the measured
 * process.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

interface Remote {
  readonly url: string
  stop(): void
}

/** Runs a program whose first output is an address. */
export function startRemote(program: string, ...args: string[]): Promise<Remote> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)))
    child.stdout.on('data', (data: Buffer) => {
      const url = /http:\/\/[\w.:]+/.exec(data.toString())?.[0]
      if (url) resolve({ url, stop: () => child.kill('SIGKILL') })
    })
  })
}

/** A server that does no work, alone in its process, and answers after the given number of milliseconds. */
export const startPlainServer = (pauseMs = 0) => startRemote(join(__dirname, 'plain-server.mjs'), String(pauseMs))
