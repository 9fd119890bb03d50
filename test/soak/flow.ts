/** The flow of the soak: every node, a collector on each output, a Catch and a Complete node. */
import { wordDocument } from '../support/files/word-document'
import type { Kind } from './plan'

interface Spot {
  readonly type: string
  readonly settings?: object
  readonly outputs?: number
  readonly credentials?: object
  /** The settings of the node that handles the rows of a batch. */
  readonly rowsTo?: object
}

const waiting = { pollInterval: '1', maxInterval: '2' }
const hook = { secret: 'hook-secret-7d1e' }
const rowsTo = { type: 'eid-deposit', operation: 'create' }
/** The contract of a row: its columns are in the title, in the key and in the Word file. */
const fromWord = {
  type: 'eid-create-document',
  title: 'Lease of {name}',
  titleType: 'tpl',
  externalId: '{key}',
  externalIdType: 'tpl',
  file: wordDocument(['Lease of {name}', ['The rent is {re', 'nt} kroner.']]).toString('base64'),
  fileType: 'base64',
  fileName: 'lease.docx',
  fileNameType: 'str',
  contactEmail: 'kari.nordmann@example.com',
  signersType: 'form',
  signersRows: [{ firstName: '{name}', email: '{email}', mechanism: 'pkisignature' }],
}
const document = (operation: string, settings: object = {}): Spot => ({
  type: 'eid-document',
  settings: { operation, ...settings },
})
const share = (operation: string): Spot => ({ type: 'eid-share', settings: { operation } })
const deposit = (operation: string): Spot => ({ type: 'eid-deposit', settings: { operation } })

const spots: Readonly<Record<Kind, Spot>> = {
  'create-document': { type: 'eid-create-document' },
  'create-from-word': { type: fromWord.type, settings: fromWord },
  'document-get': document('get'),
  'document-status': document('status'),
  'document-list': document('list', { externalId: 'key', externalIdType: 'msg' }),
  'document-download': document('download', { fileFormat: 'unsigned' }),
  'document-cancel': document('cancel', { reason: 'withdrawn' }),
  'document-remind': document('remind'),
  'document-deadline': document('update', { deadline: '5', deadlineType: 'days' }),
  'document-add-signer': document('addSigner'),
  'document-change-signer': document('changeSigner'),
  'document-add-attachment': document('addAttachment'),
  'session-create': { type: 'eid-identification-session' },
  'session-get': { type: 'eid-identification-session', settings: { operation: 'get' } },
  'session-list': { type: 'eid-identification-session', settings: { operation: 'list', limit: '1' } },
  'session-invalidate': { type: 'eid-identification-session', settings: { operation: 'invalidate' } },
  'share-create': { type: 'eid-share-create', settings: { seeEverything: true } },
  'share-upload': { type: 'eid-share-upload', outputs: 2 },
  'share-get': share('get'),
  'share-change': share('change'),
  'share-delete': share('delete'),
  'share-add-recipient': share('addRecipient'),
  'share-change-recipient': share('changeRecipient'),
  'share-notify': share('notify'),
  'deposit-create': deposit('create'),
  'deposit-get': deposit('get'),
  'deposit-change': deposit('change'),
  'deposit-cancel': { type: 'eid-deposit-cancel' },
  'deposit-terminate': { type: 'eid-deposit-terminate', settings: { category: 'TENANT', username: 'ola' } },
  request: { type: 'eid-request', settings: { method: 'POST', path: '/deposit/personal' } },
  wait: { type: 'eid-wait', outputs: 3, settings: waiting },
  'wait-files': { type: 'eid-wait', outputs: 3, settings: waiting },
  'wait-shared': { type: 'eid-wait', outputs: 3, settings: { ...waiting, shared: 's' } },
  embed: { type: 'eid-embed', outputs: 3, settings: { url: 'url' } },
  events: { type: 'eid-events', settings: { interval: 0.2, eventTypes: 'soak', acknowledge: 'on-delivery' } },
  webhook: { type: 'eid-webhook', credentials: hook },
  'webhook-shared': { type: 'eid-webhook', settings: { path: '/eid/webhook-shared', shared: 's' }, credentials: hook },
  batch: { type: 'eid-batch', outputs: 2, settings: { parallel: 2 }, rowsTo },
  'batch-shared': { type: 'eid-batch', outputs: 2, settings: { parallel: 2, shared: 's' }, rowsTo },
  'batch-from-file': { type: 'eid-batch', outputs: 2, settings: { parallel: 2 }, rowsTo: fromWord },
  pending: { type: 'eid-pending' },
}

/** The secret with which the webhook's calls are signed. */
export const hookSecret = hook.secret

interface ClientOptions {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Address of the database. */
  readonly database: string
}

/**
 * The flow in its version `round`. The names of the nodes contain it, so that a deploy restarts them; `clientRound`
 * does the same for the client.
 */
export function createFlow(options: ClientOptions, round: number, clientRound: number): object[] {
  const { baseUrl, database, ...credentials } = options
  const client = {
    id: 'c',
    type: 'eid-client',
    name: `client ${clientRound}`,
    baseUrl,
    timeout: 1,
    retries: 2,
    sharePaths: 'buckets',
  }
  const common = { name: `round ${round}`, client: 'c' }
  const nodes = Object.entries(spots).flatMap(
    ([kind, { type, settings, outputs = 1, credentials: own, rowsTo: row }]) => {
      const tab = row ? 'g' : 'f'
      const collectors = Array.from({ length: outputs }, (_none, output) => ({
        ...place(`${kind}/${output}`, tab),
        type: 'soak-out',
      }))
      const rows = `${kind}-row`
      const wires = collectors.map(({ id }, output) => (row && output === 0 ? [id, rows] : [id]))
      const secrets = own && { credentials: own }
      const working = row && [
        { ...place(rows, tab), ...common, ...row, wires: [[kind]] },
        { ...place(`${rows}-failed`, tab), type: 'catch', scope: [rows], uncaught: false, wires: [[kind]] },
      ]
      return [
        { ...place(kind, tab), ...common, type, ...settings, ...secrets, wires },
        ...collectors,
        ...(working ?? []),
      ]
    },
  )
  const lists = Object.entries(spots).flatMap(([kind, spot]) => (spot.rowsTo ? [kind] : []))
  return [
    { id: 'f', type: 'tab', label: 'soak' },
    { id: 'g', type: 'tab', label: 'soak of lists' },
    { id: 's', type: 'eid-store', address: database, takeOver: 2 },
    { ...client, concurrency: 16, credentials },
    ...nodes,
    ...beside,
    { ...place('catch'), type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
    { ...place('caught'), type: 'soak-out' },
    { ...place('catch-lists', 'g'), type: 'catch', scope: lists, uncaught: false, wires: [['caught-lists']] },
    { ...place('caught-lists', 'g'), type: 'soak-out' },
    {
      ...place('complete'),
      type: 'complete',
      scope: Object.keys(spots).filter((kind) => !lists.includes(kind)),
      wires: [['completed']],
    },
    { ...place('completed'), type: 'soak-out' },
  ]
}

/** Nodes that get no message: they watch the others. */
const beside = [
  { id: 'alerts', type: 'eid-alerts', digest: 'now' },
  { id: 'overview', type: 'eid-overview', path: '/contracts', mayAct: true },
].map((one) => ({ ...one, z: 'f', x: 1, y: 1, wires: [[]] }))

// Node-RED takes a node without a position on the canvas for a config node.
const place = (id: string, z = 'f') => ({ id, z, x: 1, y: 1 })
