/** Every web message on its way from the app through the page of "embed" into the flow, in a real browser. @rest */
import should from 'should'
import { stopFlow, type Flow } from '../../support/flow'
import { act } from '../../support/parties'
import { appIn, post, startEmbedded, type Embedded } from '../support/embedded'
import { pressOn, tabTo } from '../support/keyboard'

describe('web messages in a browser', () => {
  let world: Embedded
  before(async () => (world = await startEmbedded()))
  beforeEach(() => world.reset())
  afterEach(stopFlow)
  after(() => world?.close())

  const openDocument = async (flow: Flow, name: string, query = '') => {
    const { documentId, app } = await world.document(name)
    const address = await world.register(flow, app + query, { documentId, kept: name })
    return { documentId, app, address, about: { documentId } }
  }
  /** The next messages of output 1, without the id that all of them contain. */
  const take = async (flow: Flow, count: number, id: { documentId?: string; sessionId?: string }) => {
    const taken: object[] = []
    for (let number = 0; number < count; number++) {
      const { payload } = await flow.next(0)
      should(payload).have.properties(id)
      const { documentId: _document, sessionId: _session, ...rest } = payload as Record<string, unknown>
      taken.push(rest)
    }
    return taken
  }

  it('brings each step of a signer who signs with the keyboard alone', async () => {
    const flow = await world.start()
    const { documentId, address, about } = await openDocument(flow, 'walk')
    const page = await world.tab()
    await page.goto(address)
    const app = await appIn(page, world.service)
    should(await take(flow, 2, about)).deepEqual([
      { type: 'app_started', payload: about },
      { type: 'document_read', payload: about },
    ])
    should(await page.evaluate(() => document.activeElement?.id)).equal('app')
    await tabTo(page, app.locator('input[type=radio]').first())
    await page.keyboard.press('ArrowDown')
    should(await take(flow, 1, about)).deepEqual([{ type: 'eid_selected', payload: 'no_eid_mobile' }])
    await app.locator('#language').focus()
    await page.keyboard.press('ArrowDown')
    should(await take(flow, 1, about)).deepEqual([{ type: 'language_changed', payload: 'NO' }])
    await app.getByRole('button', { name: 'Signer' }).waitFor()
    await app.locator('#language').focus()
    await pressOn(page, app.locator('#sign'))
    should(await take(flow, 4, about)).deepEqual([
      { type: 'eid_selected', payload: 'no_eid' },
      { type: 'spinner_on' },
      { type: 'spinner_off' },
      { type: 'sign_success', payload: about },
    ])
    const final = await flow.next(1)
    should(final).have.properties({ confirmed: true, status: 'signed', documentId, kept: 'walk' })
    should(final.payload).deepEqual({ type: 'sign_success', payload: about, documentId, confirmed: true })
    await page.getByRole('status').getByText('The document is signed.').waitFor()
    should(flow.waiting()).have.properties({ out: 0, caught: 0 })
    should(page.complaints).deepEqual([])
  })

  it('brings user_canceled', async () => {
    const flow = await world.start()
    const { address, about } = await openDocument(flow, 'cancel')
    const page = await world.tab()
    await page.goto(address)
    await pressOn(page, (await appIn(page, world.service)).locator('#cancel'))
    should((await take(flow, 3, about)).at(-1)).deepEqual({ type: 'user_canceled', payload: about })
    should((await flow.next(1)).payload).have.properties({ type: 'user_canceled', confirmed: true, ...about })
    await page.getByRole('status').getByText('Signing was canceled.').waitFor()
  })

  it('brings sign_error with its codes, after which the signer can still sign', async () => {
    const flow = await world.start()
    const { documentId, address, about } = await openDocument(flow, 'error')
    const page = await world.tab()
    await page.goto(address)
    const app = await appIn(page, world.service)
    await pressOn(page, app.locator('#fail'))
    const error = (await take(flow, 5, about)).at(-1) as { type: string; payload: object }
    should(error.type).equal('sign_error')
    should(error.payload).have.only.keys('errorCode', 'errorMessage', 'eidErrorCode', 'eidErrorMessage', 'documentId')
    should((await flow.next(1)).payload).have.properties({ type: 'sign_error', confirmed: true, documentId })
    await page.getByRole('status').getByText('Something went wrong.').waitFor()
    await app.locator('#sign').click()
    should((await flow.next(1)).payload).have.properties({ type: 'sign_success', confirmed: true })
    await page.getByRole('status').getByText('The document is signed.').waitFor()
  })

  it('brings already_signed', async () => {
    const flow = await world.start()
    const { app, address, about } = await openDocument(flow, 'again')
    await act(app)
    const page = await world.tab()
    await page.goto(address)
    should(await take(flow, 2, about)).containEql({ type: 'already_signed', payload: about })
    should((await flow.next(1)).payload).have.properties({ type: 'already_signed', confirmed: true, ...about })
    await page.getByRole('status').getByText('signed already').waitFor()
  })

  it('brings document_expired', async () => {
    const flow = await world.start()
    const { address, about } = await openDocument(flow, 'late')
    await world.service.sandbox.clock.advance(46 * 86_400_000)
    const page = await world.tab()
    await page.goto(address)
    should(await take(flow, 2, about)).containEql({ type: 'document_expired', payload: about })
    const final = await flow.next(1)
    should(final).have.properties({ confirmed: true, status: 'expired' })
    await page.getByRole('status').getByText('The document has expired.').waitFor()
  })

  it('brings outdated_browser, and offers the plain link', async () => {
    const flow = await world.start()
    const { app, address, about } = await openDocument(flow, 'outdated', '&outdated=1')
    const page = await world.tab()
    await page.goto(address)
    should(await take(flow, 1, about)).deepEqual([{ type: 'outdated_browser' }])
    await page.getByRole('status').getByText('This browser is too old.').waitFor()
    const link = page.getByRole('link', { name: 'Open in a new window' })
    should(await link.getAttribute('href')).equal(`${app}&outdated=1`)
    const [window] = await Promise.all([page.waitForEvent('popup'), pressOn(page, link)])
    await window.waitForURL(`${app}&outdated=1`)
  })

  // A frame can post anything: a message that the service does not confirm is passed on, with a mark.
  for (const [type, hasSigned] of [
    ['sign_success', false],
    ['already_signed', false],
    ['document_expired', false],
    ['user_canceled', true],
    ['sign_error', true],
  ] as const) {
    it(`does not confirm ${type} when it is not so`, async () => {
      const flow = await world.start()
      const { app, address, about } = await openDocument(flow, type)
      const page = await world.tab()
      await page.goto(address)
      const frame = await appIn(page, world.service)
      await take(flow, 2, about)
      if (hasSigned) await act(app)
      await post(frame, JSON.stringify({ type, payload: about }))
      should(await take(flow, 1, about)).deepEqual([{ type, payload: about }])
      const final = await flow.next(1)
      should(final).have.properties({ confirmed: false, status: hasSigned ? 'signed' : 'unsigned' })
      should(final.payload).deepEqual({ type, payload: about, ...about, confirmed: false })
    })
  }

  for (const [button, status, found] of [
    ['Identify', 'success', 'success'],
    ['Cancel', 'aborted', 'user_aborted'],
    ['Let it fail', 'error', 'failed'],
  ] as const) {
    it(`brings the status ${status} of an identification`, async () => {
      const flow = await world.start()
      const { id: sessionId, url } = await world.session()
      const address = await world.register(flow, url, { sessionId })
      const page = await world.tab()
      await page.goto(address)
      const app = await appIn(page, world.service)
      const expected = { type: status, payload: { sessionId, status } }
      if (status === 'success') {
        // The app reports the success before it is true.
        await post(app, JSON.stringify(expected.payload))
        should((await flow.next(1)).payload).deepEqual({ ...expected, sessionId, confirmed: false })
        await take(flow, 1, { sessionId })
      }
      await pressOn(page, app.getByRole('button', { name: button, exact: true }))
      should(await take(flow, 1, { sessionId })).deepEqual([expected])
      const final = await flow.next(1)
      should(final).have.properties({ confirmed: true, status: found, sessionId })
      should(final.payload).deepEqual({ ...expected, sessionId, confirmed: true })
      should(flow.waiting()).have.properties({ out: 0, caught: 0 })
    })
  }
})
