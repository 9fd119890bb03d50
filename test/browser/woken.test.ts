/**
 * A wait ends within moments of a signature in the signer app if "events" is in the same flow, in a real editor.
 *
 * @rest
 */
import should from 'should'
import { until } from '../support/time'
import { type Desk, useEditor } from './support/desk'
import { deployFlows, patience } from '../support/node-red/editor'

const signers = [
  {
    externalSignerId: 'signer-1',
    signerInfo: { firstName: 'Kari', lastName: 'Nordmann' },
    redirectSettings: { redirectMode: 'donot_redirect' },
    signatureType: { mechanism: 'pkisignature' },
  },
]
const form = { title: 'Lease', contactEmail: 'post@example.com', fileName: 'lease.txt', fileNameType: 'str' }
const place = { z: 'f', client: 'c' }

describe('a signature in the signer app', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('ends a wait in the editor at once, though it would not ask for an hour', async () => {
    const { red, browser, page } = desk
    await deployFlows(red, [
      { id: 'f', type: 'tab', label: 'Flow 1' },
      { id: 'c', type: 'eid-client', environment: 'sandbox' },
      { ...place, id: 'in', type: 'http in', url: '/lease', method: 'post', x: 120, y: 100, wires: [['create']] },
      {
        ...place,
        ...form,
        id: 'create',
        type: 'eid-create-document',
        x: 320,
        y: 100,
        wires: [['out', 'wait']],
        signers: JSON.stringify(signers),
        signersType: 'json',
        file: 'YWdyZWVk',
        fileType: 'str',
      },
      { ...place, id: 'out', type: 'http response', x: 560, y: 60, wires: [] },
      {
        ...place,
        id: 'wait',
        type: 'eid-wait',
        pollInterval: '3600',
        maxInterval: '7200',
        x: 560,
        y: 120,
        wires: [['debug'], [], []],
      },
      {
        ...place,
        id: 'debug',
        type: 'debug',
        active: true,
        tosidebar: true,
        complete: 'status',
        x: 800,
        y: 120,
        wires: [],
      },
      { ...place, id: 'events', type: 'eid-events', interval: 1, x: 120, y: 220, wires: [[]] },
    ])
    await page.reload()
    await page.waitForSelector('.red-ui-palette-node')
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${red.url}/lease`, { method: 'POST', headers, body: '{}' })
    const { signers: made } = (await answer.json()) as { signers: { url: string }[] }
    const status = page.locator('[id="wait"] .red-ui-flow-node-status-label')
    await until(
      async () => /^0 of 1 signed, waiting for Kari/.test((await status.textContent()) ?? ''),
      patience / 1000,
    )
    const signer = await (await browser.newContext()).newPage()
    await signer.goto(made[0]?.url ?? '')
    await signer.locator('#sign').click()
    const signed = performance.now()
    await until(async () => (await status.textContent()) === 'signed', patience / 1000)
    const seconds = (performance.now() - signed) / 1000
    if (process.env.EID_FIGURES) console.log({ seconds })
    if (process.env.PICTURES) await page.screenshot({ path: '.cache/woken.png' })
    // Without the event, the next poll would be in an hour.
    should(seconds).be.below(30)
  })
})
