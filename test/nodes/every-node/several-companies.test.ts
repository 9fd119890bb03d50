/**
 * One subflow for several companies: the client of each instance makes the calls, and errors reach the tab of the
 * instance.
 */
import should from 'should'
import { createRequire } from 'node:module'
import type { NodeModule } from '../../../lib/runtime/node/api-node'
import create from '../../../nodes/create-document/create-document'
import { readExample } from '../../support/house'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

interface Item {
  readonly id: string
  readonly type: string
  readonly z?: string
  readonly name?: string
}

const flow = JSON.parse(readExample('Several companies')) as Item[]
const functions = createRequire(__filename)('@node-red/nodes/core/function/10-function.js') as NodeModule

describe('several companies', () => {
  let nord: Service
  let south: Service
  let running: Flow
  before(async () => ([nord, south] = await Promise.all([startService(), startService()])))
  after(() => Promise.all([nord.close(), south.close()]))
  afterEach(stopFlow)

  const idOf = (name: string) => flow.find((one) => one.name === name)?.id ?? ''
  const start = async (clients: object = {}) => {
    const subflow = flow.find(({ type }) => type === 'subflow')
    const addresses: Record<string, string> = { Sandbox: nord.url, 'Sandbox of Sør': south.url }
    const more = flow.flatMap((one) => {
      if (one.type === 'eid-client') return [{ ...one, baseUrl: addresses[one.name ?? ''], retries: 0, ...clients }]
      if (one === subflow || one.z === subflow?.id) return [one]
      return one.type === `subflow:${subflow?.id}` ? [{ ...one, z: 'f', wires: [['out0']] }] : []
    })
    running = await startFlow({ type: 'eid-create-document', module: create, modules: [functions], more })
  }
  const titles = async (service: Service) =>
    (await service.requests('createDocument')).map(({ body }) => (body as { title: string }).title)

  it('call with the client that each instance has chosen', async () => {
    await start()
    running.send({}, idOf('letter of Nord'))
    running.send({}, idOf('letter of Sør'))
    for (const _each of [1, 2]) should(await running.next()).have.property('documentId')
    should(await titles(nord)).deepEqual(['Letter of Nord AS'])
    should(await titles(south)).deepEqual(['Letter of Sør AS'])
  })

  it('report a client that does not work at the place of the instance', async () => {
    await start({ environment: 'live', baseUrl: '' })
    running.send({}, idOf('letter of Sør'))
    should((await running.caught()).error.code).equal('EID_CONFIG')
  })
})
