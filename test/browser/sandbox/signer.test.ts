/** The sandbox's signer app in a real browser: dialogs, ways back, sessions that end, and every appearance. @rest */
import should from 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { themes } from '../../../sandbox/signer/theme'
import { root } from '../../support/house'
import { stopFlow } from '../../support/flow'
import { startParties, type CreatedDocument } from '../../support/parties'
import { appIn, startEmbedded, type Embedded } from '../support/embedded'
import { accessibilityFindings } from '../../support/node-red/editor'
import { contrast } from '../support/accessibility'
import { pressOn, tabTo } from '../support/keyboard'
import { shouldSuitEverybody } from '../support/look'
import { startSite, type Site } from '../support/site'

const contract = readFileSync(join(root, 'test/fixtures/contract.pdf'))

describe('the signer app', () => {
  let world: Embedded
  let caller: Site
  let page: Page
  before(async () => {
    world = await startEmbedded()
    caller = await startSite()
  })
  beforeEach(async () => {
    await world.reset()
    page = await world.tab()
  })
  afterEach(stopFlow)
  after(async () => {
    await world?.close()
    await caller?.close()
  })

  const stateOf = (documentId: string) => world.service.sandbox.world.signature.documents.get(documentId)?.status
  const ways = (redirectMode: string) => ({
    redirectMode,
    domain: new URL(world.url).host,
    success: `${caller.put('/success', '<h1>Welcome</h1>')}?order=7`,
    cancel: caller.put('/cancel', '<h1>Until next time</h1>'),
    error: caller.put('/error', '<h1>Try again</h1>'),
  })

  it('shows the dialogs before and after, which the keyboard opens, leaves and closes', async () => {
    const dialogs = {
      before: { useCheckBox: true, title: 'Before you sign', message: 'The rent is due on the first.\nEvery month.' },
      after: { title: 'Thank you', message: 'You will get a copy.' },
    }
    const { documentId, app } = await world.document('dialogs', undefined, { ui: { dialogs } })
    await page.goto(app)
    const before = page.getByRole('dialog', { name: 'Before you sign' })
    await pressOn(page, page.locator('#sign'))
    await before.waitFor()
    should(await accessibilityFindings(page, 'html')).deepEqual([])
    await page.keyboard.press('Escape')
    await before.waitFor({ state: 'hidden' })
    should(await page.locator('#sign').evaluate((one) => one === document.activeElement)).be.true()
    await page.keyboard.press('Enter')
    await pressOn(page, before.getByRole('button', { name: 'Continue' }))
    should(await before.isVisible()).be.true()
    should(stateOf(documentId)).equal('unsigned')
    await tabTo(page, before.getByRole('checkbox'))
    await page.keyboard.press('Space')
    await pressOn(page, before.getByRole('button', { name: 'Continue' }))
    const after = page.getByRole('dialog', { name: 'Thank you' })
    await after.waitFor()
    should(await accessibilityFindings(page, 'html')).deepEqual([])
    await pressOn(page, after.getByRole('button', { name: 'Close' }))
    await page.getByRole('status').getByText('Signed. You can close this page.').waitFor()
    should(stateOf(documentId)).equal('signed')
  })

  it('asks the questions of the sender, and signs only with valid answers', async () => {
    const formFields = [
      { key: 'size', description: 'Shoe size', type: 'text', regex: '[0-9]{2}', required: true },
      { key: 'news', description: 'I would like the newsletter', type: 'checkbox' },
    ]
    const { documentId, app } = await world.document('asking', undefined, {
      ui: { dialogs: { before: { formFields } } },
    })
    await page.goto(app)
    await pressOn(page, page.locator('#sign'))
    const dialog = page.getByRole('dialog', { name: 'Sign' })
    await dialog.waitFor()
    should(await accessibilityFindings(page, 'html')).deepEqual([])
    await dialog.getByLabel('Shoe size').fill('large')
    if (process.env.SHOT) await page.screenshot({ path: join(root, '.cache/pictures/asking.png') })
    await pressOn(page, dialog.getByRole('button', { name: 'Continue' }))
    should(await dialog.isVisible()).be.true()
    should(stateOf(documentId)).equal('unsigned')
    await dialog.getByLabel('Shoe size').fill('43')
    await dialog.getByRole('checkbox', { name: 'I would like the newsletter' }).check()
    await pressOn(page, dialog.getByRole('button', { name: 'Continue' }))
    await page.getByRole('status').getByText('Signed. You can close this page.').waitFor()
    const [signer] = world.service.sandbox.world.signature.documents.get(documentId)?.signers ?? []
    should(signer?.signature?.attributes).deepEqual({ size: '43', news: true })
  })

  for (const [button, path, claim] of [
    ['#sign', '/success', 'SignSuccess'],
    ['#cancel', '/cancel', 'Aborted'],
    ['#fail', '/error', 'Error'],
  ] as const) {
    it(`leads to the sender's ${path}, with a token that says what happened`, async () => {
      const { documentId, app } = await world.document(`redirect${path}`, undefined, {
        redirectSettings: ways('redirect'),
      })
      await page.goto(app)
      await pressOn(page, page.locator(button))
      await page.waitForURL((url) => url.pathname === path)
      const { searchParams } = new URL(page.url())
      const claims = (searchParams.get('eid-jwt') ?? '').split('.')[1] ?? ''
      should(JSON.parse(Buffer.from(claims, 'base64url').toString()))
        .have.property(claim)
        .and.be.ok()
      should(searchParams.get('order')).equal(path === '/success' ? '7' : null)
      should(stateOf(documentId)).equal(path === '/success' ? 'signed' : 'unsigned')
    })
  }

  it('first reports and then redirects, if both are set, within the frame of our page', async () => {
    const flow = await world.start({ frameSources: caller.url })
    const redirectSettings = ways('iframe_with_redirect_and_webmessaging')
    const { documentId, app } = await world.document('both', undefined, { redirectSettings })
    await page.goto(await world.register(flow, app, { documentId }))
    await pressOn(page, (await appIn(page, world.service)).locator('#sign'))
    should((await flow.next(1)).payload).have.properties({ type: 'sign_success', documentId, confirmed: true })
    await page.frameLocator('iframe').getByRole('heading', { name: 'Welcome' }).waitFor()
    await page.getByRole('status').getByText('The document is signed.').waitFor()
  })

  it('says that the session has ended after twenty idle minutes, and works again after a reload', async () => {
    const flow = await world.start()
    const { documentId, app } = await world.document('idle-1')
    await page.goto(await world.register(flow, app, { documentId }))
    const frame = await appIn(page, world.service)
    await world.service.sandbox.clock.advance(21 * 60_000)
    await frame.locator('#sign').click()
    await frame.getByRole('status').getByText('Your session has ended.').waitFor()
    should((await flow.next(1)).payload).have.properties({ type: 'sign_error', documentId })
    should(stateOf(documentId)).equal('unsigned')
    await page.reload()
    await (await appIn(page, world.service)).locator('#sign').click()
    should((await flow.next(1)).payload).have.properties({ type: 'sign_success', confirmed: true })
  })

  it('shows the signed document when the link is opened again', async () => {
    const parties = await startParties(world.service)
    const { documentId, signers } = await parties.call<CreatedDocument>('POST', '/signature/documents', {
      title: 'Rental agreement',
      externalId: 'again',
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'contract.pdf', base64Content: contract.toString('base64') },
      signers: [
        {
          externalSignerId: 'ola-1',
          redirectSettings: { redirectMode: 'donot_redirect' },
          signatureType: { mechanism: 'pkisignature' },
        },
      ],
    })
    const app = signers[0]?.url ?? ''
    await page.goto(app)
    await page.locator('#sign').click()
    await page.getByRole('status').getByText('Signed. You can close this page.').waitFor()
    await world.service.sandbox.clock.advance(2000)
    should(stateOf(documentId)).equal('signed')
    await page.goto(app)
    await page.getByRole('status').getByText('This document is already signed.').waitFor()
    await page.getByText('Ola Nordmann, ').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the signed document' }).click(),
    ])
    should(readFileSync(await download.path()).toString('latin1')).match(/Simulated signatures/)
    // If the browser shows PDFs, the frame shows the signed one; otherwise, there is no empty frame.
    const frames = page.locator('iframe')
    if ((await frames.count()) > 0) should(await frames.first().getAttribute('src')).match(/\/signed$/)
    await shouldSuitEverybody(page)
  })

  const look = async (name: string, styling: object, selector: string) => {
    const { app } = await world.document(name, undefined, { ui: { styling } })
    await page.goto(app)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // Other tests check the other rules: only the colors can differ.
      const findings = await accessibilityFindings(page, selector, contrast)
      should(findings).deepEqual([], `${JSON.stringify(styling)} in ${colorScheme}`)
    }
  }

  it('can be read in every theme, in light and in dark', async () => {
    for (const colorTheme of themes) await look(`theme-${colorTheme}`, { colorTheme }, '#signing')
  })

  it('suits everyone in every mode and with every top bar', async () => {
    for (const themeMode of ['Light', 'Dark']) {
      for (const topBar of ['Visible', 'OnlyMenu', 'Hidden']) {
        await look(`${themeMode}-${topBar}`, { themeMode, topBar, colorTheme: 'Teal' }, 'html')
      }
    }
    await shouldSuitEverybody(page)
  })
})
