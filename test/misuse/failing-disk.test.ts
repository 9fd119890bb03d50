/** Nodes while the disk is full: they accept nothing that they cannot write, and everything works again afterwards. */
import should from 'should'
import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import helper from 'node-red-node-test-helper'
import batch from '../../nodes/batch/batch'
import embed from '../../nodes/embed/embed'
import wait from '../../nodes/wait/wait'
import webhook from '../../nodes/webhook/webhook'
import { removeFlow, startFlow, type Flow, type FlowOptions } from '../support/flow'
import { faultyDisk } from '../support/faulty-disk'
import type { Parties } from '../support/parties'
import type { PublicSide } from '../support/public-site'
import type { Service } from '../support/service'
import { useSides } from '../support/service-and-site'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'

describe('a disk that fails', () => {
  let service: Service
  let parties: Parties
  let site: PublicSide
  let remove: () => void
  let userDir: string
  let disk: ReturnType<typeof faultyDisk>
  useSides((sides) => ({ service, parties, site } = sides))
  beforeEach(() => {
    const folder = temporaryFolder()
    ;({ remove, path: userDir } = folder)
    disk = faultyDisk()
    helper.settings({ userDir: folder.path })
  })
  afterEach(async () => {
    disk.works()
    await removeFlow()
    await until(() => !existsSync(join(userDir, 'eid', 'eid.sqlite-wal')))
    disk.remove()
    helper.settings({})
    remove()
  })

  const start = async (type: string, module: FlowOptions['module'], more: Partial<FlowOptions> = {}) => {
    const flow = await startFlow({
      type,
      module,
      modules: [site.module],
      outputs: 3,
      client: { baseUrl: service.url },
      credentials: { clientId: 'sandbox', clientSecret: 'sandbox' },
      ...more,
    })
    await until(() => existsSync(join(userDir, 'eid', 'eid-copy.sqlite')))
    return flow
  }
  /**
   * Sends a message that the node must refuse: it ends in the Catch node, the status shows the refusal, and nothing
   * leaves the node.
   */
  const shouldRefuse = async (flow: Flow, msg: Record<string, unknown>) => {
    flow.send({ ...msg, mark: 'of the test' })
    // The node also reports the trouble with the disk once, without a message.
    const reports = [await flow.caught()]
    if (reports[0]?.mark === undefined) reports.push(await flow.caught())
    should(reports.at(-1)).containEql({ ...msg, mark: 'of the test' })
    should(reports.at(-1)?.error.cause.outcome).equal('not-done')
    should(flow.waiting().out).equal(0)
    await until(() => flow.statuses.at(-1)?.fill === 'red')
  }

  it('makes the service send an event again, which then enters the flow once', async () => {
    const flow = await start('eid-webhook', webhook, { secrets: { secret: 'first' } })
    const body = '{"id":"e-1","type":"document_signed"}'
    const headers = { 'X-EID-Signature': createHmac('sha256', 'first').update(body).digest('hex') }
    const post = async () => (await fetch(`${site.url}/eid/webhook`, { method: 'POST', headers, body })).status
    disk.fail('ENOSPC')
    should(await post()).equal(503)
    should(flow.waiting().out).equal(0)
    disk.works()
    should([await post(), await post()]).deepEqual([204, 204])
    should((await flow.next()).eventId).equal('e-1')
    should(flow.waiting().out).equal(0)
  })

  it('makes no page for "embed", and then makes it', async () => {
    const { signers, documentId } = await parties.createDocument('lease')
    const flow = await start('eid-embed', embed, { settings: { url: 'url' } })
    const msg = { url: signers[0]?.url, documentId }
    disk.fail('ENOSPC')
    await shouldRefuse(flow, msg)
    disk.works()
    flow.send(msg)
    const address = site.url + new URL(String((await flow.next(2)).embedUrl), site.url).pathname
    should((await fetch(address)).status).equal(200)
  })

  it('lets nothing wait that is not written, and then lets it wait', async () => {
    const { documentId } = await parties.createDocument('lease')
    const flow = await start('eid-wait', wait)
    disk.fail('ENOSPC')
    await shouldRefuse(flow, { documentId })
    disk.works()
    flow.send({ documentId })
    await parties.call('POST', `/signature/documents/${documentId}/cancel?reason=moved`, {})
    should((await flow.next(1)).documentId).equal(documentId)
  })

  it('takes no list, and then takes it', async () => {
    const flow = await start('eid-batch', batch)
    const msg = { batchId: 'May', payload: [{ name: 'Ola' }] }
    disk.fail('ENOSPC')
    await shouldRefuse(flow, msg)
    disk.works()
    flow.send(msg)
    should((await flow.next(0)).payload).deepEqual({ name: 'Ola' })
  })
})
