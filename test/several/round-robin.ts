/** A load balancer in front of several Node-REDs: each in its turn, and past those that are gone. */
import { passOn, serve, type HttpServer } from '../support/servers/http-server'

/** `targets` gives the addresses of those that are there now. */
export function startRoundRobin(targets: () => readonly string[]): Promise<HttpServer> {
  let turn = 0
  return serve((incoming, response) => {
    const there = targets()
    const target = there[turn++ % there.length]
    if (target === undefined) return void response.writeHead(502).end()
    passOn(incoming, response, new URL(incoming.url ?? '', target))
  })
}
