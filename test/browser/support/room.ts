/** The sandbox's control room in a browser, and the parties who fill it. */
import should from 'should'
import type { Browser, Locator, Page } from 'playwright-core'
import { startParties, type Parties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { launchBrowser, patience } from '../../support/node-red/editor'
import { pressOn } from './keyboard'
import { complaintsOf } from './look'

export interface Room {
  readonly service: Service
  readonly parties: Parties
  readonly browser: Browser
  readonly page: Page
  panel(id: string): Locator
  button(name: string): Locator
  /** The first row with this text in the panel with this id. */
  rowOf(id: string, text: string): Locator
  /** Opens a row with the keyboard. */
  openRow(row: Locator): Promise<void>
  /** Confirms the next question that the page asks. */
  agree(): void
  /** Creates objects that the panels then show. */
  fill(): Promise<Filled>
}

interface Filled {
  readonly documentId: string
  readonly session: { readonly id: string }
  readonly share: { readonly id: string }
}

/**
 * Gives the tests of a `describe` one sandbox and one browser, and each test an empty control room in a new page. Calls
 * `opened` before each test. An error in the page fails the test.
 */
export function useRoom(opened: (room: Room) => void): void {
  let service: Service
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
    const parties = await startParties(service)
    page = await browser.newPage()
    complaints = complaintsOf(page)
    page.setDefaultTimeout(patience)
    await page.goto(service.url)
    opened({ service, parties, browser, page, ...handlesOf(page), fill: () => fill(service, parties) })
  })
  afterEach(async () => {
    await page.close()
    should(complaints).deepEqual([])
  })
}

function handlesOf(page: Page): Pick<Room, 'panel' | 'button' | 'rowOf' | 'openRow' | 'agree'> {
  const panel = (id: string) => page.locator(`#${id}`)
  return {
    panel,
    button: (name) => page.getByRole('button', { name, exact: true }),
    rowOf: (id, text) => panel(id).locator('.things > li', { hasText: text }).first(),
    openRow: (row) => pressOn(page, row.locator('summary').first()),
    agree: () => void page.once('dialog', (dialog) => void dialog.accept()),
  }
}

async function fill(service: Service, parties: Parties): Promise<Filled> {
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
