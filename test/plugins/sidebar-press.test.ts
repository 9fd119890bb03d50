/** What a button in the sidebar tab may do: once for each document, and only what fits the pending item. */
import should from 'should'
import type { SidebarView } from '../../plugins/sidebar/view'
import type { ActionAnswer } from '../../lib/page/view'
import { json, startRed, type RedProcess } from '../support/node-red/inspected'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'
import { sentence } from '../support/wording'

const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })
const contract = {
  title: 'Lease 12',
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
}

describe('a press in the sidebar tab', () => {
  let service: Service
  let red: RedProcess
  before(async () => {
    service = await startService()
    const wait = { type: 'eid-wait', client: 'c', wires: [[], [], []] }
    const flows = [
      { id: 'f', type: 'tab', label: 'Leases' },
      { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
      { ...place('in'), type: 'http in', url: '/run', method: 'post', wires: [['create']] },
      { ...place('create'), type: 'eid-create-document', client: 'c', wires: [['one', 'other', 'out']] },
      { ...place('one'), ...wait },
      { ...place('other'), ...wait },
      { ...place('out'), type: 'http response', wires: [] },
      { ...place('deposit'), type: 'http in', url: '/deposit', method: 'post', wires: [['hold', 'out']] },
      { ...place('hold'), ...wait, what: 'deposit', resourceId: 'payload.depositId', resourceIdType: 'msg' },
    ]
    red = await startRed({ flows, people: { writer: '*' } })
  })
  after(async () => {
    await red?.stop()
    await service?.close()
  })

  const rows = async (kind: string) => {
    const answer = await red.admin('/eid/sidebar?rows=50', { headers: await red.logIn('writer') })
    return ((await answer.json()) as SidebarView).waiting.rows.filter((row) => row.kind === kind)
  }
  const press = async (body: object) => {
    const { headers, ...init } = json(body)
    const answer = await red.admin('/eid/sidebar/waiting', {
      ...init,
      headers: { ...headers, ...(await red.logIn('writer')) },
    })
    return (await answer.json()) as ActionAnswer
  }

  it('reminds of a document once, however many messages wait for it, and stops waiting for one of them', async () => {
    await fetch(`${red.url}/run`, json(contract))
    const waits = await until(async () => {
      const found = await rows('document')
      return found.length === 2 && found.every(({ waitingFor }) => waitingFor.length > 0) && found
    })
    const answers = await Promise.all(waits.map(({ wait }) => press({ wait, action: 'remind' })))
    // The second press may come while the first one is under way or after it has ended.
    const isAnswered = ({ ok, channel, earlier }: ActionAnswer) => ok && (channel === 'sendEmail' || earlier?.isSure)
    should(answers.filter(isAnswered)).have.length(2)
    should(answers.some(({ channel }) => channel === 'sendEmail')).be.true()
    should(await service.requests('remindDocument')).have.length(1)
    should(await press({ wait: waits[0]?.wait, action: 'stopWaiting' })).match({ ok: true })
    const left = await until(async () => (await rows('document')).length === 1 && rows('document'))
    should(left.map(({ wait }) => wait)).deepEqual([waits[1]?.wait])
  })

  it('gives the link of the one whose turn it is at each press, and asks at each press', async () => {
    const signer = (order: number, firstName: string) => ({
      ...contract.signers[0],
      externalSignerId: `in-order-${order}`,
      order,
      signerInfo: { firstName, lastName: 'Nordmann' },
    })
    await fetch(
      `${red.url}/run`,
      json({ ...contract, title: 'In order', signers: [signer(1, 'Per'), signer(2, 'Kari')] }),
    )
    const inOrder = async () => (await rows('document')).filter(({ title }) => title === 'In order')
    const waitFor = (name: string) => async () => {
      const [row] = await inOrder()
      return row?.waitingFor[0]?.name === `${name} Nordmann` && row
    }
    const { wait } = await until(waitFor('Per'))
    const link = async () => (await press({ wait, action: 'link' })).links
    const [first] = (await link()) ?? []
    should(first?.name).equal('Per Nordmann')
    await fetch(`${service.url}/sign/${new URL(first?.url ?? '').searchParams.get('jwt')}/sign`, json({}))
    should(await press({ wait, action: 'askNow' })).match({ ok: true })
    await until(waitFor('Kari'))
    const [second] = (await link()) ?? []
    should(second?.name).equal('Kari Nordmann')
    should(second?.url).not.equal(first?.url)
    for (const row of await inOrder()) await press({ wait: row.wait, action: 'stopWaiting' })
    await until(async () => (await inOrder()).length === 0)
  })

  it('cancels a document once, and a later reason changes nothing', async () => {
    const [row] = await rows('document')
    const cancel = (reason: string) => press({ wait: row?.wait, action: 'cancel', reason })
    should(await Promise.all([cancel('moved out'), cancel('sold')])).matchEach({ ok: true })
    should(await cancel('burnt down')).match({ ok: true })
    const calls = await service.requests('cancelDocument')
    should(calls).have.length(1)
    // Two calls at the same time may arrive in either order.
    should(calls[0]?.query.reason).be.oneOf('moved out', 'sold')
  })

  it('refuses for a deposit what can be done only with a document, and says so', async () => {
    await fetch(`${red.url}/deposit`, json({ depositId: 'deposit-unfunded-1' }))
    // There is a link as soon as the first answer says for whom the deposit waits.
    const row = await until(async () => (await rows('deposit')).find(({ actions }) => actions.includes('link')))
    should(row.actions).deepEqual(['link', 'askNow', 'stopWaiting'])
    for (const action of ['remind', 'cancel']) {
      const said = await press({ wait: row.wait, action, reason: 'none' })
      should(said.ok).be.false()
      should(said.text).equal(sentence('sidebar', 'documentsOnly', { kind: 'Deposit' }))
    }
    // The answer is in the language of the editor, not of the server.
    const norwegian = await press({ wait: row.wait, action: 'cancel', lang: 'nb' })
    should(norwegian.text).equal(sentence('sidebar', 'documentsOnly', { kind: 'Depositum' }, 'nb'))
    should((await press({ wait: 'gone', action: 'askNow', lang: 'nb' })).text).match(/finnes ikke lenger/)
    const called = (await service.requests()).filter(({ path }) => path.includes('deposit-unfunded-1'))
    should(called.filter(({ method }) => method !== 'GET')).be.empty()
  })

  it('does not check with the service while the client is disabled, and the row says so', async () => {
    const init = { headers: { ...(await red.logIn('writer')), 'Content-Type': 'application/json' } }
    const flows = (await (await red.admin('/flows', init)).json()) as { id: string }[]
    const off = flows.map((one) => (one.id === 'c' ? { ...one, d: true } : one))
    await red.admin('/flows', { ...init, method: 'POST', body: JSON.stringify(off) })
    const row = await until(async () => (await rows('deposit')).find(({ noClient }) => noClient))
    should(row.nextQuestion).be.undefined()
    const said = await press({ wait: row.wait, action: 'askNow' })
    should(said.ok).be.false()
    should(said.text).match(/^No client is chosen, or it is disabled\./)
  })
})
