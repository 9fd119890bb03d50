/** *Look now* and *Send again* in the sidebar, for a contract that may or may not have been created. @rest */
import { mkdirSync } from 'node:fs'
import should from 'should'
import { accessibilityFindings, deployFlows, patience, type EditorPage, type NodeRed } from '../support/node-red/editor'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'
import { useEditor } from './support/desk'

const place = (id: string, x: number) => ({ id, z: 'f', x, y: 80 })

describe('a contract that may have been created', () => {
  let service: Service
  let red: NodeRed
  let page: EditorPage
  useEditor((desk) => ({ red, page } = desk))
  before(async () => void (service = await startService()))
  after(() => service.close())

  const lease = (title: string) =>
    fetch(`${red.url}/lease`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        title,
        externalId: 'lease-14',
        contactDetails: { email: 'kari.nordmann@example.com' },
        dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
        signers: [
          {
            externalSignerId: 'ola-1',
            redirectSettings: { redirectMode: 'donot_redirect' },
            signatureType: { mechanism: 'pkisignature' },
            signerInfo: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' },
          },
        ],
      }),
    })
  const view = async () => (await fetch(`${red.url}/eid/sidebar`)).text()

  it('is looked up by one press, and sent again by another if it does not exist', async () => {
    mkdirSync('.cache/pictures', { recursive: true })
    await deployFlows(red, [
      { id: 'f', type: 'tab', label: 'Leases' },
      { id: 'c', type: 'eid-client', name: 'Our company', baseUrl: service.url, retries: 0 },
      { ...place('in', 100), type: 'http in', url: '/lease', method: 'post', wires: [['create']] },
      { ...place('create', 300), type: 'eid-create-document', name: 'the lease', client: 'c', wires: [['out']] },
      { ...place('out', 500), type: 'http response', wires: [] },
    ])
    await service.fault({ operation: 'createDocument', kind: 'close-before' })
    // Without this fault, the node itself would look.
    await service.fault({ operation: 'listDocuments', kind: 'status', status: 503 })
    const answered = lease('Lease, Storgata 14')
    await until(async () => (await view()).includes('"canLook"'))
    const trouble = page.locator('.eid-sidebar .eid-row', { hasText: 'Storgata 14' })
    await until(async () => {
      await page.evaluate(() => {
        ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('eid-sidebar')
      })
      return trouble.isVisible()
    }, patience / 1000)
    should(await trouble.getByText('Send again').count()).equal(0)
    await trouble.getByText('may have been done: check first').waitFor()
    await trouble.getByText('Look now').click()
    await trouble.getByText('You can send the message again').waitFor()
    await trouble.getByText('nothing was done').waitFor()
    await trouble.getByText('It was not done').waitFor()
    should(await trouble.getByText('may have been done').count()).equal(0)
    should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
    await page.screenshot({ path: '.cache/pictures/look-now.png' })
    await trouble.getByText('Send again').click()
    await trouble.waitFor({ state: 'detached' })
    // The flow continues where it stopped.
    should((await answered).status).equal(200)
    should(await service.requests('createDocument')).have.length(2)
  })
})
