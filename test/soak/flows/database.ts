/** A PostgreSQL of the model behind a door that loses answers: the work has been done, and no caller hears of it. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { Client } from 'pg'
import { startPostgres } from '../../support/servers/postgres-server'
import type { StoreName } from './plan'

export interface Database {
  /** By way of the door. */
  readonly url: string
  /** Loses the next answer on every connection, and the connection with it. */
  cut(): void
  stop(): Promise<void>
}

/** Undefined for the stores that need none. */
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
