/** Ended items in the sidebar tab of a real Node-RED: who may read them, and who gets the signed file. */
import should from 'should'
import { hasFile } from '../../plugins/sidebar/server/done'
import type { SidebarView } from '../../plugins/sidebar/view'
import type { EndedItem } from '../../lib/runtime/monitor/ended'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { act } from '../support/parties'
import { json, startRed, type RedProcess } from '../support/node-red/inspected'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'

const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })

describe('what has ended, in the sidebar tab', () => {
  let service: Service
  let red: RedProcess
  const flows = (baseUrl = service.url) => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', name: 'ours', baseUrl, retries: 0 },
    { ...place('in'), type: 'http in', url: '/run', method: 'post', wires: [['create']] },
    { ...place('create'), type: 'eid-create-document', client: 'c', wires: [['wait', 'out']] },
    { ...place('wait'), type: 'eid-wait', client: 'c', pollInterval: '0.05', maxInterval: '0.2', wires: [[], [], []] },
    { ...place('out'), type: 'http response', wires: [] },
  ]
  before(async () => {
    service = await startService()
    red = await startRed({ flows: flows(), people: { reader: 'read', writer: '*' } })
  })
  after(async () => {
    await red?.stop()
    await service?.close()
  })

  const view = async (done = 10, who = 'reader') => {
    const answer = await red.admin(`/eid/sidebar?rows=10&done=${done}`, { headers: await red.logIn(who) })
    should(answer.status).equal(200)
    return ((await answer.json()) as SidebarView).done
  }
  const sign = async (title: string) => {
    const body = {
      title,
      externalId: `key-${title}`,
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
      signers: [
        {
          externalSignerId: 'ola-1',
          signerInfo: { firstName: 'Ola', lastName: 'Nordmann' },
          redirectSettings: { redirectMode: 'donot_redirect' },
          signatureType: { mechanism: 'pkisignature' },
        },
      ],
    }
    const made = (await (await fetch(`${red.url}/run`, json(body))).json()) as { signers: { url: string }[] }
    await act(made.signers[0]?.url ?? '')
    return until(async () => (await view()).rows.find((one) => one.title === title))
  }
  const file = async (wait: string, who = 'writer') =>
    red.admin(`/eid/sidebar/done/${wait}`, { headers: await red.logIn(who) })

  it('is listed with its names, and gives the signed file to people who may write', async () => {
    const row = await sign('Lease 1')
    should(row).match({ outcome: 'signed', kind: 'document', hasFile: true, node: 'wait', client: 'c' })
    should(row.who).deepEqual([{ name: 'Ola Nordmann', done: true }])
    should((await file(row.wait, 'reader')).status).equal(401)
    const answer = await until(async () => {
      const got = await file(row.wait)
      return got.status === 200 ? got : undefined
    })
    should(answer.headers.get('content-disposition')).equal('attachment')
    should(answer.headers.get('x-content-type-options')).equal('nosniff')
    should((await answer.arrayBuffer()).byteLength).be.above(10)
    // The list contains no signing link.
    should(JSON.stringify(await view(10, 'writer'))).not.match(/"url"|jwt=/)
  })

  it('says why a file is not there, and distinguishes the rows from their number', async () => {
    const row = await sign('Lease 2')
    await service.fault({ operation: 'getDocumentStatus', kind: 'status', status: 404, body: {} })
    const answer = await file(row.wait)
    should(answer.status).equal(502)
    should(((await answer.json()) as { text: string }).text).match(/not found|does not/i)
    await service.fault({ operation: 'getDocumentStatus', kind: 'status', status: 404, body: {} })
    const norwegian = await file(`${row.wait}?lang=nb`)
    should(((await norwegian.json()) as { text: string }).text).match(/finnes ikke/)
    const { rows, count } = await view(1)
    should([rows.length, count]).deepEqual([1, 2])
    should((await view(0)).rows).deepEqual([])
  })

  it('is there after a deploy, and asks no other service for its file', async () => {
    const row = await sign('Lease 3')
    const other = await startService()
    const { headers, ...init } = json(flows(other.url))
    const writer = await red.logIn('writer')
    const answer = await red.admin('/flows', { ...init, headers: { ...headers, ...writer } })
    should(answer.status).equal(204)
    const kept = await until(async () => (await view()).rows.find((one) => one.wait === row.wait && !one.hasFile))
    should(kept).match({ title: 'Lease 3', outcome: 'signed' })
    should((await file(row.wait)).status).equal(404)
    should(await other.requests('getDocumentStatus')).deepEqual([])
    await other.close()
  })

  it('has no file if the sandbox has forgotten the document since', () => {
    const has = (service: string, when: number) => {
      const RED = { nodes: { getNode: () => ({ settings: { service } }) } } as unknown as Runtime
      return hasFile(RED, { kind: 'document', outcome: 'signed', when: new Date(when).toISOString() } as EndedItem)
    }
    const beforeStart = Date.now() - process.uptime() * 1000 - 60_000
    should(has('sandbox', beforeStart)).be.false()
    should(has('sandbox', Date.now() + 1000)).be.true()
    should(has('https://service.example', beforeStart)).be.true()
  })
})
