/**
 * A PostgreSQL for the model behind a proxy that loses answers: the statement is executed, but its caller gets no
 * answer.
 */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { Client } from 'pg'
import { startPostgres } from '../../support/servers/postgres-server'
import type { StoreName } from './plan'

export interface Database {
  /** The address of the proxy. */
  readonly url: string
  /** Loses the next answer on every connection, and closes the connection. */
  cut(): void
  stop(): Promise<void>
}

/** Starts the database; undefined for the stores that need no database. */
export async function startDatabase(store: StoreName): Promise<Database | undefined> {
  if (store !== 'postgres' && store !== 'serializable') return undefined
  const server = await startPostgres()
  if (store === 'serializable') {
    const client = new Client(server.url)
    await client.connect()
    await client.query(`alter role eid set default_transaction_isolation = 'serializable'`)
    await client.end()
  }
  const { hostname, port } = new URL(server.url)
  const cutting = new Set<Socket>()
  const open = new Set<Socket>()
  const door = createServer((caller) => {
    const called = connect(Number(port), hostname)
    const end = () => {
      open.delete(caller)
      caller.destroy()
      called.destroy()
    }
    open.add(caller)
    for (const socket of [caller, called]) socket.on('error', end).on('close', end)
    caller.on('data', (data) => called.write(data))
    called.on('data', (data) => {
      if (cutting.delete(caller)) end()
      else caller.write(data)
    })
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const url = new URL(server.url)
  url.port = String((door.address() as AddressInfo).port)
  return {
    url: url.href,
    cut: () => open.forEach((caller) => cutting.add(caller)),
    async stop() {
      door.close()
      for (const caller of open) caller.destroy()
      await server.stop()
    },
  }
}
