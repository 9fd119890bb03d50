/**
 * The example "consent by QR code" from a person's view: a poster, its code scanned from the picture, the form on a
 * phone, and signing in the page.
 *
 * @rest
 */
import should from 'should'
import type { Browser, Page } from 'playwright-core'
import { scanPixels } from '../support/qr-code'
import { runExample, type RunningExample } from '../support/examples/running-example'
import { launchBrowser } from '../support/node-red/editor'
import { shouldSuitEverybody } from './support/look'
import { until } from '../support/time'

describe('the consent by QR code, on a phone', () => {
  let example: RunningExample
  let browser: Browser
  before(async () => {
    example = await runExample('15-consent-by-qr-code')
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await example?.stop()
  })

  /** Reads the code from the picture of the page, as a camera does. */
  const scan = async (page: Page) => {
    const picture = (await page.screenshot()).toString('base64')
    const { rgba, width, height } = await page.evaluate(async (png) => {
      const image = new Image()
      image.src = `data:image/png;base64,${png}`
      await image.decode()
      // Half the width and height has a quarter of the pixels. They are returned as one text, which the browser passes
      // on quickly.
      const size = { width: image.width >> 1, height: image.height >> 1 }
      const context = Object.assign(document.createElement('canvas'), size).getContext('2d')
      context?.drawImage(image, 0, 0, size.width, size.height)
      const pixels = context?.getImageData(0, 0, size.width, size.height).data ?? new Uint8ClampedArray()
      const letters = Array.from(pixels, (byte) => String.fromCharCode(byte))
      return { rgba: btoa(letters.join('')), ...size }
    }, picture)
    return scanPixels(new Uint8ClampedArray(Buffer.from(rgba, 'base64')), width, height)
  }

  it('leads from the code on the poster to a signed consent', async () => {
    const { red } = example
    await example.deploy({ '': { env: [{ name: 'NODE_RED_ADDRESS', value: red.url, type: 'str' }] } })
    for (const colorScheme of ['light', 'dark'] as const) {
      const wall = await browser.newPage({ viewport: { width: 800, height: 1100 }, colorScheme })
      await wall.goto(`${red.url}/eid-example/poster`)
      should(await scan(wall)).equal(`${red.url}/eid-example/consent`)
      await wall.close()
    }
    const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
    await phone.goto(`${red.url}/eid-example/consent`)
    await shouldSuitEverybody(phone)
    await phone.getByLabel('First name').fill('Ola')
    await phone.getByLabel('Last name').fill('Nordmann')
    await phone.getByLabel('E-mail').fill('ola.nordmann@example.com')
    await phone.getByRole('button', { name: 'Read and sign' }).dblclick()
    const frame = phone.frameLocator('iframe')
    await frame.getByRole('button', { name: /^Sign/ }).first().click()
    await until(() => example.times('consent kept') === 1)
    should(await example.titles()).deepEqual(['Consent to pictures'])
    should(red.output()).match(/sign_success, confirmed/)
    should(example.times('problem')).equal(0)
  })
})
