/** The calls behind the control room: what it shows of objects, and what it does in a person's place. */
import should from 'should'
import { startCaller, type Caller } from './caller'
import { type DocumentBody, draft, person } from './document-calls'

describe('sandbox: the control room', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const panels = async (query = '') =>
    (await caller.open<Record<string, string>>('GET', `/sandbox/panels${query}`)).json
  const createDocument = async () => {
    const signers = [person('ola-1', { notifications: {} })]
    const body = draft({ title: 'Lease <b>1</b>', signers })
    const { json } = await caller.call<DocumentBody>('POST', '/signature/documents', body)
    return { id: json.documentId, signerId: json.signers[0]?.id, url: json.signers[0]?.url ?? '' }
  }
  const createSession = async (more: object = {}) => {
    const { json } = await caller.call<{ id: string }>('POST', '/identification/v2/sessions', {
      flow: 'headless',
      allowedProviders: ['no_eid_mobile'],
      prefilledInput: { phoneNumber: '+4799999999', dateOfBirth: '1990-01-01' },
      ...more,
    })
    return json.id
  }

  it('makes the insides of a row only when it is open', async () => {
    const { id } = await createDocument()
    const closed = (await panels()).documents ?? ''
    should(closed).containEql('Lease &lt;b&gt;1&lt;/b&gt;')
    should(closed).not.containEql(`<code>${id}</code>`)
    const open = (await panels(`?open=document-${id}&open=nothing`)).documents ?? ''
    should(open).containEql(`<code>${id}</code>`)
    // The call that created the document is listed, although its address does not contain the id.
    should(open).containEql('POST createDocument')
  })

  it('shows at once who has opened, left and failed, and lets them sign whenever they want', async () => {
    const { id, signerId, url } = await createDocument()
    await fetch(url)
    should((await panels()).documents).containEql('has opened it')
    const act = (action: string) => caller.open('POST', `/sandbox/documents/${id}/${action}`, { signerId })
    should((await act('leave')).status).equal(200)
    should((await panels()).documents).containEql('>left without signing<')
    await caller.open('POST', `/sign/${url.split('jwt=')[1] ?? ''}/fail`)
    should((await panels()).documents).containEql('title="failed"')
    // The session of the signer's open page has ended by now.
    await caller.sandbox.clock.advance(21 * 60_000)
    should((await act('sign')).status).equal(200)
    const { documents = '' } = await panels()
    should(documents).not.containEql('title="failed"')
    should(documents).containEql('title="signed"')
  })

  it('ends a session once, also one that is answered on a phone', async () => {
    const id = await createSession()
    const end = (ending: string, session = id) =>
      caller.open('POST', `/sandbox/sessions/${session}/end`, { ending }).then(({ status }) => status)
    should(await end('somehow')).equal(400)
    should(await end('abort', 'none')).equal(404)
    should(await end('abort')).equal(204)
    should(await end('success')).equal(422)
    await caller.sandbox.clock.advance(5000)
    const { json } = await caller.call<{ status: string }>('GET', `/identification/v2/sessions/${id}`)
    should(json.status).equal('user_aborted')
  })

  it('describes events by people and titles, in the language of the browser', async () => {
    await createDocument()
    await caller.open('POST', '/sandbox/fund-deposit', { id: 'deposit-unfunded-1' })
    const { events = '' } = await panels()
    should(events).containEql('“Lease &lt;b&gt;1&lt;/b&gt;” was created.')
    should(events).containEql('The deposit of Ola Nordmann is fully paid in.')
    const headers = { 'Accept-Language': 'nb-NO' }
    const norwegian = (await (await fetch(`${caller.sandbox.url}/sandbox/panels`, { headers })).json()) as {
      events: string
    }
    should(norwegian.events).containEql('Depositumet til Ola Nordmann er fullt innbetalt.')
  })

  it('is down for ten minutes of its clock, however often it is called', async () => {
    should((await panels()).faults).containEql('The service is down for ten minutes')
    const { id } = await createDocument()
    const get = async () => (await caller.call('GET', `/signature/documents/${id}`)).status
    await caller.open('POST', '/sandbox/faults', {
      kind: 'status',
      status: 503,
      operation: 'getDocument',
      seconds: 600,
    })
    for (let time = 0; time < 5; time++) should(await get()).equal(503)
    await caller.sandbox.clock.advance(601_000)
    should(await get()).equal(200)
  })
})
