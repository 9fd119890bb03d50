/** Finds the address at which others reach a node's path. */
import { addressBelow } from '../../common/public-path'
import type { Runtime } from '../node-red/node-red'

/**
 * The address at which others reach `path`. Without a public address, it is below `own`; if `own` is empty too, the
 * result is only the path, which a browser adds to the host from which it loaded the page.
 */
export function publicAddress(RED: Runtime, publicUrl: string, path: string, own = ''): string {
  return addressBelow(RED.settings.httpNodeRoot || '/', publicUrl, path, own)
}

interface OwnAddress {
  /** Scheme, host and port of this Node-RED; empty if unknown. */
  readonly base: string
  /**
   * Whether others can reach this Node-RED at `base`. A Node-RED that listens on all addresses knows only the address
   * at which it reaches itself.
   */
  readonly forOthers: boolean
}

/**
 * Node-RED's address as Node-RED itself knows it: from its server, and from the settings `uiHost`, `uiPort` and
 * `https`.
 */
export function ownAddress({ server, settings }: Runtime): OwnAddress {
  const listening = server?.address?.()
  const port = typeof listening === 'object' && listening ? listening.port : Number(settings.uiPort)
  if (!(port > 0)) return { base: '', forOthers: false }
  const host = typeof settings.uiHost === 'string' ? settings.uiHost : ''
  const everywhere = ['', '0.0.0.0', '::'].includes(host)
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const { origin } = new URL(`${settings.https ? 'https' : 'http'}://${name}:${port}`)
  return { base: origin, forOthers: !everywhere && !isLoopback(host) }
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host)
