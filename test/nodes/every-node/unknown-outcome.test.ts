/** The error of a change that may have been made: which contract it was, whether it was made, and what to do. */
import should from 'should'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import createDocument from '../../../nodes/create-document/create-document'
import deposit from '../../../nodes/deposit/deposit'
import cancel from '../../../nodes/deposit-cancel/deposit-cancel'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

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
    should(error.message).match(/It may have been done: check “Lease of .*” \(key lease-2031\) before you send/)
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
    should(named.message).match(/check the key L-7 before/)
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
    should(secret.message).match(/It may have been done: check before/)
  })

  it('is named by the id in its path where it has no other name', async () => {
    const error = await failing('eid-deposit-cancel', cancel, {}, { depositId: 'deposit-new-1' }, 'cancelDeposit')
    should(error.message).match(/check deposit deposit-new-1 before you send the message again\.$/)
  })
})
