/** The sandbox for node tests: one sandbox per test file, with faults on demand and a record of the requests. */
import { startSandbox, type Sandbox } from '../../sandbox'

export interface Recorded {
  /** ISO 8601, by the sandbox's clock. */
  at: string
  method: string
  path: string
  operation: string
  query: Record<string, string>
  headers: Record<string, string>
  body: Record<string, unknown> | undefined
  status: number
}

export interface Service {
  readonly url: string
  readonly sandbox: Sandbox
  /** The recorded requests, oldest first; with `operation`, only the calls of that operation. */
  requests(operation?: string): Promise<Recorded[]>
  fault(fault: Record<string, unknown>): Promise<void>
  /** Forgets everything that was created, sent and recorded. */
  reset(): Promise<void>
  close(): Promise<void>
}

/**
 * The addresses of all services that this process has started. The process keeps tokens and connections for each
 * address, and these belong to the service that first had the address.
 */
const usedUrls = new Set<string>()

/**
 * Starts the sandbox on a port that no earlier service of this process had, because the system may assign a port again.
 */
async function startAtNewPort(): Promise<Sandbox> {
  const sandbox = await startSandbox({ port: 0 })
  if (!usedUrls.has(sandbox.url)) {
    usedUrls.add(sandbox.url)
    return sandbox
  }
  // The rejected sandbox is closed only afterwards, so that the next sandbox gets another port.
  try {
    return await startAtNewPort()
  } finally {
    await sandbox.close()
  }
}

export async function startService(): Promise<Service> {
  const sandbox = await startAtNewPort()
  const post = async (path: string, body: unknown) => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
  return {
    url: sandbox.url,
    sandbox,
    async requests(operation) {
      const response = await fetch(`${sandbox.url}/sandbox/requests`)
      const all = (await response.json()) as Recorded[]
      return all.filter((one) => operation === undefined || one.operation === operation)
    },
    fault: (fault) => post('/sandbox/faults', { count: 1, ...fault }),
    reset: () => post('/sandbox/reset', {}),
    close: () => sandbox.close(),
  }
}
