/** Two Node-REDs on one database: people press the button in both editors, and each document is reminded once. @rest */
import should from 'should'
import type { RemindedAnswer, SidebarView } from '../../plugins/sidebar/view'
import { startParties, type CreatedDocument } from '../support/parties'
import { json, startRed, type RedProcess } from '../support/node-red/inspected'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'

const documents = 10

const lease = (number: number) => ({
  title: `Lease ${number}`,
  externalId: `remind-${number}`,
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
  signers: [
    {
      externalSignerId: 'ola-1',
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
      signerInfo: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' },
    },
  ],
})

describe('two Node-REDs on one database, reminding of several documents at once', () => {
  let server: PostgresServer
  let service: Service
  const reds: RedProcess[] = []

  before(async () => {
    server = await startPostgres()
    service = await startService()
    const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })
    const flows = [
      { id: 'f', type: 'tab', label: 'Leases' },
      { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
      { id: 's', type: 'eid-store', address: server.url },
      { ...place('in'), type: 'http in', url: '/wait', method: 'post', wires: [['wait', 'out']] },
      {
        ...place('wait'),
        type: 'eid-wait',
        client: 'c',
        shared: 's',
        wires: [[], [], []],
        resourceId: 'payload.id',
        resourceIdType: 'msg',
      },
      { ...place('out'), type: 'http response', wires: [] },
    ]
    reds.push(...(await Promise.all([startRed({ flows }), startRed({ flows })])))
  })
  after(async () => {
    await Promise.all(reds.map((red) => red.stop()))
    await service?.close()
    await server?.stop()
  })

  it('sends one reminder for each', async () => {
    const parties = await startParties(service)
    for (let number = 0; number < documents; number++) {
      const { documentId } = await parties.call<CreatedDocument>('POST', '/signature/documents', lease(number))
      await fetch(`${reds[number % 2]?.url ?? ''}/wait`, json({ id: documentId }))
    }
    const waits = await until(async () => {
      const answer = (await (await reds[0]?.admin('/eid/sidebar?rows=99'))?.json()) as SidebarView
      return answer.waiting.rows.length === documents && answer.waiting.rows.map(({ wait }) => wait)
    })
    const press = async (red: RedProcess) => {
      const answer = (await (await red.admin('/eid/sidebar/remind', json({ waits }))).json()) as RemindedAnswer
      return answer.counts ?? {}
    }
    const counts = await Promise.all(reds.map(press))
    should(counts.reduce((sum, { reminded = 0 }) => sum + reminded, 0)).equal(documents)
    should(await service.requests('remindDocument')).have.length(documents)
    for (const red of reds) should(await press(red)).deepEqual({ earlier: documents })
    should(await service.requests('remindDocument')).have.length(documents)
  })
})
