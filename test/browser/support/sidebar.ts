/** The tab eID in the sidebar, and a flow that fills it with leases. */
import should from 'should'
import type { Page } from 'playwright-core'
import { until } from '../../support/time'
import { type NodeRed } from '../../support/node-red/editor'

export const place = (id: string, x: number, y: number) => ({ id, z: 'f', x, y })

/** `POST /lease` creates a document at this service and waits for its signers. */
export function leaseFlows(baseUrl: string): object[] {
  return [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', name: 'Our company', baseUrl, retries: 0 },
    { ...place('in', 120, 80), type: 'http in', url: '/lease', method: 'post', wires: [['create']] },
    {
      ...place('create', 300, 80),
      type: 'eid-create-document',
      name: 'the lease',
      client: 'c',
      wires: [['wait', 'out']],
    },
    { ...place('wait', 500, 80), type: 'eid-wait', name: 'wait for all', client: 'c', wires: [[], [], []] },
    { ...place('out', 520, 160), type: 'http response', wires: [] },
  ]
}

export async function post(red: NodeRed, path: string, body: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  should((await fetch(red.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).ok).be.true()
}

/** A lease that these people have to sign. */
export function leaseOf(title: string, names: readonly string[] = ['Ola'], more: object = {}): object {
  const base = {
    title,
    contactDetails: { email: 'kari.nordmann@example.com' },
    dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
    signers: names.map((firstName) => ({
      externalSignerId: `${firstName}-1`,
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
      signerInfo: { firstName, lastName: 'Nordmann', email: 'ola.nordmann@example.com' },
    })),
  }
  return Object.assign(base, more)
}

/** Shows the tab eID until `seen` is visible: after its start, the editor chooses a tab itself, perhaps later. */
export async function showSidebar(page: Page, seen = page.locator('.eid-sidebar .eid-row').last()): Promise<void> {
  await until(async () => {
    await page.evaluate(() => {
      ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('eid-sidebar')
    })
    return seen.isVisible()
  })
}

/**
 * Presses the first "Open the link", and returns the page of the signer. Chromium sometimes closes the new window while
 * it leaves the empty page; then this presses once more, as a person does.
 */
export async function openLink(page: Page): Promise<Page> {
  const button = page.getByRole('button', { name: /^Open the link/ }).first()
  const press = async () => {
    const [app] = await Promise.all([page.context().waitForEvent('page'), button.click()])
    await app.waitForURL(/^http/).catch((error: unknown) => {
      if (!app.isClosed()) throw error
    })
    return app
  }
  const app = await press()
  return app.isClosed() ? press() : app
}
