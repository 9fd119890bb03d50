/**
 * The public paths of nodes that are in the flows but do not answer now: they are disabled, or the flows are starting.
 * Their callers are asked to come back; 404 would tell them that the address is gone.
 */
import { normalPath } from '../../common/public-path'
import { flowPlaces } from '../node-red/flow-places'
import type { HttpRequest, HttpResponse, NodeConfig, Runtime } from '../node-red/node-red'

/** A type of node with a public path. */
export interface PublicType {
  readonly type: string
  readonly methods: readonly string[]
  /** The path of a node whose flow file has none. */
  readonly initialPath: string
  /** Answers a visitor of a page of this node with a page that says that it is paused. */
  page?(config: NodeConfig, request: HttpRequest, response: HttpResponse): void
}

/** Seconds after which a caller may try again. */
const retrySeconds = { disabled: 60, starting: 2 }

/** Answers a request with 503 if its path belongs, or may belong, to a paused node; false if it does not. */
type AnswerPaused = (method: string, request: HttpRequest, response: HttpResponse) => boolean

/** `types` may still grow after the call. */
export function pausedPaths(RED: Runtime, types: readonly PublicType[]): AnswerPaused {
  let known: readonly PausedPath[] | undefined
  const forget = () => void (known = undefined)
  for (const event of ['flows:stopping', 'flows:starting', 'flows:started'] as const) RED.events.on?.(event, forget)
  return (method, request, response) => {
    const { path } = request
    // The flows are read once after each change, because requests to other nodes come here too.
    known ??= readPaths(RED, types)
    // Node-RED listens before it has read its flows, so until then any call may be for a node.
    if (!known && method === 'post') {
      askToReturn(response, retrySeconds.starting).end('paused')
      return true
    }
    const found = known?.find((one) => one.methods.includes(method) && `${path}/`.startsWith(`${one.path}/`))
    if (!found) return false
    const seconds = found.isDisabled ? retrySeconds.disabled : retrySeconds.starting
    askToReturn(response, seconds)
    if (found.page && method === 'get') {
      // The browser tries again by itself.
      response.set({ Refresh: String(seconds) })
      found.page(found.config, request, response)
    } else response.end('paused')
    return true
  }
}

function askToReturn(response: HttpResponse, seconds: number): HttpResponse {
  return response.status(503).set({ 'Cache-Control': 'no-store', 'Retry-After': String(seconds) })
}

interface PausedPath extends Pick<PublicType, 'methods' | 'page'> {
  readonly path: string
  readonly config: NodeConfig
  readonly isDisabled: boolean
}

/** The paths of all nodes of these types in the flows; undefined while Node-RED has not read its flows. */
function readPaths(RED: Runtime, types: readonly PublicType[]): PausedPath[] | undefined {
  try {
    return [...flowPlaces(RED).values()].flatMap(({ config, isDisabled }) => {
      const kind = types.find(({ type }) => type === config.type)
      const path = typeof config.path === 'string' ? config.path : kind?.initialPath
      return kind && path ? [{ ...kind, path: normalPath(path), config, isDisabled }] : []
    })
  } catch {
    return undefined
  }
}
