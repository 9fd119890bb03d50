/** Shares of the sandbox: what is refused, when recipients are notified, and what they can see. */
import should from 'should'
import { createHash } from 'node:crypto'
import { DAY, type ShareBody, useShares } from './share-calls'

describe('sandbox: share', () => {
  const { caller, inDays, recipient, draft, create, get, complete, linkOf, identify, outbox, eventTypes } = useShares()

  for (const path of ['/share/', '/share/buckets/', '/share', '/share/buckets']) {
    it(`creates a share at ${path} and shows it in both families`, async () => {
      const share = await create(draft(), path)
      share.id.should.be.a.String()
      share.uploadedDocuments.should.equal(0)
      for (const family of ['/share', '/share/buckets']) {
        const { json } = await caller().call<ShareBody>('GET', `${family}/${share.id}`)
        json.should.containDeep({ id: share.id, information: { title: 'Payslips' } })
      }
    })
  }

  it('takes both spellings', async () => {
    const { firstName: firstname, lastName: lastname, uploads: content, ...rest } = recipient()
    const body = { ...draft({ ...rest, firstname, lastname, content }), information: { name: 'N', description: 'D' } }
    const share = await create(body)
    share.information.should.containEql({ title: 'N' })
    share.recipients[0]?.firstName.should.equal('Ola')
    should(share.recipients[0]?.content.map(({ id }) => id)).deepEqual(['payslip'])
  })

  it('names everything that is wrong at once', async () => {
    const wrong = recipient({
      email: '',
      expires: inDays(-1),
      mobile: { countryCode: 'no', number: '' },
      uploads: ['other'],
      authentication: [{ dateOfBirth: '19900101' }],
      notification: { setup: { request: 'Pigeon' } },
    })
    const { status, json } = await caller().call('POST', '/share/', {
      information: {},
      content: [
        { id: 'a', name: 'A' },
        { id: 'a', name: 'B' },
      ],
      recipients: [wrong, recipient({ expires: inDays(91), uploads: undefined })],
    })
    status.should.equal(400)
    json.errors
      .map(({ field }) => field)
      .should.deepEqual([
        'information.title',
        'information.description',
        'content[1].id',
        'recipients[0].email',
        'recipients[0].mobile.countryCode',
        'recipients[0].mobile.number',
        'recipients[0].expires',
        'recipients[0].uploads',
        'recipients[0].authentication[0].dateOfBirth',
        'recipients[0].notification.setup.request',
        'recipients[1].expires',
        'recipients[1].uploads',
      ])
  })

  for (const path of ['/share/{}/upload/', '/share/{}/file/', '/share/buckets/{}/upload/', '/share/buckets/{}/file/']) {
    for (const end of ['', '/']) {
      it(`takes a file at ${path}payslip${end}`, async () => {
        const { id } = await create(draft())
        const answer = await caller().upload(path.replace('{}', id) + `payslip${end}`, 'bytes', 'lønn.pdf')
        answer.should.containDeep({ status: 200, text: '' })
        ;(await get(id)).uploadedDocuments.should.equal(1)
      })
    }
  }

  it('records what was uploaded, hashed', async () => {
    const { id } = await create(draft())
    await caller().upload(`/share/${id}/upload/payslip`, 'bytes', 'lønn.pdf')
    const recorded = caller()
      .sandbox.world.requests.list()
      .find(({ operation }) => operation === 'uploadToShare')
    const sha256 = createHash('sha256').update('bytes').digest('hex')
    should(recorded?.body).containEql({ contentId: 'payslip', fileName: 'lønn.pdf', size: 5, sha256 })
  })

  it('notifies the recipients when everything is uploaded, and not before', async () => {
    const { id } = await create(draft())
    await caller().upload(`/share/${id}/upload/payslip`, 'one')
    await caller().upload(`/share/${id}/upload/payslip`, 'one again')
    ;(await get(id)).uploadedDocuments.should.equal(1)
    outbox().should.be.empty()
    should((await get(id)).recipients[0]?.url).be.undefined()
    await caller().upload(`/share/${id}/upload/rules`, 'two')
    const link = linkOf(await get(id))
    const sentNotices = outbox().map(({ channel, to, link }) => ({ channel, to, link }))
    sentNotices.should.deepEqual([
      { channel: 'email', to: 'ola.nordmann@example.com', link },
      { channel: 'sms', to: '+4799999999', link },
    ])
    ;(await caller().upload(`/share/${id}/upload/rules`, 'late')).json.code.should.equal('SHARE_COMPLETE')
  })

  it('does not notify recipients set to Off, or to nothing', async () => {
    const off = recipient({ notification: { setup: { request: 'Off' }, language: 'NO' } })
    await complete(draft(off, recipient({ notification: undefined })))
    outbox().should.be.empty()
  })

  it('refuses uploads that fit nowhere', async () => {
    const { id } = await create(draft())
    ;(await caller().upload(`/share/${id}/upload/other`, 'x')).status.should.equal(404)
    ;(await caller().upload('/share/other/upload/payslip', 'x')).status.should.equal(404)
    ;(await caller().upload(`/share/${id}/upload/payslip`, 'x', 'x.txt', 'attachment')).status.should.equal(400)
    ;(await caller().call('POST', `/share/${id}/upload/payslip`, { file: 'x' })).status.should.equal(400)
    ;(await get(id)).uploadedDocuments.should.equal(0)
  })

  it('forgets an upload that breaks off', async () => {
    const { id } = await create(draft())
    const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf'
    const token = [...caller().sandbox.world.tokens.keys()][0] ?? ''
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'multipart/form-data; boundary=b' }
    const answer = await fetch(`${caller().sandbox.url}/share/${id}/upload/payslip`, {
      method: 'POST',
      headers,
      body: cut,
    })
    answer.status.should.equal(400)
    ;(await get(id)).uploadedDocuments.should.equal(0)
  })

  it('shows a recipient only what is theirs, once identified as required', async () => {
    const link = linkOf(await complete(draft()))
    const offer = await caller().open<{ identityProviders: string[] }>('GET', link)
    offer.json.identityProviders.should.deepEqual(['NO_EID_MOBILE'])
    ;(await identify(link, { identityProvider: 'SWE_EID' })).status.should.equal(403)
    // A browser gets a page with the same status.
    const asPage = {
      method: 'POST',
      headers: { Accept: 'text/html' },
      body: new URLSearchParams({ identityProvider: 'SWE_EID' }),
    }
    ;(await fetch(link, asPage)).status.should.equal(403)
    const { json } = await identify(link)
    json.files.map(({ id }) => id).should.deepEqual(['payslip'])
    const [file] = json.files
    const download = await caller().open('GET', file?.url ?? '')
    download.should.containDeep({ status: 200, text: 'one' })
    should(download.headers.get('content-disposition')).match(/filename\*=UTF-8''l%C3%B8nn\.pdf/)
    ;(await caller().open('GET', `${link}/files/rules?session=${json.session}`)).status.should.equal(404)
    ;(await caller().open('GET', `${link}/files/payslip`)).status.should.equal(401)
  })

  it('shows everything to a recipient with an empty list', async () => {
    const { json } = await identify(linkOf(await complete(draft(recipient({ uploads: [] })))))
    json.files.map(({ id }) => id).should.deepEqual(['payslip', 'rules'])
  })

  it('asks for the very person when a number or a date of birth is given', async () => {
    const authentication = [{ identityProvider: 'NO_EID_WEB', ssn: '00000000000', dateOfBirth: '010190' }]
    const link = linkOf(await complete(draft(recipient({ authentication }))))
    const wrong = { identityProvider: 'NO_EID_WEB', ssn: '00000000001', dateOfBirth: '010190' }
    ;(await identify(link, wrong)).json.code.should.equal('NOT_THE_RECIPIENT')
    ;(await identify(link, { ...wrong, ssn: '00000000000' })).status.should.equal(200)
  })

  it('marks what was opened, and notifies owner and events', async () => {
    const { id, recipients } = await complete({ ...draft(), contactDetails: { email: 'owner@example.com' } })
    const { json } = await identify(recipients[0]?.url ?? '')
    await caller().open('GET', json.files[0]?.url ?? '')
    const share = await get(id)
    should(share.recipients[0]?.content[0]?.opened).be.true()
    share.done.should.be.true()
    outbox()
      .filter(({ to }) => to === 'owner@example.com')
      .should.have.length(1)
    const events = eventTypes().map((one) => JSON.parse(one) as { type: string; payload: Record<string, unknown> })
    events
      .map(({ type }) => type)
      .should.deepEqual([
        'share_created',
        'share_recipients_authenticated',
        'share_recipient_downloaded',
        'share_downloaded',
      ])
    should(events[2]?.payload).containEql({ Id: id, ExternalId: 'run-1', ContentIdList: ['payslip'] })
  })

  it('lets a one-time recipient in once', async () => {
    const link = linkOf(await complete(draft(recipient({ oneTimeLogin: true }))))
    const first = await identify(link)
    ;(await identify(link)).json.code.should.equal('ONE_TIME_LOGIN')
    ;(await caller().open('GET', first.json.files[0]?.url ?? '')).status.should.equal(200)
  })

  it('lets others in again, and ends their session after 20 minutes', async () => {
    const link = linkOf(await complete(draft()))
    const { json } = await identify(link)
    await caller().sandbox.clock.advance(20 * 60 * 1000)
    ;(await caller().open('GET', json.files[0]?.url ?? '')).status.should.equal(401)
    ;(await identify(link)).status.should.equal(200)
  })

  it('reminds a day before the end, and then ends access', async () => {
    const link = linkOf(await complete(draft()))
    await caller().sandbox.clock.advance(9 * DAY)
    const reminders = outbox().slice(2)
    should(reminders.map(({ channel, link }) => ({ channel, link }))).deepEqual([{ channel: 'sms', link }])
    await caller().sandbox.clock.advance(DAY)
    ;(await identify(link)).should.containDeep({ status: 410, json: { code: 'ACCESS_EXPIRED' } })
    eventTypes()
      .join()
      .should.match(/share_expired/)
  })
})
