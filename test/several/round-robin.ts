/** A load balancer as it stands in front of several Node-REDs: each in its turn, and past those that are gone. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RoundRobin {
  readonly url: string
  close(): Promise<void>
}

/** `targets` gives the addresses of those that are there now. */
export async function startRoundRobin(targets: () => readonly string[]): Promise<RoundRobin> {
  let turn = 0
  const server = createServer((incoming, response) => {
    const there = targets()
    pass(incoming, response, there[turn++ % there.length])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function pass(incoming: IncomingMessage, response: ServerResponse, target: string | undefined): void {
  const { method, url = '', headers } = incoming
  if (target === undefined) return void response.writeHead(502).end()
  const outgoing = request(new URL(url, target), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  incoming.pipe(outgoing)
}
