/** The setup that tests of the API share: a scripted server, a client with its own tokens, and no real waiting. */
import { createClient, type ApiClient, type ClientOptions } from '../../lib/api/client'
import { EidError } from '../../lib/api/errors/errors'
import { TokenStore } from '../../lib/api/token/token'
import { startServer, type TestServer } from './servers/server'

export interface ScriptedService {
  readonly server: TestServer
  /** The length of each pause between attempts, in milliseconds. */
  readonly waits: number[]
  readonly clock: { now: number }
  client(options?: Partial<ClientOptions>): ApiClient
  close(): Promise<void>
}

export async function startScriptedService(): Promise<ScriptedService> {
  const server = await startServer()
  const clients: ApiClient[] = []
  const waits: number[] = []
  const clock = { now: Date.parse('2030-01-01T00:00:00Z') }
  return {
    server,
    waits,
    clock,
    client(options = {}) {
      const client = createClient({
        baseUrl: server.url,
        clientId: 'client-1',
        clientSecret: 'secret-of-client-1',
        scopes: ['document_read', 'document_write'],
        findProxy: () => undefined,
        tokens: new TokenStore(() => clock.now),
        now: () => clock.now,
        timeout: 5,
        wait: (milliseconds, signal) => {
          if (signal?.aborted) return Promise.reject(signal.reason)
          waits.push(milliseconds)
          return Promise.resolve()
        },
        ...options,
      })
      clients.push(client)
      return client
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
      await server.close()
    },
  }
}

/** The EidError with which the promise rejects; fails if the promise resolves, or rejects with anything else. */
export async function failure(promise: Promise<unknown>): Promise<EidError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof EidError) return error
    throw error
  }
  throw new Error('it should have failed')
}
