/** The flow of a Node-RED that is killed again and again: a node for each kind of memory. */
import { approverRow, nins } from '../../support/approve-flow'
import { payslips } from '../../support/batch-flow'

export const hookSecret = 'of the webhook'
/** The public address in the settings; the test reaches the process at its own address. */
export const publicUrl = 'http://127.0.0.1:9'

const share = Object.assign({}, payslips, { title: 'payload.unit', titleType: 'msg' })

const collectors = [
  'listed',
  'row',
  'report',
  'hook',
  'event',
  'page',
  'final',
  'approved',
  'notices',
  'rejected',
].concat(['archived', 'alert', 'caught', 'done', 'ended', 'expired'])

export const credentials = {
  webhook: { secret: hookSecret },
  ca: { clientId: 'sandbox', clientSecret: 'sandbox' },
  approve: { approverIds: JSON.stringify({ per: nins.per, kari: nins.kari }) },
}

/** `archiveFolder` is where the signed documents go. */
export function flowWith(baseUrl: string, archiveFolder: string): Readonly<Record<string, unknown>>[] {
  const node = (id: string, type: string, settings: object, ...wires: string[][]) =>
    Object.assign({ id, z: 'f', type: `eid-${type}`, client: 'c', wires }, settings)
  const client = { type: 'eid-client', retries: 0, baseUrl }
  const list = { key: 'payload.unit', parallel: 2 }
  const approve = {
    what: '{payload}.',
    client: 'ca',
    approversRows: [approverRow('per', 'Per Hansen'), approverRow('kari', 'Kari Nordmann')],
    publicUrl,
  }
  return [
    { id: 'c', ...client },
    { id: 'ca', ...client, environment: 'live', scopes: 'identify' },
    node('wait', 'wait', { pollInterval: '0.1', maxInterval: '0.3' }, ['done'], ['ended'], ['expired']),
    node('pending', 'pending', {}, ['listed']),
    node('batch', 'batch', list, ['make', 'row'], ['report']),
    node('make', 'share-create', share, ['batch']),
    node('webhook', 'webhook', { path: '/hook' }, ['hook']),
    node('events', 'events', { interval: 0.1, eventTypes: 'deposit_fully_funded', acknowledge: 'on-delivery' }, [
      'event',
    ]),
    node('embed', 'embed', {}, [], ['final'], ['page']),
    node('approve', 'approve', approve, ['approved'], ['rejected'], ['rejected'], ['notices']),
    node('archive', 'archive', { operation: 'archive', archiveFolder, archiveAs: 'Lease' }, ['archived']),
    node('alerts', 'alerts', { client: '', kinds: 'canceled', digest: 'now' }, ['alert']),
    { id: 'catch', z: 'f', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
    ...collectors.map((id) => ({ id, z: 'f', type: 'helper' })),
  ]
}
