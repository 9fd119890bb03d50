/** "share": operations on an existing share and its recipients. The sandbox shows the effects. */
import should from 'should'
import { operations, type OperationName } from '../../lib/api/operations/operations'
import node from '../../nodes/share/share'
import { inOperation, stopFlow } from '../support/flow'
import { startParties, type Parties } from '../support/parties'
import { startService, type Service } from '../support/service'
import { createShare, receive } from '../support/share-party'
import { sentence } from '../support/wording'

interface Recipient {
  readonly id: string
  readonly url: string
  readonly email: string
}

describe('share, after it was created,', () => {
  let service: Service
  let parties: Parties
  let shareId: string
  const start = inOperation('eid-share', node, () => service.url)
  /** Performs one operation on the share, in a separate flow. */
  const run = async (operation: string, settings: object = {}, msg: object = {}, client: object = {}) => {
    const flow = await start(operation, settings, client)
    flow.send({ shareId, kept: 1, ...msg })
    const out = await flow.next()
    should(out).have.properties({ kept: 1, shareId, statusCode: 200 })
    const status = flow.statuses.at(-1)?.text
    await stopFlow()
    return { ...out, status } as typeof out & { status: string }
  }
  const refused = async (operation: string, settings: object = {}, msg: object = {}) => {
    const flow = await start(operation, settings)
    flow.send({ shareId, ...msg })
    const { error } = await flow.caught()
    await stopFlow()
    return (error.cause.problems as { path: string; problem: string }[] | undefined)?.map(({ path }) => path)
  }
  const sent = async (operation: string) => (await service.requests(operation)).at(-1)?.body
  const recipients = async () => (await run('listRecipients')).payload as Recipient[]
  const outbox = (to: string) => service.sandbox.world.outbox.list().filter((one) => one.to === to)
  const open = async (url: string) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    return (await fetch(url, { method: 'POST', headers, body: '{"identityProvider":"NO_EID_MOBILE"}' })).status
  }
  const kari = {
    firstName: 'Kari',
    lastName: 'Nordmann',
    email: 'kari.nordmann@example.com',
    mobileCountryCode: '47',
    mobileCountryCodeType: 'num',
    mobileNumber: '99999999',
    uploads: 'slip',
    expires: '10',
    expiresType: 'days',
    identityProvider: 'NO_EID_MOBILE, SWE_EID',
    notificationRequest: 'SendEmail',
  }

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(async () => {
    await service.reset()
    parties = await startParties(service)
    shareId = await createShare(service, parties, 10, 20)
  })
  afterEach(stopFlow)

  it('is reported with who has downloaded and who has not', async () => {
    const before = await run('get')
    should(before.payload).have.properties({ id: shareId, uploadedDocuments: 1 })
    should(before.status).equal('open, 0 of 2 have downloaded')
    await receive(service, shareId)
    should((await run('get')).status).equal('open, 1 of 2 have downloaded')
    const [ola, other] = await recipients()
    const one = await run('getRecipient', {}, { recipientId: ola?.id })
    should(one).have.properties({ recipientId: ola?.id, url: ola?.url, status: 'has downloaded everything' })
    should((await run('getRecipient', {}, { recipientId: other?.id })).status).equal('has not downloaded everything')
    await receive(service, shareId, 1)
    should((await run('get')).status).equal('done, 2 of 2 have downloaded')
  })

  it('waits for its files', async () => {
    const share = await parties.call<{ id: string }>('POST', '/share/buckets/', {
      information: { title: 'Payroll', description: 'November' },
      content: ['a', 'b'].map((id) => ({ id, name: id, type: 'file' })),
      recipients: [{ ...requested(), uploads: [] }],
    })
    shareId = share.id
    should((await run('get')).status).equal('0 of 2 files uploaded')
    await parties.upload(`/share/buckets/${shareId}/upload/a`, Buffer.from('a'), 'a.txt')
    should((await run('get')).status).equal('1 of 2 files uploaded')
  })

  it('is looked for in the older family as well, as the client says', async () => {
    await run('get', {}, {}, { sharePaths: 'share' })
    should(await service.requests('getShare')).have.length(1)
    await run('get')
    should(await service.requests('getBucket')).have.length(1)
    const flow = await start('get')
    flow.send({ shareId: 'unknown' })
    const { error } = await flow.caught()
    should(error).match({ code: 'EID_NOT_FOUND', cause: { outcome: 'not-done' } })
    should(error.message).match(/^Share unknown was not found/)
    should(flow.statuses.at(-1)?.text).equal('share not found')
  })

  it('is listed with the others, changed where a field was filled in, and keeps the rest', async () => {
    await createShare(service, parties, 5)
    const list = await run('list')
    should(list.payload).have.length(2)
    should(list.status).equal('2 shares')
    await run('change', { title: 'Payroll, corrected', contactName: 'Kari', contactEmail: 'kari.nordmann@example.com' })
    should(await sent('changeShare')).deepEqual({
      title: 'Payroll, corrected',
      contactDetails: { name: 'Kari', email: 'kari.nordmann@example.com' },
    })
    should((await run('get')).payload)
      .have.propertyByPath('information', 'description')
      .equal('October')
    await run('change', {}, { payload: { description: 'From the message' } })
    should(await sent('changeShare')).deepEqual({ description: 'From the message' })
    should(await refused('change', {}, { payload: 'x' })).deepEqual(['body'])
    should(await refused('change', { contactEmail: 'kari' })).deepEqual(['contactEmail'])
  })

  it('can no longer be opened once it is deleted, and is deleted once', async () => {
    const [ola] = await recipients()
    should((await run('delete')).payload).deepEqual({ id: shareId, operation: 'deleteShare' })
    should(await open(ola?.url ?? '')).equal(410)
    should((await run('get')).status).equal('deleted')
    const flow = await start('delete')
    flow.send({ shareId })
    should((await flow.caught()).error).match({ code: 'EID_REFUSED', cause: { outcome: 'not-done' } })
  })

  it('gets another recipient, who is notified and can open it, is notified again, and is kept out when removed', async () => {
    const added = await run('addRecipient', kari)
    const { expires, ...rest } = (await sent('addRecipient')) ?? {}
    should((Date.parse(String(expires)) - Date.now()) / 86_400_000).be.within(9.9, 10)
    should(rest).deepEqual({
      firstName: 'Kari',
      lastName: 'Nordmann',
      email: 'kari.nordmann@example.com',
      mobile: { countryCode: 47, number: '99999999' },
      uploads: ['slip'],
      authentication: [{ identityProvider: 'NO_EID_MOBILE' }, { identityProvider: 'SWE_EID' }],
      notification: { setup: { request: 'SendEmail' } },
    })
    const url = String(added.url)
    should(added.recipientId).be.a.String()
    should(outbox(kari.email)).have.length(1)
    should(await open(url)).equal(200)
    const { recipientId } = added
    should((await run('notify', {}, { recipientId })).status).equal('notice sent again')
    should(outbox(kari.email)).have.length(2)
    const removed = await run('removeRecipient', {}, { recipientId })
    should(removed).have.properties({ recipientId, status: 'recipient removed' })
    should(await open(url)).equal(404)
    const flow = await start('removeRecipient')
    flow.send({ shareId, recipientId })
    const { error } = await flow.caught()
    should(error).match({ code: 'EID_NOT_FOUND', cause: { outcome: 'not-done' } })
    should(error.message).startWith(sentence('client', 'notFound.recipient', { id: String(recipientId) }))
  })

  it('takes the recipient from the message, as it is, and in the spellings of the client from the form', async () => {
    const payload = { ...requested(), uploads: ['slip'], unknown: ['007'] }
    await run('addRecipient', {}, { payload })
    should(await sent('addRecipient')).deepEqual(payload)
    await run('addRecipient', kari, {}, { shareNames: 'name-firstname', recipientFiles: 'content' })
    const body = await sent('addRecipient')
    should(body).have.properties({ firstname: 'Kari', lastname: 'Nordmann', content: ['slip'] })
    should(body).not.have.any.properties('firstName', 'uploads')
  })

  it('names everything that a new recipient lacks, before any call', async () => {
    should(await refused('addRecipient', { firstName: 'Kari', expires: '2020-01-01T00:00:00Z' })).deepEqual([
      'expires',
      'lastName',
      'email',
      'mobile.countryCode',
      'mobile.number',
      'authentication',
      'uploads',
    ])
    should(await refused('addRecipient', {}, { payload: {} })).containEql('firstName')
    should(await refused('changeRecipient', {}, { payload: {}, recipientId: 'r' })).deepEqual(['body'])
    should(await refused('changeRecipient', { email: 'kari' }, { recipientId: 'r' })).deepEqual(['email'])
    const both = { ...kari, withoutIdentification: 'true' }
    should(await refused('addRecipient', both)).deepEqual(['withoutIdentification'])
    for (const operation of ['getRecipient', 'changeRecipient', 'removeRecipient', 'notify'])
      should(await refused(operation, { title: 'x' }, { recipientId: '../x' })).containEql('recipientId')
    should(await refused('get', {}, { shareId: 'a/b' })).deepEqual(['shareId'])
    const asked = (await service.requests()).map(({ operation }) => operation)
    should(asked).not.containEql('addRecipient').and.not.containEql('changeRecipient')
  })

  it('never shows everything by mistake', async () => {
    const everything = { ...kari, uploads: '' }
    should(await refused('addRecipient', everything)).deepEqual(['uploads'])
    should(await refused('addRecipient', {}, { payload: { ...requested(), uploads: [] } })).deepEqual(['uploads'])
    await run('addRecipient', { ...everything, seeEverything: true })
    should(await sent('addRecipient')).have.property('uploads', [])
    const empty = { uploads: '[]', uploadsType: 'json' }
    should(await refused('changeRecipient', empty, { recipientId: 'r' })).deepEqual(['uploads'])
    const recipientId = (await recipients())[0]?.id
    await run('changeRecipient', { ...empty, seeEverything: true }, { recipientId })
    should(await sent('changeRecipient')).deepEqual({ uploads: [] })
  })

  it('never shows everything because of a list that is empty or misspelt', async () => {
    const uploads = [null, '', [''], ['slip', ' '], [null]].map((one) => ({ uploads: one }))
    const lists: object[] = [...uploads, { content: null }, { Uploads: [] }, { uploads: ['slip'], CONTENT: [] }]
    const paths = ['uploads', 'uploads', 'uploads[0]', 'uploads[1]', 'uploads[0]', 'content', 'Uploads', 'CONTENT']
    for (const [at, payload] of lists.entries()) {
      should(await refused('changeRecipient', {}, { payload, recipientId: 'r' })).deepEqual([paths[at]])
      const added = { ...requested(), uploads: ['slip'], ...payload }
      should(await refused('addRecipient', {}, { payload: added })).deepEqual([paths[at]])
    }
    should(await service.requests('changeRecipient')).have.length(0)
    should(await service.requests('addRecipient')).have.length(0)
  })

  it('is changed once, however often a change may have arrived', async () => {
    const recipientId = (await recipients())[0]?.id
    const changes: readonly (readonly [operation: string, name: OperationName, settings: object])[] = [
      ['addRecipient', 'addRecipient', kari],
      ['changeRecipient', 'changeRecipient', { email: 'kari@example.com' }],
      ['removeRecipient', 'removeRecipient', {}],
      ['notify', 'notifyRecipients', {}],
      ['change', 'changeShare', { title: 'Another' }],
      ['delete', 'deleteShare', {}],
    ]
    for (const [operation, name, settings] of changes) {
      should(operations[name].repeat).equal('never')
      for (const kind of ['close-after', 'slow'] as const) {
        const before = (await service.requests(name)).length
        await service.fault({ operation: name, kind, ...(kind === 'slow' && { delay: 60_000 }) })
        const flow = await start(operation, settings, { retries: 3 })
        flow.send({ shareId, recipientId })
        // The slow call is interrupted by a deploy.
        if (kind === 'slow') {
          while ((await service.requests(name)).length === before) await new Promise(setImmediate)
          await stopFlow()
        } else {
          should((await flow.caught()).error.cause.outcome).equal('unknown')
          await stopFlow()
        }
        should((await service.requests(name)).length - before).equal(1)
        if (operation === 'removeRecipient' || operation === 'delete') break
      }
    }
  })

  it('is not the one that a response about another share describes', async () => {
    const other = await createShare(service, parties, 5)
    const body = await parties.call<object>('GET', `/share/buckets/${other}`)
    await service.fault({ operation: 'getBucket', kind: 'status', status: 200, body })
    const flow = await start('get')
    flow.send({ shareId })
    should((await flow.caught()).error.code).equal('EID_SERVICE')
    await stopFlow()
    await service.fault({ operation: 'changeShare', kind: 'status', status: 200, body })
    const changing = await start('change', { title: 'x' })
    changing.send({ shareId })
    should((await changing.caught()).error).match({ code: 'EID_SERVICE', cause: { outcome: 'unknown' } })
  })

  it('keeps interleaved messages apart', async () => {
    const second = await createShare(service, parties, 5)
    const flow = await start('get')
    for (const id of [shareId, second, shareId]) flow.send({ shareId: id })
    const came = [await flow.next(), await flow.next(), await flow.next()]
    for (const msg of came) should(msg.payload).have.property('id', msg.shareId)
    should(came.map((msg) => msg.shareId).sort()).deepEqual([shareId, second, shareId].sort())
  })

  // This is the last test, because the sandbox's clock is not put back.
  it('is closed later or earlier to a recipient whose end is moved', async () => {
    const [ola] = await recipients()
    const recipientId = ola?.id
    await run('changeRecipient', { expires: '40', expiresType: 'days' }, { recipientId })
    should(Object.keys((await sent('changeRecipient')) ?? {})).deepEqual(['expires'])
    await service.sandbox.clock.advance(30 * 86_400_000)
    should(await open(ola?.url ?? '')).equal(200)
    await service.sandbox.clock.advance(11 * 86_400_000)
    should(await open(ola?.url ?? '')).not.equal(200)
  })
})

function requested() {
  return {
    firstName: 'Ola',
    lastName: 'Nordmann',
    email: 'ola.nordmann@example.com',
    expires: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    mobile: { countryCode: '47', number: '99999999' },
    authentication: [{ identityProvider: 'NO_EID_MOBILE' }],
  }
}
