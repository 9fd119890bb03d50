/**
 * One press in the sidebar reminds the signers of several documents: each once a day, across deploys, restarts and
 * other buttons.
 */
import should from 'should'
import type { RemindedAnswer, SidebarView, WaitingRow } from '../../plugins/sidebar/view'
import type { ActionAnswer } from '../../lib/page/view'
import { json } from '../support/node-red/inspected'
import { startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { linkPackage } from '../support/node-red/user-folder'
import { startService, type Service } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { sentence } from '../support/wording'

const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })
const withEmail = { email: 'ola.nordmann@example.com' }
const lease = (title: string, signerInfo: object = withEmail) => ({
  title,
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
  signers: [
    {
      externalSignerId: 'ola-1',
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
      signerInfo: { firstName: 'Ola', lastName: 'Nordmann', ...signerInfo },
    },
  ],
})

describe('reminding of several documents at once', () => {
  const folder = temporaryFolder()
  let service: Service
  let red: NodeRedProcess
  const flows = () => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
    { ...place('in'), type: 'http in', url: '/run', method: 'post', wires: [['create']] },
    { ...place('create'), type: 'eid-create-document', client: 'c', wires: [['wait', 'out']] },
    { ...place('wait'), type: 'eid-wait', client: 'c', wires: [[], [], []] },
    { ...place('deposits'), type: 'http in', url: '/deposit', method: 'post', wires: [['deposit', 'out']] },
    {
      ...place('deposit'),
      type: 'eid-wait',
      what: 'deposit',
      resourceId: 'payload.id',
      client: 'c',
      wires: [[], [], []],
    },
    { ...place('seconds'), type: 'http in', url: '/second', method: 'post', wires: [['second', 'out']] },
    { ...place('second'), type: 'eid-wait', resourceId: 'payload.id', client: 'c', wires: [[], [], []] },
    { ...place('reminding'), type: 'http in', url: '/remind', method: 'post', wires: [['remind', 'out']] },
    {
      ...place('remind'),
      type: 'eid-document',
      client: 'c',
      operation: 'remind',
      notificationSetting: 'sendEmail',
      documentId: 'payload.documentId',
      documentIdType: 'msg',
      wires: [[]],
    },
    { ...place('out'), type: 'http response', wires: [] },
  ]
  const start = async () => {
    const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
    red = await startRuntime(installation, folder.path, flows())
  }
  const post = (path: string, body: object) => fetch(red.url + path, json(body))
  const act = async (path: string, body: object) => (await (await post(path, body)).json()) as ActionAnswer
  const remind = (waits: readonly unknown[]) =>
    act('/eid/sidebar/remind', { waits, lang: 'en' }) as Promise<RemindedAnswer>
  const rows = async () => ((await (await fetch(`${red.url}/eid/sidebar?rows=99`)).json()) as SidebarView).waiting.rows
  /** The ids of the waits with these titles, once the rows show their signers. */
  const waitsOf = (...titles: readonly string[]) =>
    until(async () => {
      const all = await rows()
      const found = titles.map((title) => all.filter((row) => row.title === title && row.waitingFor.length > 0))
      return found.every((some) => some.length > 0) && found.flat().map(({ wait }) => wait)
    })
  const run = async (...titles: readonly string[]) => {
    for (const title of titles) should((await post('/run', lease(title))).ok).be.true()
    return waitsOf(...titles)
  }
  const sent = async () => (await service.requests('remindDocument')).length

  before(async () => {
    service = await startService()
    linkPackage(folder.path)
    await start()
  })
  after(async () => {
    await red?.stop()
    await service?.close()
    folder.remove()
  })
  beforeEach(async () => void (await service.reset()))

  it('reminds each once, and counts those that were reminded earlier today', async () => {
    const waits = await run('A1', 'A2', 'A3')
    should(await remind(waits.slice(0, 2))).match({ ok: true, counts: { reminded: 2 } })
    const answer = await remind(waits)
    should(answer.counts).deepEqual({ reminded: 1, earlier: 2 })
    should(await sent()).equal(3)
  })

  it('reminds once when several people press at once, also of a document that two messages wait for', async () => {
    await run('B1', 'B2', 'B3')
    await post('/second', { id: (await rows()).find(({ title }) => title === 'B2')?.id })
    const waits = await until(async () => {
      const found = await waitsOf('B1', 'B2', 'B3')
      return found.length === 4 && found
    })
    const answers = await Promise.all([remind(waits), remind([...waits].reverse()), remind(waits)])
    const counted = answers.map(({ counts = {} }) => counts)
    should(counted.reduce((sum, { reminded = 0 }) => sum + reminded, 0)).equal(3)
    for (const counts of counted) should(Object.values({ ...counts }).reduce((sum, one) => sum + one, 0)).equal(3)
    should(await sent()).equal(3)
  })

  it('says what is no document, what has ended, and who cannot be reached', async () => {
    const [signed = '', gone = '', signedToo = ''] = await run('C1', 'C2', 'C4')
    await post('/run', lease('C3', { email: undefined }))
    const [noAddress = ''] = await waitsOf('C3')
    await post('/deposit', { id: 'deposit-unfunded-1' })
    const deposit = await until(async () => (await rows()).find(({ kind }) => kind === 'deposit'))
    for (const wait of [signed, signedToo]) {
      const { links } = await act('/eid/sidebar/waiting', { wait, action: 'link' })
      const app = new URL(String(links?.[0]?.url))
      await fetch(`${app.origin}/sign/${app.searchParams.get('jwt') ?? ''}/sign`, { method: 'POST' })
    }
    const pressed = await act('/eid/sidebar/waiting', { wait: signedToo, action: 'remind', lang: 'en' })
    should(pressed).match({ ok: false, text: sentence('sidebar', 'hasEnded') })
    await act('/eid/sidebar/waiting', { wait: gone, action: 'stopWaiting' })
    const answer = await remind([signed, gone, noAddress, deposit.wait])
    should(answer.counts).deepEqual({ ended: 1, gone: 1, noAddress: 1, otherKind: 1 })
    should(await sent()).equal(0)
  })

  it('does not say that a document has ended which waits for attachments', async () => {
    const [wait = ''] = await run('W1')
    const documents = service.sandbox.world.signature.documents
    for (const document of documents.values()) Object.assign(document, { status: 'waiting_for_attachments' })
    const text = sentence('sidebar', 'notOpen')
    should(await act('/eid/sidebar/waiting', { wait, action: 'remind', lang: 'en' })).match({ ok: false, text })
    should(await remind([wait])).match({ counts: { failed: 1 }, reasons: [text] })
    should(await sent()).equal(0)
  })

  it('says what failed and why, and what may have been sent, which is not sent again', async () => {
    const [refused = '', broken = ''] = await run('D1', 'D2')
    await service.fault({ operation: 'remindDocument', kind: 'status', status: 403 })
    const first = await remind([refused])
    should(first.counts).deepEqual({ failed: 1 })
    should(first.reasons?.[0]).match(/Nothing was done/)
    should((await remind([refused])).counts).deepEqual({ reminded: 1 })
    await service.fault({ operation: 'remindDocument', kind: 'close-after' })
    should((await remind([broken])).counts).deepEqual({ unsure: 1 })
    const before = await sent()
    const second = await remind([broken])
    should(second.counts).deepEqual({ unsure: 1 })
    should(await sent()).equal(before)
  })

  it('shares its note of the day with the button of a row, which asks before it sends another one', async () => {
    const [one = '', other = ''] = await run('E1', 'E2')
    should(await act('/eid/sidebar/waiting', { wait: one, action: 'remind' })).match({ ok: true, channel: 'sendEmail' })
    should((await remind([one, other])).counts).deepEqual({ reminded: 1, earlier: 1 })
    const asked = await act('/eid/sidebar/waiting', { wait: other, action: 'remind' })
    should(asked).match({ ok: true, earlier: { isSure: true } })
    should(asked).not.have.property('channel')
    should(await sent()).equal(2)
    const again = await act('/eid/sidebar/waiting', { wait: other, action: 'remind', again: true })
    should(again).match({ ok: true, channel: 'sendEmail' })
    should(await sent()).equal(3)
  })

  it('asks once more when someone else has just sent another reminder, and says of none that it was sent', async () => {
    const [wait = ''] = await run('H1')
    const press = (again: boolean) => act('/eid/sidebar/waiting', { wait, action: 'remind', again })
    should(await press(false)).match({ ok: true, channel: 'sendEmail' })
    // Two people who confirm at the same moment share the reminder, because the call is still running.
    await service.fault({ operation: 'remindDocument', kind: 'slow', delay: 1500, count: 1 })
    should(await Promise.all([press(true), press(true)])).matchEach({ ok: true, channel: 'sendEmail' })
    should(await sent()).equal(2)
    const later = await press(true)
    should(later).match({ ok: true, earlier: { isSure: true } })
    should(later).not.have.property('channel')
    should(await sent()).equal(2)
  })

  it('counts those whom a flow has reminded', async () => {
    const [wait = ''] = await run('F1')
    const row = (await rows()).find((one: WaitingRow) => one.wait === wait)
    await post('/remind', { documentId: row?.id })
    await until(async () => (await sent()) === 1)
    should((await remind([wait])).counts).deepEqual({ earlier: 1 })
    should(await sent()).equal(1)
  })

  it('knows whom it has reminded after a deploy and after a restart', async () => {
    const waits = await run('G1', 'G2')
    should((await remind(waits)).counts).deepEqual({ reminded: 2 })
    should((await post('/flows', flows())).status).equal(204)
    // Waits until the rows exist again.
    await until(async () => (await remind(await waitsOf('G1', 'G2'))).counts?.earlier === 2)
    await red.stop()
    await start()
    await until(async () => (await remind(await waitsOf('G1', 'G2'))).counts?.earlier === 2)
    should(await sent()).equal(2)
  })

  for (const waits of [[], 'all', [5], Array.from({ length: 26 }, (_none: unknown, index) => `w${index}`), undefined]) {
    it(`does nothing for ${JSON.stringify(waits)?.slice(0, 20)}`, async () => {
      should(await act('/eid/sidebar/remind', { waits })).deepEqual({ ok: false })
    })
  }
})
