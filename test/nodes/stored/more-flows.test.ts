/** The flow file of 1.0: sessions, shares, waits, webhooks and other calls follow their stored settings. */
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { stopFlow } from '../../support/flow'
import { identify } from '../../support/parties'
import { overviewLogIn, webhookSecret } from '../../support/stored-flows'
import { useStored, type StoredBench } from '../../support/stored-nodes'
import { until } from '../../support/time'

describe('the other stored settings of 1.0', () => {
  const stored = useStored()
  let { service, site, parties, start, run, asked } = {} as StoredBench
  beforeEach(() => void ({ service, site, parties, start, run, asked } = stored()))

  const us = (path: string) => `https://our.example/${path}`
  const requests: readonly [string, object, object][] = [
    [
      'identification-session-redirect',
      { ref: '007' },
      {
        flow: 'redirect',
        allowedProviders: ['no_eid_mobile', 'sms_otp'],
        language: 'no',
        include: ['name', 'nin'],
        redirectSettings: { successUrl: us('s'), abortUrl: us('a'), errorUrl: us('e') },
        externalReference: '007',
        ui: { themeMode: 'dark', colorTheme: 'light_blue', topBar: { title: 'Our company' } },
      },
    ],
    [
      'identification-session-iframe',
      { base: { language: 'sv' } },
      {
        flow: 'iframe',
        allowedProviders: ['no_eid_mobile'],
        language: 'sv',
        iframeSettings: { parentDomains: ['https://our.example'], postMessageTargetOrigin: 'https://our.example' },
      },
    ],
    [
      'identification-session-headless',
      {},
      {
        flow: 'headless',
        allowedProviders: ['no_eid_mobile'],
        prefilledInput: { phoneNumber: '+4799999999', dateOfBirth: '1990-01-01', nin: '00000000000' },
      },
    ],
  ]
  for (const [id, msg, body] of requests) {
    it(`${id}: the request of its flow`, async () => {
      await run(id, msg)
      should(await asked()).have.properties({ what: 'POST /identification/v2/sessions', body })
    })
  }

  it('identification session: retrieve, list, the older list, and the end', async () => {
    const session = await parties.createSession()
    const calls: readonly [string, string, object][] = [
      ['get', `GET /identification/v2/sessions/${session.id}`, {}],
      ['list', 'GET /identification/v2/sessions', { limit: '5' }],
      ['log', 'GET /identification/log/filter/2025', { pageSize: '100' }],
      ['invalidate', `POST /identification/v2/sessions/${session.id}/invalidate`, {}],
    ]
    for (const [variant, what, query] of calls) {
      await run(`identification-session-${variant}`, { which: session.id })
      should(await asked()).have.properties({ what, query })
    }
  })

  it('request: method, path, query, body and the kind of answer', async () => {
    should((await run('request-set', {})).payload).be.a.String()
    should(await asked()).deepEqual({
      what: 'POST /notification/events/mock',
      query: { trace: '1' },
      body: { eventType: 'document_signed' },
    })
    should(Buffer.isBuffer((await run('request-buffer', {})).payload)).be.true()
  })

  it('share create and upload: the form in the spelling and the paths of the client, and a file of the folder', async () => {
    const made = await run('share-create-set', { mail: 'ola.nordmann@example.com', base: { unknown: 'kept' } })
    const { what, body } = await asked()
    should(what).equal('POST /share/')
    const { recipients, ...rest } = body as { recipients: { expires: string }[] }
    should(rest).deepEqual({
      unknown: 'kept',
      reference: 'r-1',
      information: { name: 'Payslips', description: 'For May' },
      content: [{ id: 'slip-1', name: 'Payslip', type: 'file' }],
      senders: [{ email: 'archive@example.com', notificationType: 'SendEmail', notificationEvent: 'All' }],
    })
    const [{ expires = '', ...recipient } = {}, other] = recipients
    should((Date.parse(expires) - Date.now()) / 86_400_000).be.within(4.9, 5)
    should(recipient).deepEqual({
      firstname: 'Ola',
      lastname: 'Nordmann',
      email: 'ola.nordmann@example.com',
      mobile: { countryCode: '47', number: '99999999' },
      notification: { setup: { request: 'SendBoth', reminder: 'SendEmail' }, language: 'NO' },
      oneTimeLogin: true,
      uploads: ['slip-1'],
      content: ['slip-1'],
      authentication: [
        { identityProvider: 'NO_EID_WEB', identityProviderUniqueId: 'u-1', ssn: '00000000000', dateOfBirth: '010190' },
      ],
    })
    should(other).have.properties({ firstname: 'Kari', lastname: 'Nordmann', authentication: [] })
    const folder = mkdtempSync(join(tmpdir(), 'eid-test-'))
    writeFileSync(join(folder, 'slip.txt'), 'payslip')
    process.env.EID_TEST_FOLDER = folder
    const flow = await start('share-upload-set')
    delete process.env.EID_TEST_FOLDER
    flow.send({ share: { id: made.shareId } })
    should((await flow.next(1)).payload).have.properties({ contentId: 'slip-1', sent: 7 })
    should((await flow.next()).payload).matchAny({ contentId: 'slip-1', fileName: 'May.txt', bytes: 7 })
    should((await asked()).what).equal(`POST /share/${String(made.shareId)}/file/slip-1`)
    rmSync(folder, { recursive: true })
  })

  it('share create: recipients of a message, in the spelling and by the paths of another client', async () => {
    const expires = new Date(Date.now() + 5 * 86_400_000).toISOString()
    const mobile = { countryCode: '47', number: '99999999' }
    const ola = { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com', expires, mobile }
    await run('share-create-buckets', { list: [{ ...ola, authentication: [], uploads: ['slip-1'] }] })
    const { what, body } = await asked()
    should(what).equal('POST /share/buckets/')
    should(body).have.property('recipients', [{ ...ola, authentication: [], content: ['slip-1'] }])
  })

  it('wait: what for, which one, how long, and which ends are errors', async () => {
    const { documentId: which } = await parties.createDocument('lease-0001')
    let flow = await start('wait-document')
    flow.send({ which })
    await parties.call('POST', `/signature/documents/${which}/cancel?reason=wrong`)
    should((await flow.caught()).error.code).equal('EID_FAILED')
    await stopFlow()
    const session = await parties.call<{ id: string; url: string }>('POST', '/identification/v2/sessions', {
      flow: 'iframe',
      include: ['nin', 'date_of_birth', 'name'],
      iframeSettings: { parentDomains: ['http://127.0.0.1'], postMessageTargetOrigin: 'http://127.0.0.1' },
    })
    await identify(session.url)
    const tenant = { nin: '00000000000', name: 'Ola Nordmann' }
    should(await run('wait-session', { which: session.id, tenant })).have.property('status', 'success')
    flow = await start('wait-deposit')
    flow.send({ which: 'deposit-funded-2' })
    should((await flow.caught()).error.code).equal('EID_EXPIRED')
    should((await asked()).what).match(/deposit-funded-2/)
  })

  it('webhook: the path, the header, and the registration', async () => {
    const flow = await start('webhook-set')
    const webhooks = () => [...service.sandbox.world.notification.webhooks.values()]
    await until(() => webhooks()[0])
    should(webhooks()).have.length(1)
    should(webhooks()[0]).have.properties({ url: `${site.url}/hook`, events: ['document_signed'] })
    const body = JSON.stringify({
      id: 'event-1',
      type: 'document_signed',
      payload: { documentId: 'doc-1' },
      tags: null,
    })
    const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
    const post = (header: string) =>
      fetch(`${site.url}/hook`, { method: 'POST', body, headers: { [header]: signature } })
    should((await post('X-EID-Signature')).status).equal(401)
    should((await post('X-Our-Signature')).status).equal(204)
    should(await flow.next()).have.property('documentId', 'doc-1')
  })

  it('overview: the path, and what the page may do', async () => {
    await start('overview-set')
    const page = (more: object = {}) =>
      fetch(`${site.url}/office/contracts/press`, {
        method: 'POST',
        body: '{"action":"remind","id":"none"}',
        headers: { ...overviewLogIn, 'Content-Type': 'application/json', ...more },
      })
    await until(async () => (await page({ Origin: site.url })).status === 200)
    should((await page()).status).equal(403)
  })

  it('batch: where the rows are, what names them, how many are out and how often each is tried', async () => {
    const flow = await start('batch-set')
    const leases = [3, 4, 5].map((number) => ({ number, flat: 'H0101' }))
    flow.node().context().flow.set('leases', leases)
    const month = randomUUID()
    flow.send({ month })
    const sent = [await flow.next(), await flow.next()]
    const list = { id: `Leases ${month}`, of: 3 }
    should(sent.map(({ batch }) => batch)).matchEach((batch: object) => should(batch).have.properties(list))
    should(sent.map(({ payload }) => payload)).deepEqual(leases.slice(0, 2))
    should(flow.waiting().out).equal(0)
    const error = { message: 'refused', cause: { outcome: 'not-done' } }
    for (const msg of sent) flow.send(msg)
    const third = await flow.next()
    should(third.batch).have.properties({ key: '5-H0101', row: 3 })
    flow.send({ ...third, error })
    for (let times = 2; times <= 3; times++) flow.send({ ...(await flow.next()), error })
    let report = await flow.next(1)
    // On a slow machine, progress messages come first.
    while (report.status !== 'ended') report = await flow.next(1)
    should(report.payload).have.properties({ total: 3, done: 2, failed: 1 })
  })
})
