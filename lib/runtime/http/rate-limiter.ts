/**
 * Limits how many requests are answered at the same time and per second, both for all senders together and for each
 * sender.
 */
import { systemClock, type Clock } from '../../store/clock'

/** The part of a response that reports when its request has ended. */
interface Closing {
  once(event: 'close', listener: () => void): unknown
}

/**
 * Decides whether a further request of this sender is accepted now; if so, counts the request until its response is
 * sent.
 */
export type RateLimiter = (response: Closing, peer: string) => boolean

/**
 * The maximum number of requests answered at the same time. Each of them may hold in memory the part of its body that
 * was read so far.
 */
const maxAtOnce = 500
const maxAtOncePerPeer = 200
/**
 * The maximum number of requests in any one second. The period is short, so that others are accepted again as soon as a
 * flood is over.
 */
const maxPerSecond = 1000
const maxPerSecondPerPeer = 700

interface Peer {
  atOnce: number
  count: number
}

export function createRateLimiter(clock: Pick<Clock, 'now'> = systemClock): RateLimiter {
  const all: Peer = { atOnce: 0, count: 0 }
  const peers = new Map<string, Peer>()
  let since = -Infinity

  const startSecond = (now: number) => {
    since = now
    all.count = 0
    for (const [name, peer] of peers) {
      peer.count = 0
      if (peer.atOnce === 0) peers.delete(name)
    }
  }
  const isFull = (peer: Peer, atOnce: number, count: number) => peer.atOnce >= atOnce || peer.count >= count
  return (response, name) => {
    const now = clock.now()
    if (now - since >= 1000) startSecond(now)
    const key = networkOf(name)
    const peer = peers.get(key) ?? { atOnce: 0, count: 0 }
    if (isFull(all, maxAtOnce, maxPerSecond) || isFull(peer, maxAtOncePerPeer, maxPerSecondPerPeer)) return false
    peers.set(key, peer)
    for (const one of [all, peer]) {
      one.count++
      one.atOnce++
    }
    response.once('close', () => {
      all.atOnce--
      peer.atOnce--
    })
    return true
  }
}

/**
 * The sender's IPv4 address, or the network of its IPv6 address, because one machine can have any number of IPv6
 * addresses.
 */
export function networkOf(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined || !address.includes(':')) return v4 ?? address
  const [before = '', after] = address.split('::')
  const head = before.split(':').filter(Boolean)
  const tail = (after ?? '').split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...(after === undefined ? [] : zeros), ...tail].slice(0, 4).join(':')
}
