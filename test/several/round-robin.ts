/** A load balancer in front of several Node-REDs: uses each in turn, and skips those that are down. */
import { passOn, serve, type HttpServer } from '../support/servers/http-server'

/** `targets` returns the addresses of the Node-REDs that are running. */
export function startRoundRobin(targets: () => readonly string[]): Promise<HttpServer> {
  let turn = 0
  return serve((incoming, response) => {
    const there = targets()
    const target = there[turn++ % there.length]
    if (target === undefined) return void response.writeHead(502).end()
    passOn(incoming, response, new URL(incoming.url ?? '', target))
  })
}
