/** Open documents of the sandbox: what is refused, and which changes take effect. */
import should from 'should'
import type { ErrorBody } from './caller'
import { at, base64, DAY, person, type DocumentBody, type SignerBody, useDocuments } from './document-calls'

describe('sandbox: documents', () => {
  const { caller, tryCreate, create, get, stateOf, signAs, outbox } = useDocuments()
  const recipients = () => outbox().map(({ to }) => to)
  const fieldsOf = ({ json }: { json: ErrorBody }) => json.errors.map(({ field }) => field)

  it('refuses addresses that cannot work, and names them all at once', async () => {
    const wrong = person('ola-1', {
      signerInfo: { email: 'ola', mobile: { countryCode: 'Norway', number: 'phone?' } },
      notifications: { setup: { request: 'sms', reminder: 'sendSms' } },
    })
    const answer = await tryCreate({
      title: '',
      contactDetails: { email: 'not-an-email' },
      dataToSign: { fileName: 'contract.exe', base64Content: base64('x') },
      signers: [wrong],
    })
    answer.status.should.equal(400)
    should(fieldsOf(answer)).deepEqual([
      'Title',
      'ContactDetails.Email',
      'DataToSign.FileName',
      'Signers[0].SignerInfo.Email',
      'Signers[0].SignerInfo.Mobile.CountryCode',
      'Signers[0].SignerInfo.Mobile.Number',
      'Signers[0].Notifications.Setup.Request',
    ])
  })

  for (const contactDetails of [undefined, {}, { email: '' }, { name: 'Kari' }]) {
    it(`refuses the contact ${JSON.stringify(contactDetails)}`, async () => {
      const answer = await tryCreate({ contactDetails })
      should({ status: answer.status, fields: fieldsOf(answer) }).deepEqual({
        status: 400,
        fields: ['ContactDetails.Email'],
      })
    })
  }

  for (const email of ['ola.nordmann+lease@post.example.com', "o'hara@example.co", 'kari@bücher.example']) {
    it(`takes ${email}`, async () => {
      should((await create({ contactDetails: { email } })).documentId).be.a.String()
    })
  }

  it('changes title, contact and deadline, and the deadline counts', async () => {
    const { documentId, advanced } = await create()
    const deadline = new Date(caller().sandbox.clock.now() + 2 * DAY).toISOString()
    const changes = { title: 'Lease 2', contactDetails: { name: 'Kari' }, advanced: { timeToLive: { deadline } } }
    const { json } = await caller().call<DocumentBody>('PATCH', at(documentId), changes)
    should(json).containDeep({ title: 'Lease 2', contactDetails: { name: 'Kari', email: 'kari.nordmann@example.com' } })
    should(json.advanced.timeToLive.deadline).equal(deadline).and.not.equal(advanced.timeToLive.deadline)
    await caller().sandbox.clock.advance(3 * DAY)
    await caller().renew()
    should(await stateOf(documentId)).equal('expired')
    ;(await caller().call('PATCH', at(documentId), { title: 'Late' })).status.should.equal(422)
  })

  it('refuses a change to what would not be taken at creation', async () => {
    const { documentId } = await create()
    const answer = await caller().call('PATCH', at(documentId), { title: '', contactDetails: { email: 'ola' } })
    should(fieldsOf(answer)).deepEqual(['Title', 'ContactDetails.Email'])
    should((await get(documentId)).title).equal('Lease')
  })

  it('is complete when fewer signatures are needed than before', async () => {
    const { documentId, signers } = await create()
    await signAs(signers[0])
    should(await stateOf(documentId)).equal('partialsigned')
    await caller().call('PATCH', at(documentId), { advanced: { requiredSignatures: 1 } })
    should(await stateOf(documentId)).equal('signed')
  })

  it('lets a signer who was added sign, after those who come first', async () => {
    const { documentId, signers } = await create({ signers: [person('ola-1')] })
    const { json: added } = await caller().call<SignerBody>(
      'POST',
      at(documentId, '/signers'),
      person('per-1', { order: 1 }),
    )
    should(recipients()).deepEqual(['ola-1@example.com'])
    ;(await signAs(added)).status.should.equal(422)
    await signAs(signers[0])
    should(await stateOf(documentId)).equal('partialsigned')
    should(recipients()).deepEqual(['ola-1@example.com', 'per-1@example.com'])
    ;(await signAs(added)).status.should.equal(200)
    should(await stateOf(documentId)).equal('signed')
    const list = await caller().call<SignerBody[]>('GET', at(documentId, '/signers'))
    should(list.json.map(({ externalSignerId }) => externalSignerId)).deepEqual(['ola-1', 'per-1'])
  })

  it('no longer lets a removed signer sign, and continues without', async () => {
    const { documentId, signers } = await create()
    await signAs(signers[0])
    const removed = await caller().call('DELETE', at(documentId, `/signers/${signers[1]?.id ?? ''}`))
    removed.status.should.equal(200)
    ;(await signAs(signers[1])).status.should.equal(404)
    ;(await caller().call('GET', at(documentId, `/signers/${signers[1]?.id ?? ''}`))).status.should.equal(404)
    should(await stateOf(documentId)).equal('signed')
  })

  it('keeps the last signer, and one who has signed', async () => {
    const { documentId, signers } = await create()
    await signAs(signers[0])
    const path = (index: number) => at(documentId, `/signers/${signers[index]?.id ?? ''}`)
    should((await caller().call('DELETE', path(0))).json.code).equal('ALREADY_SIGNED')
    should((await caller().call('PATCH', path(0), { order: 2 })).json.code).equal('ALREADY_SIGNED')
    const alone = await create({ signers: [person('ola-1')] })
    const last = at(alone.documentId, `/signers/${alone.signers[0]?.id ?? ''}`)
    should((await caller().call('DELETE', last)).status).equal(422)
  })

  it('notifies a signer again whose address has changed, and follows a changed order', async () => {
    const { documentId, signers } = await create()
    const path = at(documentId, `/signers/${signers[0]?.id ?? ''}`)
    const { json } = await caller().call<SignerBody>('PATCH', path, { signerInfo: { email: 'ola@example.com' } })
    should(json).containDeep({ externalSignerId: 'ola-1', signerInfo: { email: 'ola@example.com', firstName: 'Ola' } })
    should(recipients()).deepEqual(['ola-1@example.com', 'kari-1@example.com', 'ola@example.com'])
    await caller().call('PATCH', path, { order: 5 })
    ;(await signAs(signers[0])).status.should.equal(422)
    should(fieldsOf(await caller().call('PATCH', path, { signerInfo: { email: 'ola' } }))).deepEqual([
      'SignerInfo.Email',
    ])
  })

  it('waits until exactly the expected attachments are there, and notifies no one before', async () => {
    const { documentId, signers } = await create({ advanced: { attachments: 2 } })
    should(await stateOf(documentId)).equal('waiting_for_attachments')
    const add = (title: string) =>
      caller().call<{ id: string } & ErrorBody>('POST', at(documentId, '/attachments'), {
        title,
        fileName: 'rules.pdf',
        data: base64('%PDF-1.4 rules'),
      })
    const first = await add('Rules')
    first.status.should.equal(201)
    ;(await signAs(signers[0])).status.should.equal(422)
    should(recipients()).deepEqual([])
    const second = await add('Keys')
    should(await stateOf(documentId)).equal('unsigned')
    should(recipients()).deepEqual(['ola-1@example.com', 'kari-1@example.com'])
    should((await add('More')).json.code).equal('ATTACHMENTS_COMPLETE')
    // With one attachment fewer, the document waits again.
    const path = at(documentId, `/attachments/${second.json.id}`)
    ;(await caller().call('PATCH', path, { title: 'House keys' })).status.should.equal(200)
    should((await caller().call<{ title: string }>('GET', path)).json.title).equal('House keys')
    ;(await caller().call('DELETE', path)).status.should.equal(200)
    should(await stateOf(documentId)).equal('waiting_for_attachments')
    await add('Keys again')
    for (const signer of signers) (await signAs(signer)).status.should.equal(200)
    should((await caller().call('DELETE', at(documentId, `/attachments/${first.json.id}`))).status).equal(422)
    const list = await caller().call<{ title: string }[]>('GET', at(documentId, '/attachments'))
    should(list.json.map(({ title }) => title)).deepEqual(['Rules', 'Keys again'])
  })

  it('refuses an invalid attachment', async () => {
    const { documentId } = await create({ advanced: { attachments: 1 } })
    const answer = await caller().call('POST', at(documentId, '/attachments'), {
      fileName: 'rules.docx',
      data: '?',
      signers: ['nobody'],
      type: 'look',
    })
    should(fieldsOf(answer)).deepEqual(['Title', 'Data', 'FileName', 'Type', 'Signers'])
    ;(await tryCreate({ advanced: { attachments: 21 } })).status.should.equal(400)
  })

  it('gives out files of signers and attachments once everyone has signed', async () => {
    const { documentId, signers } = await create({ advanced: { attachments: 1, requiredSignatures: 1 } })
    const attachment = await caller().call<{ id: string }>('POST', at(documentId, '/attachments'), {
      title: 'Rules',
      fileName: 'rules.pdf',
      data: base64('%PDF-1.4 rules'),
    })
    const [signed = '', unsigned = ''] = signers.map(({ id }) => id)
    const { id } = attachment.json
    const paths = {
      signer: `/files/signers/${signed}?fileFormat=packaged`,
      other: `/files/signers/${unsigned}?fileFormat=packaged`,
      original: `/files/attachments/${id}?fileFormat=unsigned`,
      attachment: `/files/attachments/${id}?fileFormat=pades`,
      both: `/files/attachments/${id}/signers/${signed}?fileFormat=native`,
    }
    const status = async (path: string) => (await caller().call('GET', at(documentId, path))).status
    const statuses = () => Promise.all(Object.values(paths).map(status))
    should(await statuses()).deepEqual([404, 404, 200, 404, 404])
    await signAs(signers[0])
    await caller().sandbox.clock.advance(2000)
    should(await statuses()).deepEqual([200, 404, 200, 200, 200])
    should(await status(`/files/signers/${signed}?fileFormat=pades`)).equal(400)
    should((await caller().call('GET', at(documentId, paths.both))).text).match(/rules\.pdf/)
    should((await get(documentId)).status.attachmentPackages[id]).containEql('pades')
  })

  it('logs what signers were told, and sums up one document', async () => {
    const { documentId } = await create()
    const log = await caller().call<{ receiver: string; messageType: string }[]>(
      'GET',
      at(documentId, '/notifications'),
    )
    should(log.json.map(({ receiver, messageType }) => [receiver, messageType])).deepEqual([
      ['ola-1@example.com', 'EMAIL'],
      ['kari-1@example.com', 'EMAIL'],
    ])
    const { json } = await caller().call<{ signers: string[]; requiredSignatures: number }>(
      'GET',
      at(documentId, '/summary'),
    )
    should(json).containDeep({ documentId, requiredSignatures: 2 })
    should(json.signers).have.length(2)
  })

  it('finds documents changed since, whatever the change was', async () => {
    const { documentId } = await create()
    await create()
    await caller().sandbox.clock.advance(60_000)
    const since = caller().sandbox.world.clock.iso()
    const changed = async () => {
      const path = `/signature/documents/summary?lastUpdated=${encodeURIComponent(since)}`
      return (await caller().call<{ data: { documentId: string }[] }>('GET', path)).json.data.map(
        (one) => one.documentId,
      )
    }
    should(await changed()).deepEqual([])
    await caller().call('POST', at(documentId, '/signers'), person('per-1'))
    should(await changed()).deepEqual([documentId])
  })

  it('says whether a token of a redirect is its own', async () => {
    const to = (name: string) => `https://a.example/${name}`
    const redirectSettings = { redirectMode: 'redirect', success: to('s'), cancel: to('c'), error: to('e') }
    const { documentId, signers } = await create({ signers: [person('ola-1', { redirectSettings })] })
    const signed = await signAs<{ redirect: string }>(signers[0])
    const jwt = new URL(signed.json.redirect).searchParams.get('eid-jwt') ?? ''
    const validate = async (token: string) =>
      (await caller().call<{ valid: boolean; payload: object }>('POST', '/jwt/validate', { jwt: token })).json
    should(await validate(jwt)).containDeep({ valid: true, payload: { documentId, signSuccess: { firstName: 'Ola' } } })
    for (const other of ['', 'x', 'a.b.c', `${jwt}x`, `${jwt}.`]) should((await validate(other)).valid).be.false()
    await caller().sandbox.clock.advance(11 * 60_000)
    should((await validate(jwt)).valid).be.false()
  })

  it('answers a ping', async () => {
    should((await caller().call('GET', '/signature/status/ping')).status).equal(200)
    const lists = '/signature-methods /signature-methods/account /themes/list/themes /themes/list/spinners'
    for (const one of lists.split(' '))
      should((await caller().call<object[]>('GET', `/signature${one}`)).json).not.be.empty()
    should((await caller().call<object[]>('GET', '/identification/v2/id-providers/account')).json).not.be.empty()
  })
})
