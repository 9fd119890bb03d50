/**
 * A real Node-RED is stopped and started again, with its usual store on disk: the items of "wait" are still there.
 *
 * @rest
 */
import should from 'should'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startRuntime, type NodeRedProcess } from '../../support/node-red/installed'
import { temporaryFolder } from '../../support/temporary-folder'
import { linkPackage } from '../../support/node-red/user-folder'
import { act, startParties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'

describe('when Node-RED is stopped and started', () => {
  const folder = temporaryFolder()
  const handled: string[] = []
  const collector = createServer((request, response) => {
    request.resume()
    handled.push(request.url ?? '')
    response.end()
  })
  let service: Service
  let red: NodeRedProcess | undefined

  before(async () => {
    service = await startService()
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    linkPackage(folder.path)
  })
  after(async () => {
    await red?.stop()
    collector.close()
    await service.close()
    folder.remove()
  })

  /** A call to `/wait/<id>` starts a wait; its end is reported to the collector. */
  const start = async () => {
    const at = (id: string) => ({ id, z: 'f', x: 1, y: 1 })
    const toCollector = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/{{documentId}}`
    const wait = { type: 'eid-wait', client: 'c', pollInterval: '0.1', maxInterval: '0.3' }
    const flows = [
      { id: 'f', type: 'tab', label: 'test' },
      { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
      { ...at('in'), type: 'http in', method: 'get', url: '/wait/:id', wires: [['take', 'out']] },
      { ...at('out'), type: 'http response', wires: [] },
      {
        ...at('take'),
        type: 'function',
        outputs: 1,
        func: 'return { documentId: msg.req.params.id }',
        wires: [['wait']],
      },
      { ...at('wait'), ...wait, wires: [['tell'], [], []] },
      { ...at('tell'), type: 'http request', method: 'GET', url: toCollector, ret: 'txt', wires: [[]] },
    ]
    const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
    red = await startRuntime(installation, folder.path, flows)
    return red
  }

  it('resumes pending waits, and ends each once', async () => {
    const parties = await startParties(service)
    const documents = await Promise.all([1, 2, 3].map((number) => parties.createDocument(`stop-${number}`)))
    const ids = documents.map(({ documentId }) => `/${documentId}`).sort()
    const first = await start()
    for (const id of ids) should((await fetch(`${first.url}/wait${id}`)).status).equal(200)
    await until(async () => ((await service.requests('getDocumentStatus')).length > 5 ? true : undefined))
    await first.stop()
    for (const { signers } of documents) await act(signers[0]?.url ?? '')
    should(handled).deepEqual([])
    const second = await start()
    await until(() => handled.length === 3 || undefined)
    await second.stop()
    const third = await start()
    service.sandbox.world.requests.clear()
    should((await fetch(`${third.url}/wait${ids[0] ?? ''}`)).status).equal(200)
    await until(() => handled.length === 4 || undefined)
    // Ended waits are not polled again: the only request is for the new message.
    should(await service.requests('getDocumentStatus')).have.length(1)
    should(handled.slice(0, 3).sort()).deepEqual(ids)
  })
})
