/** Successful responses without the requested data: no operation of these nodes treats one as a success. */
import should from 'should'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import deposit from '../../../nodes/deposit/deposit'
import { fields as depositFields } from '../../../nodes/deposit/deposit.fields'
import archive from '../../../nodes/archive/archive'
import depositCancel from '../../../nodes/deposit-cancel/deposit-cancel'
import depositTerminate from '../../../nodes/deposit-terminate/deposit-terminate'
import document from '../../../nodes/document/document'
import { fields as documentFields } from '../../../nodes/document/document.fields'
import session from '../../../nodes/identification-session/identification-session'
import { fields as sessionFields } from '../../../nodes/identification-session/identification-session.fields'
import sharing from '../../../nodes/share/share'
import { fields as shareFields } from '../../../nodes/share/share.fields'
import shareCreate from '../../../nodes/share-create/share-create'
import { until } from '../../support/time'
import { startFlow, stopFlow } from '../../support/flow'
import { startStreamServer, type StreamServer } from '../../support/servers/stream-server'
import type { NodeModuleLike } from '../../support/node-types'
import { sentence } from '../../support/wording'

interface Row {
  readonly type: string
  readonly module: NodeModuleLike
  readonly settings: object
  readonly payload?: unknown
  /** The bodies in the list below that contain enough. */
  readonly good: readonly string[]
}

const bodies = ['', 'null', '[]', '"hi"', '{}']
const nothing = ['', 'null', '{}']
const list = ['[]']
const none: readonly string[] = []

const doc = (operation: string, good: readonly string[], settings: object = {}, payload?: unknown): Row => ({
  type: 'eid-document',
  module: document,
  settings: { operation, ...settings },
  payload,
  good,
})
const ids = (operation: string, good: readonly string[], settings: object = {}, payload?: unknown): Row => ({
  type: 'eid-identification-session',
  module: session,
  settings: { operation, ...settings },
  payload,
  good,
})
const shared = (operation: string, good: readonly string[], settings: object = {}, payload?: unknown): Row => ({
  type: 'eid-share',
  module: sharing,
  settings: { operation, ...settings },
  payload,
  good,
})
const rent = (operation: string, good: readonly string[], payload?: unknown): Row => ({
  type: 'eid-deposit',
  module: deposit,
  settings: { operation },
  payload,
  good,
})
const lease = {
  tenants: [{ info: { firstName: 'Ola', lastName: 'Nordmann' } }],
  landlord: { name: 'Kari Nordmann' },
  contract: { depositAmount: 27_000 },
}
const urls = { successUrl: 'https://a.example/s', abortUrl: 'https://a.example/a', errorUrl: 'https://a.example/e' }
const signer = { externalSignerId: 'kari-1', signatureType: { mechanism: 'pkisignature' } }
const attachment = { title: 'Rules', fileName: 'rules.pdf', data: 'JVBERg==' }
const share = {
  information: { title: 'Slips', description: 'For May' },
  content: [{ id: 'slip-1', name: 'Slip', type: 'file' }],
  recipients: [
    {
      firstName: 'Ola',
      lastName: 'Nordmann',
      email: 'ola.nordmann@example.com',
      expires: new Date(Date.now() + 86_400_000).toISOString(),
      mobile: { countryCode: '47', number: '99999999' },
      uploads: ['slip-1'],
      authentication: [{ identityProvider: 'NO_EID_MOBILE' }],
    },
  ],
}

