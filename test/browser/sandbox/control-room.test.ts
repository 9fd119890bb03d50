/** The sandbox's control room in a real browser, used with the keyboard alone. @rest */
import should from 'should'
import { pressOn, tabTo } from '../support/keyboard'
import { shouldSuitEverybody } from '../support/look'
import { useRoom, type Room } from '../support/room'

describe('the control room', () => {
  let room: Room
  useRoom((opened) => (room = opened))

  it('shows what happens while it happens', async () => {
    await room.panel('documents').getByText('No documents yet').waitFor()
    await room.fill()
    await room.panel('documents').getByText('room-1', { exact: true }).waitFor()
    await room.panel('documents').getByText('signed', { exact: true }).waitFor()
    await room.rowOf('sessions', 'Next: the user').getByText('iframe').waitFor()
    await room.rowOf('shares', 'Payslips').getByText('Next: Ola Nordmann, Kari Nordmann').waitFor()
    await room.panel('shares').getByText('sent', { exact: true }).waitFor()
    await room.panel('outbox').getByText('SMS to Kari Nordmann').waitFor()
    await room.panel('requests').getByText('createDocument').first().waitFor()
    await room.panel('events').getByText('share_created').first().waitFor()
  })

  it('finds objects that are too old to be listed, by title, name and id', async () => {
    const { parties, page } = room
    const { documentId } = await parties.createDocument('first')
    for (let count = 0; count < 30; count += 1) await parties.createDocument(`later-${count}`)
    const rows = room.panel('documents').locator('.things > li')
    await room.panel('documents').getByText('The latest 30 of 31.').waitFor()
    await tabTo(page, page.getByLabel('Find'))
    for (const text of ['CONTRACT FIRST', documentId]) {
      await page.getByLabel('Find').fill(text)
      await rows.nth(1).waitFor({ state: 'detached' })
      should(await rows.innerText()).containEql('Contract first')
    }
    await room.panel('shares').getByText('No shares yet').waitFor()
    await page.getByLabel('Find').fill('none of them')
    await room.panel('documents').getByText('Nothing found.').waitFor()
    await page.getByLabel('Find').fill('signer-0')
    await rows.nth(29).waitFor()
  })

  it('sets a fault and takes it away', async () => {
    const { parties, page } = room
    const { documentId } = await parties.createDocument('room-3')
    const ask = () => parties.call('GET', `/signature/documents/${documentId}`)
    await tabTo(page, page.getByLabel('Operation'))
    await page.keyboard.type('getDocument')
    await tabTo(page, page.getByLabel('Times'))
    await page.keyboard.type('5')
    await tabTo(page, page.getByLabel('Retry-After'))
    await page.keyboard.type('7')
    await pressOn(page, room.button('Switch on'))
    await page.getByRole('status').getByText('Done.').waitFor()
    await room.panel('faults').getByText('Answer with the status 503 for getDocument, 5 more').waitFor()
    await tabTo(page, room.button('Switch all off'))
    await should(ask()).be.rejectedWith(/: 503/)
    // The list was replaced, and the focus is where it was.
    await room.panel('faults').getByText('4 more').waitFor()
    should(await room.button('Switch all off').evaluate((one) => one === document.activeElement)).be.true()
    await page.keyboard.press('Enter')
    await room.panel('faults').getByText('No fault is switched on.').waitFor()
    await ask()
  })

  it('offers common faults in plain words', async () => {
    const { service, page } = room
    for (const [name, fault] of [
      ['The service is down for three calls', { kind: 'status', status: 503, count: 3 }],
      ['Three responses get lost after the call was carried out', { kind: 'close-after', count: 3 }],
      ['Slow: five seconds for three calls', { kind: 'slow', delay: 5000, count: 3 }],
      ['Too many calls: three are rejected', { kind: 'status', status: 429, count: 3 }],
      ['The token has expired', { kind: 'expired-token', count: 1 }],
    ] as const) {
      await pressOn(page, room.button(name))
      await room.button('Switch all off').waitFor()
      should(service.sandbox.world.faults.list()).containDeep([fault])
      await pressOn(page, room.button('Switch all off'))
      await room.panel('faults').getByText('No fault is switched on.').waitFor()
    }
  })

  it('speaks Norwegian to a Norwegian browser', async () => {
    const { service, browser } = room
    await room.fill()
    const context = await browser.newContext({ locale: 'nb-NO' })
    const norwegian = await context.newPage()
    await norwegian.goto(service.url)
    await norwegian.getByRole('heading', { name: 'Sandkassens kontrollrom' }).waitFor()
    should(await norwegian.locator('html').getAttribute('lang')).equal('nb')
    await norwegian.locator('#documents').getByText('delvis signert').waitFor()
    await norwegian.locator('#documents summary').first().click()
    await norwegian.getByText('Vis dokumentet').waitFor()
    await norwegian.locator('#documents').getByText('Neste: signer-1').waitFor()
    await shouldSuitEverybody(norwegian)
    await context.close()
  })

  it('says what is wrong with a fault', async () => {
    const { service, page } = room
    await tabTo(page, page.getByLabel('Status'))
    await page.keyboard.type('9')
    const refused = () => page.getByLabel('Status').evaluate((input: HTMLInputElement) => !input.checkValidity())
    await pressOn(page, room.button('Switch on'))
    should(await refused()).be.true()
    should(service.sandbox.world.faults.list()).deepEqual([])
  })

  it('says so when the sandbox does not answer', async () => {
    const { page } = room
    await page.route('**/sandbox/panels*', (route) => route.abort())
    await page.getByRole('status').getByText('The sandbox does not answer.').waitFor()
  })

  it('keeps the buttons of the clock in place while time passes', async () => {
    const { page } = room
    const step = await room.button('1 minute').elementHandle()
    const time = room.panel('clock').locator('time')
    const shown = await time.innerText()
    await page.waitForFunction((before) => document.querySelector('#clock time')?.textContent !== before, shown)
    should(await step?.evaluate((one) => one.isConnected)).be.true()
  })

  it('moves the clock, and what is due happens', async () => {
    const { service, page } = room
    await room.fill()
    await page.reload()
    await room.panel('sessions').getByText('created', { exact: true }).waitFor()
    const before = service.sandbox.clock.now()
    await pressOn(page, room.button('10 minutes'))
    await room.panel('sessions').getByText('timed out').waitFor()
    should(service.sandbox.clock.now() - before).be.aboveOrEqual(600_000)
    // The focus stays on the button, so that pressing again moves the clock further.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    should(await page.locator(':focus').innerText()).equal('10 minutes')
    await pressOn(page, room.button('45 days'))
    await room.panel('documents').getByText('expired').first().waitFor()
    await room.panel('shares').getByText('expired').first().waitFor()
  })

  it('starts over when that is confirmed, and only then', async () => {
    const { service, parties, page } = room
    await room.fill()
    await parties.call('POST', '/notification/webhooks', {
      name: 'flows',
      active: true,
      events: ['*'],
      config: { url: 'http://127.0.0.1:1/none' },
    })
    await service.sandbox.clock.advance(600_000)
    await page.reload()
    page.once('dialog', (dialog) => void dialog.dismiss())
    await pressOn(page, room.button('Start over'))
    should(service.sandbox.world.signature.documents.size).equal(2)
    page.once('dialog', (dialog) => void dialog.accept())
    await pressOn(page, room.button('Start over'))
    await room.panel('documents').getByText('No documents yet').waitFor()
    await room.panel('shares').getByText('No shares yet').waitFor()
    await room.panel('sessions').getByText('No sessions yet').waitFor()
    should(service.sandbox.world.signature.documents.size).equal(0)
    // The time was put back, and the webhook is still registered.
    should(Math.abs(service.sandbox.clock.now() - Date.now())).be.below(60_000)
    should(service.sandbox.world.notification.webhooks.size).equal(1)
  })

  it('suits everyone, empty, full, and on a narrow screen', async () => {
    const { service, page } = room
    await shouldSuitEverybody(page)
    await room.fill()
    await service.fault({ kind: 'slow', operation: 'getShare' })
    for (const width of [1280, 380]) {
      await page.setViewportSize({ width, height: 800 })
      await page.reload()
      await room.panel('documents').getByText('room-1', { exact: true }).waitFor()
      const [inner, outer] = await page.evaluate(() => [document.body.scrollWidth, window.innerWidth])
      should(inner).be.belowOrEqual(outer ?? 0, `scrolls sideways at ${width} pixels`)
      for (const id of ['documents', 'sessions', 'shares', 'deposits', 'events', 'outbox', 'requests']) {
        await room.panel(id).locator('summary').first().click()
        await room.panel(id).locator('.inside > *').first().waitFor()
      }
      await shouldSuitEverybody(page)
    }
  })
})
