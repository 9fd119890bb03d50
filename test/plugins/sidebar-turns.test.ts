/** What the sidebar's buttons do when it becomes the next signer's turn within seconds of the last press. */
import should from 'should'
import type { SidebarView } from '../../plugins/sidebar/view'
import type { ActionAnswer } from '../../lib/page/view'
import { json, startRed, type RedProcess } from '../support/node-red/inspected'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'

const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })
const signer = (firstName: string, order: number) => ({
  externalSignerId: `${firstName}-1`,
  order,
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
  signerInfo: { firstName, lastName: 'Nordmann', email: `${firstName.toLowerCase()}.nordmann@example.com` },
})

describe('a press in the sidebar tab, when the next signer has just got their turn', () => {
  let service: Service
  let red: RedProcess
  before(async () => {
    service = await startService()
    const flows = [
      { id: 'f', type: 'tab', label: 'Leases' },
      { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
      { ...place('in'), type: 'http in', url: '/run', method: 'post', wires: [['create']] },
      { ...place('create'), type: 'eid-create-document', client: 'c', wires: [['wait', 'out']] },
      { ...place('wait'), type: 'eid-wait', client: 'c', wires: [[], [], []] },
      { ...place('out'), type: 'http response', wires: [] },
    ]
    red = await startRed({ flows, people: { writer: '*' } })
  })
  after(async () => {
    await red?.stop()
    await service?.close()
  })

  const press = async (body: object) => {
    const { headers, ...init } = json(body)
    const signedIn = { ...headers, ...(await red.logIn('writer')) }
    const answer = await red.admin('/eid/sidebar/waiting', { ...init, headers: signedIn })
    return (await answer.json()) as ActionAnswer
  }
  const rows = async () => {
    const answer = await red.admin('/eid/sidebar?rows=50', { headers: await red.logIn('writer') })
    return ((await answer.json()) as SidebarView).waiting.rows
  }
  /** The only row, once it is the turn of this person alone. */
  const rowWith = (name: string) =>
    until(async () => (await rows()).find((row) => row.waitingFor.length === 1 && row.waitingFor[0]?.name === name))
  const sign = async (url: string) => {
    const app = new URL(url)
    const answer = await fetch(`${app.origin}/sign/${app.searchParams.get('jwt') ?? ''}/sign`, { method: 'POST' })
    should(answer.status).be.below(400)
  }

  it('reminds the next signer too, and reports only those who were reminded', async () => {
    await fetch(
      `${red.url}/run`,
      json({
        title: 'Lease 14',
        contactDetails: { email: 'kari.nordmann@example.com' },
        dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
        signers: [signer('Ola', 1), signer('Kari', 2)],
      }),
    )
    const { wait } = await rowWith('Ola Nordmann')
    const remind = () => press({ wait, action: 'remind' })
    // The second press gets the first answer, or the note of the first reminder.
    should(await Promise.all([remind(), remind()])).matchEach({ ok: true })
    should(await service.requests('remindDocument')).have.length(1)

    const { links } = await press({ wait, action: 'link' })
    await sign(String(links?.[0]?.url))
    should(await press({ wait, action: 'askNow' })).match({ ok: true })
    await rowWith('Kari Nordmann')
    should(await remind()).match({ ok: true, channel: 'sendEmail' })
    should(await service.requests('remindDocument')).have.length(2)
  })
})