const rows: readonly Row[] = [
  doc('get', none),
  doc('status', none),
  doc('summary', none),
  doc('list', none),
  doc('cancel', nothing),
  doc('remind', nothing),
  doc('update', nothing, {}, { title: 'Another' }),
  doc('listSigners', list),
  doc('getSigner', none),
  doc('addSigner', none, {}, signer),
  doc('changeSigner', nothing, {}, { order: 2 }),
  doc('removeSigner', nothing),
  doc('listAttachments', list),
  doc('getAttachment', none),
  doc('addAttachment', none, {}, attachment),
  doc('changeAttachment', nothing, {}, { title: 'Other rules' }),
  doc('removeAttachment', nothing),
  doc('listNotifications', list),
  // No document is JSON.
  doc('download', none),
  {
    type: 'eid-archive',
    module: archive,
    settings: { archiveFolder: join(tmpdir(), 'eid-no-archive') },
    payload: undefined,
    good: none,
  },
  { type: 'eid-share-create', module: shareCreate, settings: {}, payload: share, good: none },
  shared('get', none),
  shared('list', list),
  shared('change', nothing, {}, { title: 'Another' }),
  shared('delete', nothing),
  shared('listRecipients', list),
  shared('getRecipient', none),
  shared('addRecipient', none, {}, share.recipients[0]),
  shared('changeRecipient', nothing, {}, { email: 'kari.nordmann@example.com' }),
  shared('removeRecipient', nothing),
  shared('notify', nothing),
  rent('create', none, lease),
  rent('get', none),
  rent('list', none),
  rent('change', nothing, { landlord: { ssn: '00000000000' } }),
  { type: 'eid-deposit-cancel', module: depositCancel, settings: {}, good: nothing },
  {
    type: 'eid-deposit-terminate',
    module: depositTerminate,
    settings: { category: 'TENANT', username: 'kari' },
    good: nothing,
  },
  ids('create', none, { flow: 'redirect', ...urls }),
  ids('get', none),
  ids('list', none),
  ids('invalidate', nothing),
  ids('create', none, { apiVersion: 'v1', flow: 'redirect', ...urls }),
  ids('create', none, { apiVersion: 'v1', flow: 'headless', phoneNumber: '+4799999999', dateOfBirth: '1990-01-01' }),
  ids('get', none, { apiVersion: 'v1' }),
  ids('list', none, { apiVersion: 'v1' }),
  ids('list', none, { apiVersion: 'v1', entryId: 's-1' }),
  ids('invalidate', nothing, { apiVersion: 'v1' }),
]

describe('an answer without what was asked for', () => {
  let server: StreamServer
  let body = ''
  before(async () => {
    server = await startStreamServer(({ response }) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(body)
    })
  })
  after(() => server.close())
  afterEach(stopFlow)

  it('is tried with every operation that a node offers', () => {
    const offered: readonly [type: string, choices: readonly string[]][] = [
      ['eid-document', documentFields.operation.choices],
      ['eid-identification-session', sessionFields.operation.choices],
      ['eid-share', shareFields.operation.choices],
      ['eid-deposit', depositFields.operation.choices],
    ]
    for (const [type, choices] of offered) {
      const own = rows.filter((row) => row.type === type).map(({ settings }) => settings)
      const tried = own.map((settings) => ('operation' in settings ? settings.operation : undefined))
      should(choices.filter((one) => !tried.includes(one))).deepEqual([], type)
    }
  })

  for (const { type, module, settings, payload, good } of rows) {
    it(`${type} ${Object.values(settings).join(' ')}`, async () => {
      const flow = await startFlow({ type, module, settings, client: { baseUrl: server.url, retries: 0 } })
      const found: [string, string][] = []
      for (body of bodies) {
        const all = {
          documentId: 'd-1',
          sessionId: 's-1',
          depositId: 'p-1',
          signerId: 'n-1',
          attachmentId: 'a-1',
          shareId: 'x-1',
          recipientId: 'r-1',
        }
        flow.send({ ...all, payload })
        const { out } = await until(() => {
          const arrived = flow.waiting()
          return arrived.out + arrived.caught > 0 && arrived
        })
        if (out > 0) await flow.next()
        const { code, cause } = out > 0 ? { code: 'done', cause: { outcome: '' } } : (await flow.caught()).error
        const ended = `${code} ${String(cause.outcome)}`.trim()
        found.push([body, ended])
      }
      const expected = bodies.map((one) => [one, good.includes(one) ? 'done' : 'EID_SERVICE unknown'])
      should(found).deepEqual(expected)
    })
  }

  it('is about a signer who was not requested', async () => {
    const settings = { operation: 'addSigner' }
    const flow = await startFlow({
      type: 'eid-document',
      module: document,
      settings,
      client: { baseUrl: server.url, retries: 0 },
    })
    body = JSON.stringify({ id: 'n-1', externalSignerId: 'ola-1' })
    flow.send({ documentId: 'd-1', payload: signer })
    const { error } = await flow.caught()
    should(error).match({
      code: 'EID_SERVICE',
      cause: { outcome: 'unknown', path: '/signature/documents/d-1/signers' },
    })
    should(error.message).endWith(sentence('client', 'outcomes.unknownOf', { what: 'document d-1' }))
    body = JSON.stringify({ id: 'n-1', externalSignerId: signer.externalSignerId })
    flow.send({ documentId: 'd-1', payload: signer })
    should(await flow.next()).have.property('signerId', 'n-1')
  })
})
