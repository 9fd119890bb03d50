/** Existing shares of the sandbox: listed, changed, deleted, and with recipients added and removed. */
import should from 'should'
import type { ErrorBody } from './caller'
import { DAY, type ShareBody, useShares } from './share-calls'

describe('sandbox: share, after creation', () => {
  const { caller, inDays, recipient, draft, create, get, complete, linkOf, identify, outbox, eventTypes } = useShares()

  it('lists shares, and changes their texts', async () => {
    const { id } = await create(draft())
    const { json } = await caller().call<ShareBody>('PATCH', `/share/buckets/${id}`, { title: 'Payslips of May' })
    should(json.information).containEql({ title: 'Payslips of May', description: 'Your payslip' })
    const list = await caller().call<ShareBody[]>('GET', '/share/buckets')
    should(list.json.map((one) => one.information.title)).deepEqual(['Payslips of May'])
    const wrong = await caller().call('PATCH', `/share/buckets/${id}`, { title: '', contactDetails: { email: 'kari' } })
    should(wrong.json.errors.map(({ field }) => field)).deepEqual(['title', 'contactDetails.email'])
  })

  it('opens a deleted share to no one, not even to a logged-in recipient', async () => {
    const share = await complete(draft())
    const { json } = await identify(linkOf(share))
    ;(await caller().call('DELETE', `/share/buckets/${share.id}`)).status.should.equal(200)
    should((await identify(linkOf(share))).json.code).equal('SHARE_DELETED')
    ;(await caller().open('GET', json.files[0]?.url ?? '')).status.should.equal(401)
    should(await get(share.id)).containEql({ deleted: true })
    ;(await caller().call('DELETE', `/share/buckets/${share.id}`)).status.should.equal(422)
    eventTypes()
      .join()
      .should.match(/share_deleted/)
  })

  it('notifies an added recipient, lets in a changed one, and keeps out a removed one', async () => {
    const share = await complete(draft())
    const at = `/share/buckets/${share.id}/recipients`
    const before = outbox().length
    const added = await caller().call<{ id: string; url: string } & ErrorBody>(
      'POST',
      at,
      recipient({ firstName: 'Kari' }),
    )
    should(outbox().length).equal(before + 2)
    const open = () => identify(added.json.url, { identityProvider: 'SWE_EID' })
    ;(await open()).status.should.equal(403)
    const authentication = [{ identityProvider: 'SWE_EID' }]
    await caller().call('PATCH', `${at}/${added.json.id}`, { authentication, content: ['rules'] })
    should((await open()).json.files.map(({ id }) => id)).deepEqual(['rules'])
    ;(
      await caller().call('POST', `/share/buckets/${share.id}/resendNotificationToRecipient/${added.json.id}`)
    ).status.should.equal(200)
    should(outbox().filter(({ link }) => link === added.json.url)).have.length(4)
    ;(await caller().call('DELETE', `${at}/${added.json.id}`)).status.should.equal(200)
    ;(await open()).status.should.equal(404)
    const page = await fetch(added.json.url, { headers: { Accept: 'text/html' } })
    should(page.status).equal(404)
    should(await page.text()).match(/This link is not valid, or no longer valid/)
    ;(await caller().call('GET', `${at}/${added.json.id}`)).status.should.equal(404)
    const left = await caller().call<{ firstName: string }[]>('GET', at)
    should(left.json.map(({ firstName }) => firstName)).deepEqual(['Ola'])
  })

  it('keeps what a change does not mention, within objects too', async () => {
    const { id, recipients } = await create(draft())
    const [ola] = recipients as unknown as { id: string }[]
    const path = `/share/buckets/${id}/recipients/${ola?.id ?? ''}`
    const { json } = await caller().call<{ notification: object } & ErrorBody>('PATCH', path, {
      notification: { setup: { reminder: 'SendEmail' } },
    })
    should(json.notification).deepEqual({ setup: { request: 'SendBoth', reminder: 'SendEmail' }, language: 'EN' })
  })

  it('leaves it to the recipient to identify where no way is named: the specification leaves open which', async () => {
    const share = await complete(draft(recipient({ authentication: [] })))
    should((await identify(linkOf(share), {})).json.files).have.length(1)
    should((await identify(linkOf(share))).json.files).have.length(1)
    const page = await (await fetch(linkOf(share), { headers: { Accept: 'text/html' } })).text()
    should(page).containEql('Continue without')
    const named = await complete(draft())
    should((await identify(linkOf(named), {})).status).equal(403)
  })

  it('refuses a recipient that would not be taken at creation, and to remove the last', async () => {
    const { id, recipients } = await create(draft())
    const at = `/share/buckets/${id}/recipients`
    const wrong = await caller().call('POST', at, recipient({ email: 'ola', uploads: ['other'] }))
    should(wrong.json.errors.map(({ field }) => field)).deepEqual(['email', 'uploads'])
    const [only] = recipients as unknown as { id: string }[]
    ;(await caller().call('DELETE', `${at}/${only?.id ?? ''}`)).status.should.equal(422)
    should((await caller().call('PATCH', `${at}/${only?.id ?? ''}`, { expires: inDays(100) })).status).equal(400)
  })

  it('ends a share when the time of its last recipient is up, also when that was moved', async () => {
    const share = await complete(draft())
    const [only] = share.recipients as unknown as { id: string }[]
    await caller().call('PATCH', `/share/buckets/${share.id}/recipients/${only?.id ?? ''}`, { expires: inDays(20) })
    await caller().sandbox.clock.advance(15 * DAY)
    ;(await identify(linkOf(share))).status.should.equal(200)
    await caller().sandbox.clock.advance(6 * DAY)
    ;(await identify(linkOf(share))).status.should.equal(410)
  })
})
