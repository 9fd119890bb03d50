/** The sandbox's pages for people, in a real browser: identification, and the page of a share's recipient. @rest */
import should from 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { root } from '../../support/house'
import { startParties, type Parties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { launchBrowser, patience } from '../../support/node-red/editor'
import { pressOn, tabTo } from '../support/keyboard'
import { complaintsOf, shouldSuitEverybody } from '../support/look'
import { framing, startSite, type Site } from '../support/site'
import { until } from '../../support/time'

describe('the pages of the sandbox', () => {
  let service: Service
  let parties: Parties
  let site: Site
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let complaints: string[]

  before(async () => {
    service = await startService()
    site = await startSite()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
    await service?.close()
  })
  beforeEach(async () => {
    await service.reset()
    parties = await startParties(service)
    context = await browser.newContext()
    page = await context.newPage()
    complaints = complaintsOf(page)
    page.setDefaultTimeout(patience)
  })
  afterEach(async () => {
    await context.close()
    should(complaints).deepEqual([])
  })

  describe('for identification', () => {
    interface Session {
      id: string
      url: string
      status: string
      provider?: string
      identity?: Record<string, string>
    }
    const create = (more: object) =>
      parties.call<Session>('POST', '/identification/v2/sessions', {
        include: ['name', 'date_of_birth'],
        redirectSettings: {
          successUrl: site.put('/success', '<h1>Welcome</h1>'),
          abortUrl: site.put('/abort', '<h1>Until next time</h1>'),
          errorUrl: site.put('/error', '<h1>Try again</h1>'),
        },
        iframeSettings: { parentDomains: [site.url], postMessageTargetOrigin: site.url },
        ...more,
      })
    const redirected = () => create({ flow: 'redirect', allowedProviders: ['no_eid_mobile', 'se_eid'] })
    const look = ({ id }: Session) => parties.call<Session>('GET', `/identification/v2/sessions/${id}`)
    const choose = (name: string) => page.getByRole('button', { name, exact: true })

    it('lets a person choose a provider and confirm, and sends them back with the answer ready', async () => {
      const session = await redirected()
      await page.goto(session.url)
      should(await page.locator('.providers a').count()).equal(2)
      await pressOn(page, page.locator('.providers a').nth(1))
      await tabTo(page, page.getByLabel('First name'))
      await page.keyboard.type('Kari')
      await tabTo(page, choose('Identify'))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Welcome' }).waitFor()
      should(new URL(page.url()).searchParams.get('sessionId')).equal(session.id)
      const { status, provider, identity } = await look(session)
      should({ status, provider }).deepEqual({ status: 'success', provider: 'se_eid' })
      should(identity).have.properties({ firstName: 'Kari', lastName: 'Nordmann', dateOfBirth: '1990-01-01' })
    })

    it('takes Enter in a field as a yes', async () => {
      const session = await create({ flow: 'redirect', allowedProviders: ['no_eid_mobile'] })
      await page.goto(session.url)
      await pressOn(page, page.getByLabel('Last name'))
      await page.getByRole('heading', { name: 'Welcome' }).waitFor()
      should((await look(session)).status).equal('success')
    })

    for (const [button, path, status] of [
      ['Cancel', '/abort', 'user_aborted'],
      ['Let it fail', '/error', 'failed'],
    ] as const) {
      it(`leads to ${path} after “${button}”`, async () => {
        const session = await redirected()
        await page.goto(session.url)
        await page.locator('.providers a').first().click()
        await choose(button).click()
        await page.waitForURL(`${site.url}${path}`)
        should((await look(session)).status).equal(status)
        await page.goto(session.url)
        await page.getByRole('status').waitFor()
        should(await page.locator('button').count()).equal(0)
      })
    }

    for (const [button, status] of [
      ['Identify', 'success'],
      ['Cancel', 'aborted'],
      ['Let it fail', 'error'],
    ] as const) {
      it(`posts only “${status}” to the page around its frame after “${button}”`, async () => {
        const session = await create({ flow: 'iframe', allowedProviders: ['no_eid_mobile'] })
        await page.goto(site.put('/frame', framing(session.url)))
        await page.frameLocator('iframe').getByRole('button', { name: button, exact: true }).click()
        await page.frameLocator('iframe').getByRole('status').waitFor()
        await page.waitForFunction('heard.length > 0')
        const heard = await page.evaluate<{ origin: string; data: string }[]>('heard')
        should(heard.map(({ origin }) => origin)).deepEqual([service.url])
        should(JSON.parse(heard[0]?.data ?? '')).deepEqual({ sessionId: session.id, status })
      })
    }

    it('appears in no frame of another page, and posts to no other page', async () => {
      const session = await create({ flow: 'iframe', allowedProviders: ['no_eid_mobile'] })
      const { pathname } = new URL(site.put('/frame', framing(session.url)))
      await page.goto(site.alias + pathname)
      await page.waitForLoadState('load')
      should(await page.frameLocator('iframe').locator('button').count()).equal(0)
      await until(() => complaints[0])
      should(complaints.splice(0).join()).containEql(`"frame-ancestors ${site.url}"`)
    })

    it('suits everyone, on each of its pages', async () => {
      const session = await redirected()
      await page.goto(session.url)
      await shouldSuitEverybody(page)
      await page.locator('.providers a').first().click()
      await choose('Identify').waitFor()
      await shouldSuitEverybody(page)
      await page.getByRole('link', { name: 'Norsk' }).click()
      await page.getByRole('button', { name: 'Identifiser meg' }).waitFor()
      should(await page.locator('html').getAttribute('lang')).equal('nb')
      await service.sandbox.clock.advance(11 * 60_000)
      await page.reload()
      await page.getByRole('status').waitFor()
      await shouldSuitEverybody(page)
    })
  })

  describe('for the recipient of a share', () => {
    const file = readFileSync(join(root, 'test/fixtures/contract.pdf'))
    const send = async (more: object = {}) => {
      const { id } = await parties.call<{ id: string }>('POST', '/share/buckets/', {
        information: { title: 'Payslips', description: 'Your payslip of November' },
        content: [
          { id: 'payslip', name: 'Payslip', type: 'file' },
          { id: 'contract', name: 'Contract', type: 'file' },
        ],
        recipients: [
          {
            firstName: 'Ola',
            lastName: 'Nordmann',
            email: 'ola.nordmann@example.com',
            expires: new Date(service.sandbox.clock.now() + 10 * 86_400_000).toISOString(),
            mobile: { countryCode: '47', number: '99999999' },
            uploads: [],
            authentication: [
              { identityProvider: 'NO_EID_MOBILE', dateOfBirth: '010190' },
              { identityProvider: 'SWE_EID', ssn: '00000000000' },
            ],
            notification: { setup: { request: 'SendEmail' }, language: 'EN' },
            ...more,
          },
        ],
      })
      for (const name of ['payslip', 'contract'])
        await parties.upload(`/share/buckets/${id}/upload/${name}`, file, 'lønn.pdf')
      const share = await parties.call<{ recipients: { url: string }[] }>('GET', `/share/buckets/${id}`)
      return share.recipients[0]?.url ?? ''
    }
    const identify = async (dateOfBirth = '010190') => {
      await page.getByLabel('Date of birth').fill(dateOfBirth)
      await page.getByLabel('National identity number').fill('00000000000')
      await page.getByRole('button', { name: 'Identify' }).click()
    }
    const downloads = () => page.getByRole('link', { name: 'Download' })

    it('asks who it is, and gives the very bytes that were uploaded', async () => {
      await page.goto(await send())
      should(await downloads().count()).equal(0)
      await tabTo(page, page.locator('input[type=radio]').first())
      await tabTo(page, page.getByLabel('Date of birth'))
      await page.keyboard.type('010190')
      await tabTo(page, page.getByLabel('National identity number'))
      await page.keyboard.type('00000000000')
      await pressOn(page, page.getByRole('button', { name: 'Identify' }))
      await downloads().first().waitFor()
      const download = page.waitForEvent('download')
      await pressOn(page, downloads().nth(1))
      should((await download).suggestedFilename()).equal('lønn.pdf')
      should(readFileSync(await (await download).path()).equals(file)).be.true()
    })

    it('asks only for what the chosen way needs', async () => {
      await page.goto(await send())
      await page.getByLabel('Date of birth').fill('010190')
      await page.getByRole('button', { name: 'Identify' }).click()
      await downloads().first().waitFor()
    })

    it('shows nothing to another person, who may try again', async () => {
      await page.goto(await send())
      await identify('311299')
      await page.getByRole('alert').waitFor()
      should(await downloads().count()).equal(0)
      await shouldSuitEverybody(page)
      await identify()
      await downloads().first().waitFor()
    })

    it('can be opened once when the sender wants that', async () => {
      const address = await send({ oneTimeLogin: true })
      await page.goto(address)
      await identify()
      await downloads().first().waitFor()
      const again = await context.newPage()
      await again.goto(address)
      await again.getByText('can be used only once').waitFor()
      should(await again.locator('form, a').count()).equal(0)
      await shouldSuitEverybody(again)
    })

    it('is closed when the time is up, also for a person who has it open', async () => {
      // The share ends before a login would end.
      const expires = new Date(service.sandbox.clock.now() + 10 * 60_000).toISOString()
      const address = await send({ expires })
      await page.goto(address)
      await identify()
      const link = (await downloads().first().getAttribute('href')) ?? ''
      await service.sandbox.clock.advance(11 * 60_000)
      should((await context.request.get(new URL(link, address).href)).status()).be.aboveOrEqual(400)
      await page.reload()
      await page.getByText('Your access has ended').waitFor()
      should(await downloads().count()).equal(0)
      await shouldSuitEverybody(page)
    })

    it('lets a person who follows a link too late identify again, or says that the time is up', async () => {
      await page.goto(await send())
      await identify()
      await downloads().first().waitFor()
      await service.sandbox.clock.advance(20 * 60_000)
      await pressOn(page, downloads().first())
      await identify()
      await downloads().first().waitFor()
      await service.sandbox.clock.advance(11 * 86_400_000)
      await pressOn(page, downloads().first())
      await page.getByText('Your access has ended').waitFor()
    })

    it('suits everyone, in English and Norwegian', async () => {
      await page.goto(await send())
      await shouldSuitEverybody(page)
      await identify()
      await downloads().first().waitFor()
      await shouldSuitEverybody(page)
      await page.goto(await send({ notification: { setup: { request: 'SendEmail' }, language: 'NO' } }))
      await page.getByRole('button', { name: 'Identifiser meg' }).waitFor()
      should(await page.locator('html').getAttribute('lang')).equal('nb')
    })
  })
})
