/** A list that was tried out in the sandbox: at the live service its rows are new, and what is live stays done. */
import { join } from 'node:path'
import should from 'should'
import create from '../../../nodes/create-document/create-document'
import { startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import { root } from '../../support/house'
import { startService, type Service } from '../../support/service'

const credentials = { clientId: 'sandbox', clientSecret: 'sandbox' }
const contract = {
  ...{ z: 'f', type: 'eid-create-document', wires: [['n']], title: 'Lease {Name}', contactEmail: 'kari@example.com' },
  ...{ file: join(root, 'test/fixtures/contract.pdf'), fileType: 'path', signersType: 'form' },
  signersRows: [{ firstName: '{Name}', email: 'ola.nordmann@example.com', notification: 'off' }],
}

describe('a list that was tried out in the sandbox', () => {
  let sandbox: Service
  let live: Service
  let flow: BatchFlow
  before(async () => {
    sandbox = await startService()
    live = await startService()
  })
  after(async () => {
    await sandbox.close()
    await live.close()
  })
  afterEach(removeFlow)

  const start = async () => {
    flow = await startBatch(
      { key: '{Name}', keyType: 'tpl', wires: [['create'], ['out1']] },
      {
        modules: [create],
        client: { environment: 'sandbox', baseUrl: sandbox.url },
        credentials,
        more: [
          { id: 'c2', type: 'eid-client', environment: 'live', baseUrl: live.url, retries: 0 },
          { id: 'create', client: 'c', ...contract },
        ],
        moreSecrets: { c2: credentials },
      },
    )
  }
  const made = async (service: Service) => (await service.requests('createDocument')).length
  const send = async () => {
    flow.send({ batchId: 'May', payload: [{ Name: 'Ola' }, { Name: 'Kari' }] })
    return (await flow.report()).payload
  }

  it('is sent again to the live service, once, and not sent again when the sandbox comes back', async () => {
    await start()
    should(await send()).have.properties({ done: 2, failed: 0 })
    await send()
    should(await made(sandbox)).equal(2)
    await flow.redeploy({ client: 'c2' }, 'create')
    should(await send()).have.properties({ done: 2, failed: 0 })
    should(await made(live)).equal(2)
    should(flow.warnings.join()).containEql('2 rows of the list May were done in the sandbox.')
    await send()
    should(await made(live)).equal(2)
    // Tried out once more: what is live stays done.
    await flow.redeploy({ client: 'c' }, 'create')
    should(await send()).have.properties({ done: 2, failed: 0 })
    await flow.redeploy({ client: 'c2' }, 'create')
    await send()
    should([await made(sandbox), await made(live)]).deepEqual([2, 2])
  })
})
