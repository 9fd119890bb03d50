/** The error of a change that may have been made: which contract it was, whether it was made, and what to do. */
import should from 'should'
import { onOccurrence } from '../../../lib/runtime/monitor/occurrences'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import createDocument from '../../../nodes/create-document/create-document'
import deposit from '../../../nodes/deposit/deposit'
import cancel from '../../../nodes/deposit-cancel/deposit-cancel'
import terminate from '../../../nodes/deposit-terminate/deposit-terminate'
import document from '../../../nodes/document/document'
import session from '../../../nodes/identification-session/identification-session'
import share from '../../../nodes/share/share'
import createShare from '../../../nodes/share-create/share-create'
import { RED } from '../../support/errors'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { saying, sentence } from '../../support/wording'

describe('a change that may have been done', () => {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  const failing = async (
    type: string,
    module: typeof cancel,
    settings: object,
    msg: FlowMessage,
    operation: string,
  ) => {
    const flow = await startFlow({ type, module, settings, client: { baseUrl: service.url, retries: 0 } })
    await service.fault({ kind: 'close-after', operation, count: 9 })
    flow.send(msg)
    const { error } = await flow.caught()
    should(error.cause.outcome).equal('unknown')
    return error
  }

  describe('is sent once when the service acts and a gateway then answers 503 with Retry-After', () => {
    const person = { firstName: 'Ola', lastName: 'Nordmann', email: 'ola@example.com' }
    const recipient = {
      mobile: { countryCode: '47', number: '99999999' },
      expires: new Date(Date.now() + 86_400_000).toISOString(),
      authentication: [{ identityProvider: 'NO_EID_MOBILE' }],
      uploads: ['lease'],
    }
    const lease = {
      information: { title: 'Lease', description: 'For 2031' },
      content: [{ id: 'lease', name: 'Lease', type: 'file' }],
      recipients: [Object.assign(recipient, person)],
    }
    const redirect = 'https://example.com/'
    const redirectSettings = { successUrl: redirect, abortUrl: redirect, errorUrl: redirect }
    const documentId = 'document-unsigned'
    const calls: [string, string, typeof cancel, object, FlowMessage][] = [
      ['createBucket', 'eid-share-create', createShare, {}, { payload: lease }],
      ['createSession', 'eid-identification-session', session, {}, { payload: { flow: 'redirect', redirectSettings } }],
      ['remindDocument', 'eid-document', document, { operation: 'remind' }, { documentId }],
      ['addSigner', 'eid-document', document, { operation: 'addSigner', ...person }, { documentId }],
    ]
    for (const [operation, type, module, settings, msg] of calls) {
      it(operation, async () => {
        const flow = await startFlow({ type, module, settings, client: { baseUrl: service.url, retries: 3 } })
        await service.fault({ operation, kind: 'status', status: 503, retryAfter: '0', after: true, count: 9 })
        flow.send(msg)
        should((await flow.caught()).error).match({ code: 'EID_SERVICE', cause: { outcome: 'unknown', attempts: 1 } })
        should(await service.requests(operation)).have.length(1)
      })
    }
  })

  it('is named by the title and the key of the request, without people', async () => {
    const payload = {
      title: 'Lease of Ola Nordmann',
      externalId: 'lease-2031',
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { base64Content: 'aGk=', fileName: 'lease.txt' },
      signers: [
        {
          externalSignerId: 'ola-1',
          signerInfo: { firstName: 'Ola', lastName: 'Nordmann' },
          signatureType: { mechanism: 'pkisignature' },
          redirectSettings: { redirectMode: 'donot_redirect' },
        },
      ],
    }
    const error = await failing('eid-create-document', createDocument, {}, { payload }, 'createDocument')
    should(error.cause).match({ title: /^Lease of/, externalId: 'lease-2031' })
    should(error.message).match(
      saying('client', 'outcomes.unknownOf', { what: '@subjects.titleAndKey', key: 'lease-2031' }),
    )
    should(JSON.stringify([error.message, error.cause])).not.match(/Nordmann|kari/)
  })

  it('is named by the key that the message carries, but for one that is an address', async () => {
    const body = { landlord: { name: 'x' }, contract: { depositAmount: 1 } }
    const payload = { ...body, tenants: [{ info: { firstName: 'Ola', lastName: 'Nordmann' } }] }
    const named = await failing(
      'eid-deposit',
      deposit,
      { operation: 'create' },
      { payload, externalId: 'L-7' },
      'createDeposit',
    )
    should(named.cause).have.property('externalId', 'L-7')
    should(named.message).containEql(sentence('client', 'outcomes.unknownOf', { what: 'the key L-7' }))
    await stopFlow()
    const externalId = 'ola@example.com'
    const secret = await failing(
      'eid-deposit',
      deposit,
      { operation: 'create' },
      { payload, externalId },
      'createDeposit',
    )
    should(JSON.stringify([secret.message, secret.cause])).not.containEql('ola@')
    should(secret.message).containEql(sentence('client', 'outcomes.unknown'))
  })

  it('is named by the id in its path where it has no other name', async () => {
    const error = await failing('eid-deposit-cancel', cancel, {}, { depositId: 'deposit-new-1' }, 'cancelDeposit')
    should(error.message).endWith(sentence('client', 'outcomes.unknownOf', { what: 'deposit deposit-new-1' }))
  })

  describe('is not named by an earlier document on the message', () => {
    const lease = { documentId: 'doc-1', externalId: 'lease-2031', payload: { documentId: 'doc-1', title: 'Lease' } }
    const tenant = { category: 'TENANT', username: 'u' }
    const redirect = 'https://example.com/'
    const redirectSettings = { successUrl: redirect, abortUrl: redirect, errorUrl: redirect }
    const unnamed = { flow: 'redirect', redirectSettings }
    const named = { ...unnamed, externalReference: 'Ola Nordmann' }
    const row = { documentId: 'doc-1', title: 'Lease', externalId: 'lease-2031' }
    const deposits = { depositId: 'dep-9' }
    const other = { operation: 'cancel', documentId: 'd-2', documentIdType: 'str' }
    const calls: [string, typeof cancel, object, FlowMessage, string, RegExp][] = [
      ['deposit-cancel', cancel, {}, deposits, 'cancelDeposit', /check deposit dep-9 before/],
      [
        'deposit-terminate',
        terminate,
        {},
        { ...deposits, payload: tenant },
        'terminateDeposit',
        /deposit dep-9 before/,
      ],
      [
        'deposit-cancel',
        cancel,
        {},
        { ...deposits, payload: { ...row, ...deposits } },
        'cancelDeposit',
        /deposit dep-9 before/,
      ],
      [
        'deposit-cancel',
        cancel,
        {},
        { ...deposits, payload: { ...row, id: 'dep-9' } },
        'cancelDeposit',
        /deposit dep-9 before/,
      ],
      ['share', share, { operation: 'delete' }, { shareId: 'sh-9' }, 'deleteShare', /check share sh-9 before/],
      ['document', document, other, {}, 'cancelDocument', /document d-2 before/],
      ['identification-session', session, {}, { payload: named }, 'createSession', /done: check before/],
      ['identification-session', session, {}, { payload: unnamed }, 'createSession', /done: check before/],
    ]
    for (const [type, module, settings, msg, operation, expected] of calls) {
      it(`${operation}: ${expected.source}`, async () => {
        const error = await failing(`eid-${type}`, module, settings, { ...lease, ...msg }, operation)
        should(error.message).match(expected)
        should(JSON.stringify([error.message, error.cause])).not.match(/lease-2031|Lease|Nordmann/)
        const occurred: unknown[] = []
        onOccurrence(RED, (one) => occurred.push(one))()
        const about = JSON.stringify(occurred.at(-1))
        should(about).not.containEql('lease-2031')
        if (type !== 'identification-session') should(about).not.containEql('doc-1')
      })
    }

    it('is not named by a row for the deposit and its lease that also lists the tenants', async () => {
      for (const ids of [deposits, { id: 'dep-9', contract: {} }, { id: 'dep-9', contract: {}, title: undefined }]) {
        const msg = { ...deposits, payload: { ...row, ...ids, tenants: [{ name: 'Ola' }] } }
        const error = await failing('eid-deposit-cancel', cancel, {}, msg, 'cancelDeposit')
        should(JSON.stringify([error.message, error.cause])).not.match(/lease-2031|Lease/)
        await stopFlow()
      }
    })
  })
})
