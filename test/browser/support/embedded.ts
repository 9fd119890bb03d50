/** Pages of "embed" in a real browser: a flow that makes them, and a service whose apps they frame. */
import type { Browser, Frame, Page } from 'playwright-core'
import node from '../../../nodes/embed/embed'
import { startFlow, type Flow } from '../../support/flow'
import { startParties, type CreatedDocument } from '../../support/parties'
import { startPublicSide } from '../../support/public-site'
import { startService, type Service } from '../../support/service'
import type { FlowMessage } from '../../support/node-types'
import { launchBrowser, patience } from '../../support/node-red/editor'
import { complaintsOf } from './look'

export interface Embedded {
  readonly service: Service
  /** The origin of the pages. */
  readonly url: string
  start(settings?: object, client?: object): Promise<Flow>
  /**
   * Creates a document for one signer with the settings `signer`. `domain` lists the domains that may frame the signer
   * app.
   */
  document(externalId: string, domain?: string, signer?: object): Promise<{ documentId: string; app: string }>
  session(parent?: string): Promise<{ id: string; url: string }>
  /** Makes a page that shows the address `app` in a frame; returns the page's own address. */
  register(flow: Flow, app: string, more?: FlowMessage): Promise<string>
  /**
   * Opens a new tab. `reports` collects the messages that the tab's pages report to the node, `complaints` collects
   * errors.
   */
  tab(): Promise<Page & { readonly reports: readonly string[]; readonly complaints: readonly string[] }>
  reset(): Promise<void>
  close(): Promise<void>
}

export async function startEmbedded(): Promise<Embedded> {
  const service = await startService()
  const site = await startPublicSide()
  const browser: Browser = await launchBrowser()
  return {
    service,
    url: site.url,
    start: (settings = {}, client = {}) =>
      startFlow({
        type: 'eid-embed',
        module: node,
        modules: [site.module],
        outputs: 3,
        settings: { url: 'url', ...settings },
        client: { baseUrl: service.url, ...client },
      }),
    async document(externalId, domain = new URL(site.url).host, signer = {}) {
      const parties = await startParties(service)
      const { documentId, signers } = await parties.call<CreatedDocument>('POST', '/signature/documents', {
        title: 'Rental agreement',
        externalId,
        contactDetails: { email: 'kari.nordmann@example.com' },
        dataToSign: { fileName: 'contract.txt', base64Content: Buffer.from('agreed').toString('base64') },
        signers: [
          {
            externalSignerId: 'ola-1',
            redirectSettings: { redirectMode: 'iframe_with_webmessaging', domain },
            signatureType: { mechanism: 'pkisignature' },
            ...signer,
          },
        ],
      })
      return { documentId, app: signers[0]?.url ?? '' }
    },
    async session(parent = site.url) {
      const parties = await startParties(service)
      return parties.call('POST', '/identification/v2/sessions', {
        flow: 'iframe',
        allowedProviders: ['no_eid_mobile'],
        iframeSettings: { parentDomains: [parent], postMessageTargetOrigin: site.url },
      })
    },
    async register(flow, app, more = {}) {
      flow.send({ url: app, ...more })
      const { embedUrl } = await flow.next(2)
      return site.url + new URL(String(embedUrl), site.url).pathname.replace('/nr/', '/')
    },
    async tab() {
      const context = await browser.newContext({ locale: 'en-GB' })
      const page = await context.newPage()
      page.setDefaultTimeout(patience)
      const reports: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'POST' || !request.url().endsWith('/messages')) return
        reports.push((JSON.parse(request.postData() ?? '') as { data: string }).data)
      })
      return Object.assign(page, { reports, complaints: complaintsOf(page) })
    },
    reset: async () => {
      for (const context of browser.contexts()) await context.close()
      await service.reset()
    },
    async close() {
      await browser.close()
      await site.close()
      await service.close()
    },
  }
}

/** The frame with the service's app, once the app has loaded. */
export async function appIn(page: Page, service: Service): Promise<Frame> {
  const isApp = (frame: Frame) => frame.url().startsWith(service.url)
  while (!page.frames().some(isApp)) await page.waitForEvent('framenavigated')
  const app = page.frames().find(isApp)
  if (!app) throw new Error('the app is gone')
  await app.waitForLoadState()
  return app
}

/** Posts messages from the app's frame to the surrounding page, as the app does. */
export function post(app: Frame, ...messages: unknown[]): Promise<void> {
  return app.evaluate((all) => all.forEach((message) => window.parent.postMessage(message, '*')), messages)
}
