/** The flow of the soak: every node, a collector on each output, a Catch and a Complete node. */
import type { Kind } from './plan'

interface Spot {
  readonly type: string
  readonly settings?: object
  readonly outputs?: number
  readonly credentials?: object
}

const spots: Readonly<Record<Kind, Spot>> = {
  'create-document': { type: 'eid-create-document' },
  'document-get': { type: 'eid-document' },
  'document-status': { type: 'eid-document', settings: { operation: 'status' } },
  'document-list': { type: 'eid-document', settings: { operation: 'list', externalId: 'key', externalIdType: 'msg' } },
  'document-download': { type: 'eid-document', settings: { operation: 'download', fileFormat: 'unsigned' } },
  'document-cancel': { type: 'eid-document', settings: { operation: 'cancel', reason: 'withdrawn' } },
  'document-remind': { type: 'eid-document', settings: { operation: 'remind' } },
  'session-create': { type: 'eid-identification-session' },
  'session-get': { type: 'eid-identification-session', settings: { operation: 'get' } },
  'session-list': { type: 'eid-identification-session', settings: { operation: 'list', limit: '1' } },
  'session-invalidate': { type: 'eid-identification-session', settings: { operation: 'invalidate' } },
  'share-create': { type: 'eid-share-create', settings: { seeEverything: true } },
  'share-upload': { type: 'eid-share-upload', outputs: 2, settings: { fileAs: 'path' } },
  'deposit-cancel': { type: 'eid-deposit-cancel' },
  'deposit-terminate': { type: 'eid-deposit-terminate', settings: { category: 'TENANT', username: 'ola' } },
  request: { type: 'eid-request', settings: { method: 'POST', path: '/deposit/personal' } },
  wait: { type: 'eid-wait', outputs: 3, settings: { pollInterval: '1', maxInterval: '2', store: 'files' } },
  embed: { type: 'eid-embed', outputs: 3, settings: { url: 'url' } },
  events: { type: 'eid-events', settings: { interval: 0.2, eventTypes: 'soak', acknowledge: 'on-delivery' } },
  webhook: { type: 'eid-webhook', settings: { store: 'files' }, credentials: { secret: 'hook-secret-7d1e' } },
}

/** What the webhook's calls are signed with. */
export const hookSecret = 'hook-secret-7d1e'

export interface ClientOptions {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * The flow in its version `round`: nodes are named after it, so that a deploy restarts them; `clientRound`
 * for the client.
 */
export function createFlow(options: ClientOptions, round: number, clientRound: number): object[] {
  const { baseUrl, ...credentials } = options
  const client = {
    id: 'c',
    type: 'eid-client',
    name: `client ${clientRound}`,
    baseUrl,
    timeout: 1,
    retries: 2,
    sharePaths: 'buckets',
  }
  const nodes = Object.entries(spots).flatMap(([kind, { type, settings, outputs = 1, credentials: own }]) => {
    const collectors = Array.from({ length: outputs }, (_none, output) => ({
      ...place(`${kind}/${output}`),
      type: 'soak-out',
    }))
    const wires = collectors.map(({ id }) => [id])
    const secrets = own && { credentials: own }
    return [
      { ...place(kind), name: `round ${round}`, type, client: 'c', ...settings, ...secrets, wires },
      ...collectors,
    ]
  })
  return [
    { id: 'f', type: 'tab', label: 'soak' },
    { ...client, concurrency: 16, credentials },
    ...nodes,
    { ...place('catch'), type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
    { ...place('caught'), type: 'soak-out' },
    { ...place('complete'), type: 'complete', scope: Object.keys(spots), wires: [['completed']] },
    { ...place('completed'), type: 'soak-out' },
  ]
}

// Without a place on the canvas Node-RED takes a node for a config node.
const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })
