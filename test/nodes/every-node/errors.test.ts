/** Every error code, caught by a Catch node: the message is unchanged, and the outcome is true. */
import should from 'should'
import { inputError } from '../../../lib/api/errors/errors'
import { statusTextOf, toEidError } from '../../../lib/runtime/node-red/errors'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { createTranslate } from '../../../lib/runtime/node-red/texts'
import createNode from '../../../nodes/create-document/create-document'
import node from '../../../nodes/document/document'
import { startFlow, stopFlow, type Caught } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { saying } from '../../support/wording'

interface Case {
  readonly code: string
  readonly outcome: 'not-done' | 'unknown'
  readonly what: string
  readonly settings?: object
  readonly client?: object
  readonly credentials?: object
  readonly faults?: readonly Record<string, unknown>[]
  readonly msg?: object
  readonly says?: RegExp
  readonly cause?: object
}

const get = (fault: object) => [{ operation: 'getDocument', count: 9, ...fault }]
const refusal = { message: 'The request is invalid', errors: [{ field: 'Title', message: 'is too long' }] }
const slow = get({ kind: 'slow', delay: 3000 })

const cases: readonly Case[] = [
  { code: 'EID_CONFIG', outcome: 'not-done', what: 'no client', settings: { client: '' }, says: /choose a client/ },
  { code: 'EID_CONFIG', outcome: 'not-done', what: 'no address', client: { environment: 'live', baseUrl: '' } },
  {
    code: 'EID_CONFIG',
    outcome: 'not-done',
    what: 'http to another machine',
    client: { environment: 'live', baseUrl: 'http://service.example' },
    says: /https/,
  },
  { code: 'EID_CONFIG', outcome: 'not-done', what: 'no secret', client: { environment: 'live' }, says: /Client id/ },
  {
    code: 'EID_CONFIG',
    outcome: 'not-done',
    what: 'an unset ${NAME} in the client',
    client: { baseUrl: '${EID_NOT_SET}' },
    says: /EID_NOT_SET/,
  },
  {
    code: 'EID_CONFIG',
    outcome: 'not-done',
    what: 'an unset ${NAME} in the node',
    settings: { documentId: '${EID_NOT_SET}', documentIdType: 'str' },
    says: /EID_NOT_SET/,
  },
  {
    code: 'EID_INVALID_INPUT',
    outcome: 'not-done',
    what: 'no id',
    msg: { documentId: '' },
    says: /^Document id is missing: msg.documentId has no value. Nothing was sent.$/,
  },
  { code: 'EID_INVALID_INPUT', outcome: 'not-done', what: 'an id that leads elsewhere', msg: { documentId: '../x' } },
  {
    code: 'EID_CREDENTIALS',
    outcome: 'not-done',
    what: 'a wrong secret',
    credentials: { clientId: 'sandbox', clientSecret: 'wrong-secret' },
    cause: { status: 401 },
  },
  {
    code: 'EID_INVALID_SCOPE',
    outcome: 'not-done',
    what: 'a scope that the client does not have',
    client: { scopes: 'document_read identify' },
    credentials: { clientId: 'few', clientSecret: 'few' },
    says: /document_read, identify/,
  },
  {
    code: 'EID_UNAUTHORIZED',
    outcome: 'not-done',
    what: '401 with a new token too',
    faults: get({ kind: 'status', status: 401 }),
    cause: { status: 401, attempts: 2 },
  },
  {
    code: 'EID_FORBIDDEN',
    outcome: 'not-done',
    what: 'a missing scope',
    settings: { operation: 'download' },
    client: { scopes: 'document_read' },
    says: /document_file/,
    cause: { status: 403 },
  },
  {
    code: 'EID_NOT_FOUND',
    outcome: 'not-done',
    what: 'an unknown id',
    says: /^Document doc-1 was not found\. .* Check the id/,
    cause: { status: 404, path: '/signature/documents/doc-1' },
  },
  {
    code: 'EID_NOT_FOUND',
    outcome: 'not-done',
    what: 'an address that the service does not have',
    faults: get({ kind: 'status', status: 404, body: { message: 'Invalid path' } }),
    says: saying('client', 'errors.wrongPath', { done: '@outcomes.notDone' }),
    cause: { status: 404 },
  },
  {
    code: 'EID_REFUSED',
    outcome: 'not-done',
    what: 'a refusal',
    faults: get({
      kind: 'status',
      status: 422,
      body: {
        message: 'No way',
        code: 'SA-1',
        errors: [{ field: 'Title', message: 'wrong for ola.nordmann@example.com' }],
      },
    }),
    says: /^Refused: Title: wrong for … No way. Nothing was done.$/,
    cause: { status: 422, serviceCode: 'SA-1', errors: [{ field: 'Title', message: 'wrong for …' }] },
  },
  {
    code: 'EID_RATE_LIMITED',
    outcome: 'not-done',
    what: 'too many calls',
    faults: get({ kind: 'status', status: 429 }),
  },
  { code: 'EID_SERVICE', outcome: 'unknown', what: 'a failing service', faults: get({ kind: 'status', status: 500 }) },
  {
    code: 'EID_SERVICE',
    outcome: 'unknown',
    what: 'an answer that is not JSON',
    faults: get({ kind: 'malformed-json' }),
  },
  { code: 'EID_SERVICE', outcome: 'unknown', what: 'a redirect', faults: get({ kind: 'status', status: 302 }) },
  { code: 'EID_TIMEOUT', outcome: 'unknown', what: 'no answer in time', faults: slow, msg: { requestTimeout: 150 } },
  { code: 'EID_NETWORK', outcome: 'unknown', what: 'a closed connection', faults: get({ kind: 'close-before' }) },
  { code: 'EID_NETWORK', outcome: 'unknown', what: 'half an answer', faults: get({ kind: 'truncated' }) },
  { code: 'EID_NETWORK', outcome: 'not-done', what: 'nobody there', client: { baseUrl: 'http://127.0.0.1:9' } },
]

describe('errors', () => {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  for (const one of cases) {
    it(`${one.code}: ${one.what}`, async () => {
      const flow = await startFlow({
        type: 'eid-document',
        module: node,
        settings: one.settings,
        client: { baseUrl: service.url, ...one.client },
        credentials: one.credentials,
      })
      for (const fault of one.faults ?? []) await service.fault(fault)
      const msg = { documentId: 'doc-1', payload: { before: true }, topic: 'kept', ...one.msg }
      flow.send({ ...msg })
      const caught = await flow.caught()
      check(caught, one)
      should(caught).have.properties(msg)
      should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
      should(flow.statuses.at(-1)).have.properties({ fill: 'red', shape: 'ring' })
      should(JSON.stringify([caught, flow.statuses])).not.match(/wrong-secret|Bearer|Basic/)
    })
  }

  const shown: readonly [string, Case['settings'], object, Record<string, unknown> | undefined, string][] = [
    ['a missing id', {}, { documentId: '' }, undefined, 'not sent: document id'],
    ['an unknown id', {}, { documentId: 'doc-1' }, undefined, 'document not found'],
    ['no client', { client: '' }, {}, undefined, 'no client chosen'],
    ['a refused field', {}, {}, { kind: 'status', status: 422, body: refusal }, 'refused: title'],
    ['a failing service', {}, {}, { kind: 'status', status: 502 }, 'service failed (502)'],
    ['a broken connection', {}, {}, { kind: 'close-before' }, 'connection broke'],
  ]
  for (const [what, settings, msg, fault, text] of shown) {
    it(`are named below the node: ${what}`, async () => {
      const flow = await startFlow({ type: 'eid-document', module: node, settings, client: { baseUrl: service.url } })
      if (fault) await service.fault({ operation: 'getDocument', ...fault })
      flow.send({ documentId: 'doc-2', ...msg })
      await flow.caught()
      should(flow.statuses.at(-1)).have.property('text', text)
    })
  }

  it('are no "not sent" below the node once the message has made a call', () => {
    const RED = { _: (key: string) => key } as unknown as Runtime
    const translate = createTranslate(RED, 'document', {})
    const error = inputError([{ path: 'msg.documentId', key: 'missing' }])
    should(statusTextOf(toEidError(error, translate), translate)).startWith('not sent: ')
    should(statusTextOf(toEidError(error, translate, 1), translate)).startWith('refused: ')
  })

  it('are not final while the call is repeated, which is shown', async () => {
    const client = { baseUrl: service.url, retries: 2 }
    const flow = await startFlow({ type: 'eid-document', module: node, client })
    await service.fault({ operation: 'getDocument', kind: 'status', status: 503, count: 2 })
    flow.send({ documentId: 'doc-1' })
    should((await flow.caught()).error.code).equal('EID_NOT_FOUND')
    const texts = flow.statuses.map((one) => one.text)
    should(texts).containDeepOrdered(['requesting', 'trying again, 1 of 2', 'trying again, 2 of 2'])
  })

  it('have a cause that is data, and one short line as text', async () => {
    const flow = await startFlow({ type: 'eid-document', module: node, client: { baseUrl: service.url } })
    flow.send({ documentId: 'doc-1' })
    const { cause } = (await flow.caught()).error
    should(`${cause as unknown as string}`).match(/^not-done, 404, GET \/signature\/documents\/doc-1/)
    should(structuredClone(cause)).have.properties({ outcome: 'not-done', status: 404 })
    should(Object.getPrototypeOf(cause)).equal(Object.prototype)
  })

  it('EID_FAILED: the file of a document that was canceled is not waited for', async () => {
    const flow = await startFlow({
      type: 'eid-document',
      module: node,
      settings: { operation: 'download', waitUntilReady: true },
      client: { baseUrl: service.url },
      modules: [createNode],
      more: [
        { id: 'create', z: 'f', type: 'eid-create-document', client: 'c', wires: [['cancel']] },
        { id: 'cancel', z: 'f', type: 'eid-document', operation: 'cancel', client: 'c', wires: [['n']] },
      ],
    })
    const payload = {
      title: 'Canceled',
      externalId: 'canceled-1',
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
      signers: [
        {
          externalSignerId: 'ola-1',
          redirectSettings: { redirectMode: 'donot_redirect' },
          signatureType: { mechanism: 'pkisignature' },
        },
      ],
    }
    flow.send({ payload }, 'create')
    const caught = await flow.caught()
    should(caught.error.code).equal('EID_FAILED')
    should(caught.error.message).match(/canceled/)
  })
})

function check({ error }: Caught, { code, outcome, says, cause }: Case): void {
  should(error.code).equal(code)
  should(error.cause.outcome).equal(outcome)
  should(error.message).not.match(/__\w+__|@\w+\.\w+|errors\.|config\./)
  if (says) should(error.message).match(says)
  if (cause) should(error.cause).have.properties(cause)
}
