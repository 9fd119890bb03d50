/** Where a node's path is found from outside. */
import type { Runtime } from './node-red'

/** `/hooks/one` for `hooks/one/`, in the spelling in which requests come in: `/sign%C3%A9` for `/signé`. */
export function normalPath(path: string): string {
  return new URL(`http://any/${path.split('/').filter(Boolean).join('/')}`).pathname
}

/** One path below another. */
export const joinPaths = (root: string, path: string): string => normalPath(`${root}/${path}`)

/**
 * The address under which others reach `path`: `publicUrl` as it is when it has a path of its own, otherwise with
 * `httpNodeRoot` put in. Without a public address, the path below `own`; that is the path from the root of whatever
 * host it was reached at when there is none either.
 */
export function publicAddress(RED: Runtime, publicUrl: string, path: string, own = ''): string {
  const below = joinPaths(RED.settings.httpNodeRoot || '/', path)
  if (publicUrl === '') return own + below
  const base = publicUrl.replace(/\/+$/, '')
  const bare = URL.canParse(base) && new URL(base).pathname === '/'
  return base + (bare ? below : normalPath(path))
}

export interface OwnAddress {
  /** Scheme, host and port of this Node-RED; empty when they cannot be known. */
  readonly base: string
  /** Whether others can reach it there: a Node-RED that listens everywhere only knows how to find itself. */
  readonly forOthers: boolean
}

/**
 * What Node-RED itself knows of its address: where its server listens, and the settings `uiHost`, `uiPort`
 * and `https`.
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
