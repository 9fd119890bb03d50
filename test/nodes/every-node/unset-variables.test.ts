/** A setting `${NAME}` whose variable is not set: the node starts, and its error names the variable. */
import should from 'should'
import alerts from '../../../nodes/alerts/alerts'
import batch from '../../../nodes/batch/batch'
import depositTerminate from '../../../nodes/deposit-terminate/deposit-terminate'
import document from '../../../nodes/document/document'
import embed from '../../../nodes/embed/embed'
import events from '../../../nodes/events/events'
import shareCreate from '../../../nodes/share-create/share-create'
import wait from '../../../nodes/wait/wait'
import { removeFlow, startFlow } from '../../support/flow'
import type { FlowMessage, NodeModuleLike } from '../../support/node-types'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'
import { saying } from '../../support/wording'

const unset = '${EID_NOT_SET}'

interface Case {
  readonly type: string
  readonly module: NodeModuleLike
  readonly settings?: object
  readonly names: readonly string[]
  /** Where the setting is: in the node, or in its client. */
  readonly client?: true
  /** Absent for a node that reports the error when it starts. */
  readonly msg?: FlowMessage
}

const split = { category: 'SPLIT', categoryType: 'str', username: 'kari', usernameType: 'str' }
const list = { payload: [{ number: 'C-1' }, { number: 'C-2' }] }
const ofClient = [
  'timeout',
  'retries',
  'concurrency',
  'scopes',
  'tokenUrl',
  'sharePaths',
  'uploadPath',
  'shareNames',
  'recipientFiles',
  'signatureOrigins',
  'identificationOrigins',
  'tls',
  'proxy',
]

const cases: readonly Case[] = [
  { type: 'batch', module: batch, names: ['pace', 'paceUnit', 'parallel', 'attempts', 'sheet'], msg: list },
  { type: 'batch', module: batch, names: ['pace'] },
  { type: 'events', module: events, names: ['interval'] },
  { type: 'embed', module: embed, names: ['timeoutSeconds'] },
  { type: 'alerts', module: alerts, names: ['overdueDays', 'digest', 'language', 'kinds', 'editorUrl'] },
  { type: 'alerts', module: alerts, settings: { digest: 'daily' }, names: ['at'] },
  { type: 'wait', module: wait, names: ['timeout', 'pollInterval'], msg: { documentId: 'doc-1' } },
  {
    type: 'wait',
    module: wait,
    settings: { timeoutType: 'msg' },
    names: ['timeout'],
    msg: { documentId: 'doc-1' },
  },
  ...['msg', 'flow', 'global', 'env'].map((titleType) => ({
    type: 'document',
    module: document,
    settings: { operation: 'list', titleType },
    names: ['title'],
    msg: {},
  })),
  {
    type: 'deposit-terminate',
    module: depositTerminate,
    settings: { category: 'TENANT', username: 'ola' },
    names: ['dryRun'],
    msg: { depositId: 'dep-1' },
  },
  {
    type: 'document',
    module: document,
    settings: { operation: 'download' },
    names: ['waitUntilReady'],
    msg: { documentId: 'doc-1' },
  },
  { type: 'document', module: document, settings: { operation: 'list' }, names: ['limit'], msg: {} },
  {
    type: 'deposit-terminate',
    module: depositTerminate,
    msg: { depositId: 'dep-1' },
    settings: { ...split, amountLandlord: '1', amountLandlordType: 'num' },
    names: ['amountTenant'],
  },
  { type: 'document', module: document, client: true, names: ofClient, msg: { documentId: 'doc-1' } },
  { type: 'wait', module: wait, client: true, names: ['timeout'], msg: { documentId: 'doc-1' } },
  { type: 'share-create', module: shareCreate, client: true, names: ['shareNames'], msg: { payload: {} } },
]

describe('a variable that is not set', () => {
  let service: Service
  before(async () => (service = await startService()))
  afterEach(removeFlow)
  after(() => service.close())

  for (const { type, module, settings, names, client, msg } of cases)
    for (const name of names)
      it(`is named: ${name} of ${client ? 'the client of ' : ''}${type}${msg ? '' : ', at the start'}`, async () => {
        const flow = await startFlow({
          type: `eid-${type}`,
          module,
          outputs: 3,
          settings: { ...settings, ...(!client && { [name]: unset }) },
          client: { baseUrl: service.url, ...(client && { [name]: unset }) },
        })
        const atStart = msg === undefined || (type === 'batch' && name !== 'sheet')
        if (atStart) should((await flow.caught()).error).have.property('code', 'EID_CONFIG')
        if (msg) {
          flow.send(msg)
          const { error } = await flow.caught()
          should(error.code).equal('EID_CONFIG')
          should(error.message).match(saying('client', 'config.env', { name: 'EID_NOT_SET' }))
        }
        await until(() => flow.statuses.some(({ text }) => text === 'not set: EID_NOT_SET'))
        should(flow.waitingAt(0)).equal(0)
        should(await service.requests()).be.empty()
      })
})
