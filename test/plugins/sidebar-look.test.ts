/** "Look now" and "Send again" for an error that leaves open whether a document was created, in a real Node-RED. */
import should from 'should'
import type { SidebarView } from '../../plugins/sidebar/view'
import { json, startRed, type RedProcess } from '../support/node-red/inspected'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'
import { saying, sentence } from '../support/wording'

const looked = (key: string) => sentence('sidebar', `look.${key}`)
const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })

describe('an error that leaves open whether a document was created', () => {
  let service: Service
  let other: Service
  let red: RedProcess
  const flows = () => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', name: 'ours', baseUrl: service.url, retries: 0 },
    { ...place('in'), type: 'http in', url: '/run', method: 'post', wires: [['create', 'out']] },
    { ...place('create'), type: 'eid-create-document', client: 'c', wires: [[]] },
    { ...place('out'), type: 'http response', wires: [] },
    { ...place('end'), type: 'http in', url: '/end', method: 'post', wires: [['cancel', 'out']] },
    {
      ...place('cancel'),
      type: 'eid-document',
      operation: 'cancel',
      documentId: 'payload.documentId',
      documentIdType: 'msg',
      client: 'c',
      wires: [[]],
    },
  ]
  before(async () => {
    service = await startService()
    other = await startService()
    red = await startRed({ flows: flows(), people: { reader: 'read', writer: '*' } })
  })
  beforeEach(() => service.reset())
  after(async () => {
    await red?.stop()
    await service?.close()
    await other?.close()
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
    // Without this fault, the node itself would look and find the answer.
    await service.fault({ kind: 'status', operation: 'listDocuments', status: 503, count: 1 })
    // Node-RED answers a deploy before the flow's routes exist.
    await until(async () => (await fetch(`${red.url}/run`, json(lease(key)))).ok)
    return until(() => trouble(key))
  }
  const lease = (key: string) => ({
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
  })
  const created = async (key: string) => {
    const calls = await service.requests('createDocument')
    return calls.filter(({ body }) => JSON.stringify(body).includes(key)).length
  }

  it('is looked at, and is not sent again when the document exists', async () => {
    const { id, canLook, canSend, outcome } = await fail('lease-1', 'close-after')
    should({ canLook, canSend, outcome }).deepEqual({ canLook: true, canSend: undefined, outcome: 'unknown' })
    should(await press('look', id)).match({ ok: true, text: looked('exists') })
    should(await trouble('lease-1')).be.undefined()
    should((await press('sendAgain', id)).ok).be.false()
    should(await created('lease-1')).equal(1)
  })

  it('is sent again when the document does not exist, once, also when two people press', async () => {
    const { id } = await fail('lease-2', 'close-before')
    should(await press('look', id)).match({ ok: true, text: looked('absent') })
    should(await trouble('lease-2')).have.property('canSend', true)
    const absent = sentence('client', 'outcomes.absentOf', { what: '“Lease” (key lease-2)' })
    should((await trouble('lease-2'))?.text).endWith(absent)
    const [first, second] = await Promise.all([press('sendAgain', id), press('sendAgain', id)])
    should([first?.ok, second?.ok]).deepEqual([true, true])
    await until(async () => (await created('lease-2')) === 2)
    should(await trouble('lease-2')).be.undefined()
    should((await press('sendAgain', id)).ok).be.true()
    should(await created('lease-2')).equal(2)
  })

  it('is refused to a person who may only read', async () => {
    const { id } = await fail('lease-3', 'close-before')
    should((await post('/eid/sidebar/troubles', { id, action: 'look' }, 'reader')).status).equal(401)
    should(await trouble('lease-3')).have.property('canLook', true)
  })

  it('says that it could not look while the service is down, and nothing about what was done', async () => {
    const { id } = await fail('lease-4', 'close-before')
    await service.fault({ kind: 'status', operation: 'listDocuments', status: 503, count: 1 })
    const { ok, text } = await press('look', id)
    should(ok).be.false()
    should(text)
      .startWith('Could not look; still unknown. ')
      .and.not.match(/nothing was/i)
    should(await trouble('lease-4')).match({ outcome: 'unknown', canLook: true })
  })

  it('cannot be sent again once the flow has created the document with another key', async () => {
    const run = () => fetch(`${red.url}/run`, json({ ...lease(''), externalId: undefined, title: 'Twice lease' }))
    await service.fault({ kind: 'close-before', operation: 'createDocument', count: 1 })
    await run()
    const { id } = await until(() => trouble('Twice lease'))
    await press('look', id)
    await run()
    await until(async () => (await created('Twice lease')) === 2)
    await until(async () => (await trouble('Twice lease'))?.canSend === undefined)
    should((await trouble('Twice lease'))?.text).match(saying('client', 'outcomes.unknownOf'))
    should(await press('sendAgain', id)).match({ ok: false, text: looked('notYet') })
    should(await created('Twice lease')).equal(2)
  })

  it('is open again when the same message fails once more after the look', async () => {
    const { id } = await fail('lease-9', 'close-before')
    await press('look', id)
    should(await trouble('lease-9')).have.properties({ count: 1, found: 'absent', canSend: true })
    await fail('lease-9', 'close-after')
    await until(async () => (await trouble('lease-9'))?.count === 2)
    const again = await trouble('lease-9')
    should(again?.id).equal(id)
    should(again).not.have.properties('found', 'canSend')
    should(again?.text).match(saying('client', 'outcomes.unknownOf'))
  })

  const deploy = async (change: (node: { id: string }) => object | undefined) => {
    const answer = await post(
      '/flows',
      flows()
        .map(change)
        .filter((node) => node !== undefined),
    )
    should(answer.status).equal(204)
  }

  it('is looked at only at the service that was asked: another one would have no such document', async () => {
    const { id } = await fail('lease-5', 'close-after')
    await deploy((node) => (node.id === 'c' ? { ...node, baseUrl: other.url } : node))
    try {
      should(await press('look', id)).match({ ok: false, text: saying('sidebar', 'look.elsewhere') })
      should(await trouble('lease-5')).not.have.property('canSend')
      should(await press('sendAgain', id)).match({ ok: false, text: saying('sidebar', 'look.elsewhere') })
      should(await other.requests('createDocument')).be.empty()
    } finally {
      await deploy((node) => node)
    }
  })

  it('keeps its message while its node is gone', async () => {
    const { id } = await fail('lease-6', 'close-before')
    await press('look', id)
    await deploy((node) => (node.id === 'create' ? undefined : node))
    should(await press('sendAgain', id)).match({ ok: false, text: /no longer in the flows/ })
    await deploy((node) => node)
    await until(async () => (await fetch(`${red.url}/end`, json({}))).ok)
    should(await press('sendAgain', id)).match({ ok: true })
    await until(async () => (await created('lease-6')) === 2)
  })

  it('keeps its message however many other calls fail', async () => {
    const { id } = await fail('lease-7', 'close-before')
    for (let one = 0; one < 12; one++) {
      await service.fault({ operation: 'cancelDocument', kind: 'close-before' })
      await fetch(`${red.url}/end`, json({ documentId: `d-${one}` }))
      await until(() => trouble(`d-${one}`))
    }
    await press('look', id)
    should(await trouble('lease-7')).have.property('canSend', true)
  })
})
