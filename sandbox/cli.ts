#!/usr/bin/env node
/** `eid-sandbox`: the simulated service on its own. */
import { parseArgs } from 'node:util'
import { startSandbox } from './start'

const help = `Usage: eid-sandbox [--port N] [--host H] [--public-url URL]

Starts a simulated signing, identification, share and deposit service.
Nothing in it is real, signed or sent.

  --port N          port to listen on (18499, or the next free one; 0 for any)
  --host H          address to listen on (127.0.0.1)
  --public-url URL  address in links, when it is reached by another one
  --help            this text
`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      'public-url': { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return void process.stdout.write(help)
  const port = values.port === undefined ? undefined : readPort(values.port)
  const sandbox = await startSandbox({ port, host: values.host, publicUrl: values['public-url'] })
  process.stdout.write(`The sandbox is at ${sandbox.url}/ (client id sandbox, secret sandbox).\n`)
  process.stdout.write('Nothing in it is real, signed or sent. Ctrl-C ends it.\n')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close())
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`--port must be a number from 0 to 65535, not ${text}`)
  return port
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
