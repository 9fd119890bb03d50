/** "Look now" and "Send again" on an error that leaves open whether a document was created, in a real Node-RED. */
import should from 'should'
import type { SidebarView } from '../../plugins/sidebar/view'
import { json, startRed, type RedProcess } from '../support/node-red/inspected'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'

const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })

describe('an error that leaves open whether a document was created', function () {
  this.timeout(60_000)
  let service: Service
  let red: RedProcess
  const flows = () => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', name: 'ours', baseUrl: service.url, retries: 0 },
    { ...place('in'), type: 'http in', url: '/run', method: 'post', wires: [['create', 'out']] },
    { ...place('create'), type: 'eid-create-document', client: 'c', wires: [[]] },
    { ...place('out'), type: 'http response', wires: [] },
  ]
  before(async () => {
    service = await startService()
    red = await startRed({ flows: flows(), people: { reader: 'read', writer: '*' } })
  })
  beforeEach(() => service.reset())
  after(async () => {
    await red?.stop()
    await service?.close()
  })

  const post = async (path: string, body: object, who = 'writer') => {
    const { headers, ...init } = json(body)
    return red.admin(path, { ...init, headers: { ...headers, ...(await red.logIn(who)) } })
  }
  const press = async (action: 'look' | 'sendAgain', id: string) =>
    (await (await post('/eid/sidebar/troubles', { id, action })).json()) as { ok: boolean; text: string }
  const trouble = async (key: string) => {
    const answer = await red.admin('/eid/sidebar', { headers: await red.logIn('reader') })
    return ((await answer.json()) as SidebarView).troubles.find(({ text }) => text.includes(key))
  }
  /** Makes a creation fail, before or after the service has acted. */
  const fail = async (key: string, kind: 'close-before' | 'close-after') => {
    await service.fault({ kind, operation: 'createDocument', count: 1 })
    // The node itself would look, and find out.
    await service.fault({ kind: 'status', operation: 'listDocuments', status: 503, count: 1 })
    const body = {
      title: 'Lease',
      externalId: key,
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
    }
    await fetch(`${red.url}/run`, json(body))
    return until(() => trouble(key))
  }
  const created = async (key: string) => {
    const calls = await service.requests('createDocument')
    return calls.filter(({ body }) => JSON.stringify(body).includes(key)).length
  }

  it('is looked at, and is not sent again when the document exists', async () => {
    const { id, canLook, canSend, outcome } = await fail('lease-1', 'close-after')
    should({ canLook, canSend, outcome }).deepEqual({ canLook: true, canSend: undefined, outcome: 'unknown' })
    should(await press('look', id)).match({ ok: true, text: /has this document/ })
    should(await trouble('lease-1')).not.have.property('canSend')
    should(await press('sendAgain', id)).match({ ok: false, text: /has this document/ })
    should(await created('lease-1')).equal(1)
  })

  it('is sent again when the document does not exist, once, also when two people press', async () => {
    const { id } = await fail('lease-2', 'close-before')
    should(await press('look', id)).match({ ok: true, text: /not created. You can send/ })
    should(await trouble('lease-2')).have.property('canSend', true)
    const [first, second] = await Promise.all([press('sendAgain', id), press('sendAgain', id)])
    should([first?.ok, second?.ok]).deepEqual([true, true])
    await until(async () => (await created('lease-2')) === 2)
    should(await trouble('lease-2')).be.undefined()
    should((await press('sendAgain', id)).ok).be.true()
    should(await created('lease-2')).equal(2)
  })

  it('cannot be looked at by a person who may only read', async () => {
    const { id } = await fail('lease-3', 'close-before')
    should((await post('/eid/sidebar/troubles', { id, action: 'look' }, 'reader')).status).equal(401)
    should(await trouble('lease-3')).have.property('canLook', true)
  })

  it('can be looked at when its message is no longer there, as after a restart', async () => {
    const { id } = await fail('lease-4', 'close-before')
    for (let other = 0; other < 10; other++) await fail(`other-${other}`, 'close-before')
    should(await press('look', id)).match({ ok: true, text: /start the flow for it again/ })
    should(await trouble('lease-4')).not.have.property('canSend')
    should(await press('sendAgain', id)).match({ ok: false, text: /no longer available/ })
    should(await created('lease-4')).equal(1)
  })
})
