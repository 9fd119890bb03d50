/** The sandbox's control room in a real browser, worked with the keyboard alone. */
import should from 'should'
import type { Browser, Page } from 'playwright-core'
import { startParties, type Parties } from '../nodes/parties'
import { startService, type Service } from '../nodes/service'
import { launchBrowser, patience } from './harness'
import { pressOn, tabTo } from './keyboard'
import { complaintsOf, shouldSuitEverybody } from './look'

describe('the control room', function () {
  this.timeout(120_000)
  let service: Service
  let parties: Parties
  let browser: Browser
  let page: Page
  let complaints: readonly string[]

  before(async () => {
    service = await startService()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })
  beforeEach(async () => {
    await service.reset()
    parties = await startParties(service)
    page = await browser.newPage()
    complaints = complaintsOf(page)
    page.setDefaultTimeout(patience)
    await page.goto(service.url)
  })
  afterEach(async () => {
    await page.close()
    should(complaints).deepEqual([])
  })

  const panel = (id: string) => page.locator(`#${id}`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  /** Everything that a panel can show. */
  const fill = async () => {
    const { documentId, signers } = await parties.createDocument('room-1', 2)
    await parties.createDocument('room-2')
    await fetch(`${service.url}/sign/${signers[0]?.url.split('jwt=')[1] ?? ''}/sign`, { method: 'POST' })
    const session = await parties.createSession()
    const share = await parties.call<{ id: string }>('POST', '/share/buckets/', {
      information: { title: 'Payslips', description: 'Your payslip' },
      content: [{ id: 'payslip', name: 'Payslip', type: 'file' }],
      recipients: ['Ola', 'Kari'].map((firstName) => ({
        firstName,
        lastName: 'Nordmann',
        email: 'ola.nordmann@example.com',
        expires: new Date(service.sandbox.clock.now() + 10 * 86_400_000).toISOString(),
        mobile: { countryCode: '47', number: '99999999' },
        uploads: [],
        authentication: [],
        notification: { setup: { request: 'SendBoth' } },
      })),
    })
    await parties.upload(`/share/buckets/${share.id}/upload/payslip`, Buffer.from('payslip'), 'payslip.txt')
    return { documentId, session, share }
  }

  it('shows what happens while it happens', async () => {
    await panel('documents').getByText('No documents yet').waitFor()
    const { session } = await fill()
    await panel('documents').getByText('room-1', { exact: true }).waitFor()
    await panel('documents').getByText('signed', { exact: true }).waitFor()
    await panel('sessions').getByText(session.id).waitFor()
    await panel('shares').getByText('complete').waitFor()
    await panel('outbox').getByText('SMS to').first().waitFor()
    await panel('requests').getByText('createDocument').first().waitFor()
    await panel('events').getByText('share_created').first().waitFor()
  })

  it('opens what people would see, and unfolds a request', async () => {
    const { documentId } = await fill()
    await page.reload()
    await tabTo(page, panel('documents').getByRole('link').first())
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
    await opened.getByRole('heading', { name: 'Contract room-2' }).waitFor()
    await opened.close()
    const summary = panel('requests').locator('summary').first()
    await pressOn(page, summary)
    await panel('requests').locator('details[open] pre').waitFor()
    // Unfolded it stays, though more arrives.
    await parties.call('GET', `/signature/documents/${documentId}/status`)
    await page.waitForResponse(`${service.url}/sandbox/panels`)
    should(await panel('requests').locator('details[open]').count()).equal(1)
  })

  it('sets a fault and takes it away', async () => {
    const { documentId } = await parties.createDocument('room-3')
    const ask = () => parties.call('GET', `/signature/documents/${documentId}`)
    await tabTo(page, page.getByLabel('Operation'))
    await page.keyboard.type('getDocument')
    await tabTo(page, page.getByLabel('Times'))
    await page.keyboard.type('5')
    await tabTo(page, page.getByLabel('Retry-After'))
    await page.keyboard.type('7')
    await pressOn(page, button('Switch on'))
    await page.getByRole('status').getByText('Done.').waitFor()
    await panel('faults').getByText('status 503 for getDocument, 5 more').waitFor()
    await tabTo(page, button('Switch all off'))
    await should(ask()).be.rejectedWith(/: 503/)
    // The list is a new one, the focus is where it was.
    await panel('faults').getByText('4 more').waitFor()
    should(await button('Switch all off').evaluate((one) => one === document.activeElement)).be.true()
    await page.keyboard.press('Enter')
    await panel('faults').getByText('None is switched on.').waitFor()
    await ask()
  })

  it('is worked from one row: sign as, decline, remind, look, cancel', async () => {
    const { documentId, signers } = await parties.createDocument('room-4', 2)
    const stateOf = () => service.sandbox.world.signature.documents.get(documentId)?.status
    const row = panel('documents').locator('li', { hasText: 'Contract room-4' }).first()
    await row.getByText('Next: signer-0').waitFor()
    await pressOn(page, row.getByRole('button', { name: 'Sign as signer-0' }))
    await row.getByText('partly signed').waitFor()
    await row.getByText('Next: signer-1').waitFor()
    await pressOn(page, row.getByText('Details', { exact: true }))
    await row.getByText(documentId, { exact: true }).waitFor()
    await row.getByText('signer-0 signed “Contract room-4”; more have to.').waitFor()
    await pressOn(page, row.getByText('Look at the document'))
    await row.frameLocator('iframe').getByText('agreed').waitFor()
    await pressOn(page, row.getByRole('button', { name: 'Remind' }))
    await page.getByRole('status').getByText('Done.').waitFor()
    // Unfolded it stays, though its row is a new one.
    await parties.call('POST', `/signature/documents/${documentId}/signers`, {
      externalSignerId: 'per-nordmann',
      signerInfo: { firstName: 'Per', lastName: 'Nordmann' },
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    })
    await row.getByRole('link', { name: 'Per Nordmann' }).waitFor()
    should(await row.getByText(documentId, { exact: true }).isVisible()).be.true()
    await shouldSuitEverybody(page)
    page.once('dialog', (dialog) => void dialog.accept())
    await pressOn(page, row.getByRole('button', { name: 'Cancel' }))
    await row.getByText('canceled', { exact: true }).first().waitFor()
    should(stateOf()).equal('canceled')
    should(signers).have.length(2)
  })

  it('lets happen in plain words what can happen', async () => {
    for (const [name, fault] of [
      ['The service is down for three calls', { kind: 'status', status: 503, count: 3 }],
      ['Answers get lost after it has acted, three times', { kind: 'close-after', count: 3 }],
      ['Slow: five seconds for three calls', { kind: 'slow', delay: 5000, count: 3 }],
      ['Too many calls: three are turned away', { kind: 'status', status: 429, count: 3 }],
      ['The token has expired', { kind: 'expired-token', count: 1 }],
    ] as const) {
      await pressOn(page, button(name))
      await panel('faults').getByText('more').first().waitFor()
      should(service.sandbox.world.faults.list()).containDeep([fault])
      await pressOn(page, button('Switch all off'))
      await panel('faults').getByText('None is switched on.').waitFor()
    }
  })

  it('speaks Norwegian to a Norwegian browser', async () => {
    await fill()
    const context = await browser.newContext({ locale: 'nb-NO' })
    const norwegian = await context.newPage()
    await norwegian.goto(service.url)
    await norwegian.getByRole('heading', { name: 'Sandkassens kontrollrom' }).waitFor()
    should(await norwegian.locator('html').getAttribute('lang')).equal('nb')
    await norwegian.locator('#documents').getByText('delvis signert').waitFor()
    await norwegian.waitForResponse(`${service.url}/sandbox/panels`)
    await norwegian.locator('#documents').getByText('Neste: signer-1').waitFor()
    await shouldSuitEverybody(norwegian)
    await context.close()
  })

  it('says what is wrong with a fault', async () => {
    await tabTo(page, page.getByLabel('Status'))
    await page.keyboard.type('9')
    const refused = () => page.getByLabel('Status').evaluate((input: HTMLInputElement) => !input.checkValidity())
    await pressOn(page, button('Switch on'))
    should(await refused()).be.true()
    should(service.sandbox.world.faults.list()).deepEqual([])
  })

  it('says so when the sandbox does not answer', async () => {
    await page.route('**/sandbox/panels', (route) => route.abort())
    await page.getByRole('status').getByText('The sandbox does not answer.').waitFor()
  })

  it('leaves the buttons of the clock alone while the time goes on', async () => {
    const step = await button('1 minute').elementHandle()
    const time = panel('clock').locator('time')
    const shown = await time.innerText()
    await page.waitForFunction((before) => document.querySelector('#clock time')?.textContent !== before, shown)
    should(await step?.evaluate((one) => one.isConnected)).be.true()
  })

  it('moves the clock, and what is due happens', async () => {
    await fill()
    await page.reload()
    await panel('sessions').getByText('created', { exact: true }).waitFor()
    const before = service.sandbox.clock.now()
    await pressOn(page, button('10 minutes'))
    await panel('sessions').getByText('timed out').waitFor()
    should(service.sandbox.clock.now() - before).be.aboveOrEqual(600_000)
    // The focus is still there, so that pressing again moves on.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    should(await page.locator(':focus').innerText()).equal('10 minutes')
    await pressOn(page, button('45 days'))
    await panel('documents').getByText('expired').first().waitFor()
    await panel('shares').getByText('expired').first().waitFor()
  })

  it('pays a deposit in, and leads to the page on which the tenant signs how it is shared out', async () => {
    const fund = page.getByRole('button', { name: 'Fund deposit-unfunded-1' })
    await pressOn(page, fund)
    await panel('deposits').getByText('27000 of 27000').nth(2).waitFor()
    await parties.call('POST', '/deposit/personal/deposit-unfunded-1/terminate', {
      category: 'SPLIT',
      username: 'kari',
      amount: { tenant: 20_000, landlord: 7000 },
      transactionInfo: { landlord: { kid: '1234567890', description: 'Repairs' } },
    })
    const link = panel('deposits').getByRole('link', { name: 'Sign as Ola' })
    await link.waitFor()
    await tabTo(page, link)
    const [tenant] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
    await shouldSuitEverybody(tenant)
    await pressOn(tenant, tenant.getByRole('button', { name: 'Sign' }))
    await tenant.getByRole('status').getByText('You have signed.').waitFor()
    await tenant.close()
    await panel('deposits').getByText('20000 to the tenant').waitFor()
  })

  it('starts over when that is confirmed, and only then', async () => {
    await fill()
    await parties.call('POST', '/notification/webhooks', {
      name: 'flows',
      active: true,
      events: ['*'],
      config: { url: 'http://127.0.0.1:1/none' },
    })
    await service.sandbox.clock.advance(600_000)
    await page.reload()
    page.once('dialog', (dialog) => void dialog.dismiss())
    await pressOn(page, button('Start over'))
    should(service.sandbox.world.signature.documents.size).equal(2)
    page.once('dialog', (dialog) => void dialog.accept())
    await pressOn(page, button('Start over'))
    await panel('documents').getByText('No documents yet').waitFor()
    await panel('shares').getByText('No shares yet').waitFor()
    await panel('sessions').getByText('No sessions yet').waitFor()
    should(service.sandbox.world.signature.documents.size).equal(0)
    // The time is put back, and who listens goes on listening.
    should(Math.abs(service.sandbox.clock.now() - Date.now())).be.below(60_000)
    should(service.sandbox.world.notification.webhooks.size).equal(1)
  })

  it('suits everybody, empty, full, and on a narrow screen', async () => {
    await shouldSuitEverybody(page)
    await fill()
    await service.fault({ kind: 'slow', operation: 'getShare' })
    for (const [width, cell] of [
      [1280, 50],
      [380, 200],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.reload()
      await panel('documents').getByText('room-1', { exact: true }).waitFor()
      const [inner, outer] = await page.evaluate(() => [document.body.scrollWidth, window.innerWidth])
      should(inner).be.belowOrEqual(outer ?? 0, `scrolls sideways at ${width} pixels`)
      const cells = await page.locator('td').evaluateAll((all) => all.map(({ clientWidth }) => clientWidth))
      should(Math.min(...cells)).be.aboveOrEqual(cell, `cells are too narrow at ${width} pixels`)
      await shouldSuitEverybody(page)
    }
  })
})
