/**
 * Node-RED is killed, with the settings of a fresh installation: no pending wait, page or event is lost, and nothing
 * ends twice.
 *
 * @rest
 */
import should from 'should'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptIn } from '../../support/kept-items'
import { act, startParties } from '../../support/parties'
import { startProcess, type Arrived, type Started } from '../../support/node-red/killable'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'

const minute = 60_000
const collector = (id: string) => ({ id, z: 'f', type: 'helper' })

describe('when Node-RED is killed', () => {
  let service: Service
  let userDir: string
  const running: Started[] = []
  const startWith = async (...flow: Record<string, unknown>[]) => {
    const client = { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url }
    const started = await startProcess({
      userDir,
      flow: [client, ...flow],
      credentials: { webhook: { secret: 'of the webhook' } },
    })
    running.push(started)
    return started
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  beforeEach(async () => {
    await service.reset()
    userDir = mkdtempSync(join(tmpdir(), 'eid-restart-'))
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.kill()))
    rmSync(userDir, { recursive: true })
  })

  it('ends two hundred waits and handles fifty events, each once', async () => {
    const waits = { id: 'waits', z: 'f', type: 'eid-wait', client: 'c', pollInterval: '1' }
    const events = {
      id: 'events',
      z: 'f',
      type: 'eid-events',
      client: 'c',
      interval: 0.2,
      acknowledge: 'when-returned',
    }
    const ends = ['done', 'ended', 'expired']
    const start = () =>
      startWith(
        { ...waits, wires: ends.map((id) => [id]) },
        { ...events, eventTypes: 'deposit_fully_funded', wires: [['work']] },
        { id: 'complete', z: 'f', type: 'complete', scope: ['events'], wires: [['handled']] },
        ...[...ends, 'work', 'handled'].map(collector),
      )

    const parties = await startParties(service)
    const documents = []
    for (let number = 0; number < 200; number++) documents.push(await parties.createDocument(`kill-${number}`))
    const ids = documents.map(({ documentId }) => documentId).sort()
    const { world, clock } = service.sandbox
    for (let number = 0; number < 60; number++)
      world.emit('deposit_fully_funded', { depositId: `deposit-${number}` }, [])
    const funded = () => [...world.notification.events.values()].filter(({ type }) => type === 'deposit_fully_funded')
    const all = funded().map(({ id }) => id)

    const first = await start()
    for (const documentId of ids) first.send('waits', { documentId, note: { for: documentId } })
    await until(() => {
      const stored = keptIn(userDir).map(({ body }) => body)
      return ids.every((id) => stored.some((body) => body.includes(id))) || undefined
    })
    await until(() => eventIds(first, 'work').length === 60 || undefined)
    // Ten events are handled, and fifty are in flight in the flow.
    for (const { msg } of first.arrived.filter(({ at }) => at === 'work').slice(0, 10)) first.send('events', { ...msg })
    await until(() => eventIds(first, 'handled').length === 10 || undefined)
    await first.kill()
    should(funded()).have.length(50)
    for (const { signers } of documents) await act(signers[0]?.url ?? '')

    const second = await start()
    second.onArrived = ({ at, msg }: Arrived) => at === 'work' && second.send('events', { ...msg })
    await until(() => second.arrived.filter(({ at }) => ends.includes(at)).length >= 200 || undefined)
    await rounds(second)
    should(eventIds(second, 'work')).deepEqual([])
    await clock.advance(10 * minute)
    await until(() => eventIds(second, 'handled').length >= 50 || undefined)
    await rounds(second)
    should(funded()).deepEqual([])
    should([...eventIds(first, 'handled'), ...eventIds(second, 'handled')].sort()).deepEqual([...all].sort())
    should(eventIds(second, 'work')).have.length(50)
    const ended = [...first.arrived, ...second.arrived].filter(({ at }) => ends.includes(at))
    should(ended.map(({ msg }) => String(msg.documentId)).sort()).deepEqual(ids)
    for (const { at, msg } of ended)
      should({ at, note: msg.note }).deepEqual({ at: 'done', note: { for: msg.documentId } })
    await second.kill()

    const third = await start()
    await rounds(third)
    should(third.arrived).deepEqual([])
  })

  /** Lets the restarted node poll a few more times; nothing new must arrive. */
  async function rounds({ arrived }: Started): Promise<void> {
    const seen = arrived.length
    service.sandbox.world.requests.clear()
    await until(async () => (await service.requests('pullEvents')).length > 3 || undefined)
    should(arrived).have.length(seen)
  }

  it('still opens every page, and confirms each once', async () => {
    const ends = ['message', 'final', 'page']
    const start = () =>
      startWith(
        { id: 'embed', z: 'f', type: 'eid-embed', client: 'c', wires: ends.map((id) => [id]) },
        ...ends.map(collector),
      )
    const parties = await startParties(service)
    const first = await start()
    for (let number = 0; number < 20; number++) {
      const { documentId, signers } = await parties.createDocument(`page-${number}`)
      first.send('embed', { documentId, url: signers[0]?.url, note: number })
    }
    const made = () => first.arrived.filter(({ at }) => at === 'page').map(({ msg }) => msg)
    await until(() => made().length === 20 || undefined)
    const pages = made()
    await first.kill()
    for (const { url } of pages) await act(String(url))

    const second = await start()
    for (const { embedUrl, documentId } of pages) {
      const page = second.url + new URL(String(embedUrl), second.url).pathname
      should((await fetch(page)).status).equal(200)
      const data = JSON.stringify({ type: 'sign_success', payload: { documentId } })
      const body = JSON.stringify({ origin: service.url, data })
      should((await fetch(`${page}/messages`, { method: 'POST', body })).status).equal(204)
    }
    const confirmed = () => second.arrived.filter(({ at, msg }) => at === 'final' && msg.confirmed === true)
    await until(() => confirmed().length === 20 || undefined)
    should(
      confirmed()
        .map(({ msg }) => Number(msg.note))
        .sort((one, other) => one - other),
    ).deepEqual([...Array(20).keys()])
    await second.kill()
    // After a second kill, a completed page can still not be opened.
    const third = await start()
    const [one] = pages
    should((await fetch(third.url + new URL(String(one?.embedUrl), third.url).pathname)).status).equal(410)
  })

  it('still verifies an end that a page reported just before, and reports it once', async () => {
    const ends = ['message', 'final', 'page']
    const start = () =>
      startWith(
        { id: 'embed', z: 'f', type: 'eid-embed', client: 'c', wires: ends.map((id) => [id]) },
        ...ends.map(collector),
      )
    const at = ({ arrived }: Started, place: string) => arrived.filter((one) => one.at === place).map(({ msg }) => msg)
    const parties = await startParties(service)
    const { documentId, signers } = await parties.createDocument('reported')
    const url = signers[0]?.url ?? ''
    const first = await start()
    first.send('embed', { documentId, url, note: 'mine' })
    const { embedUrl } = await until(() => at(first, 'page')[0])
    await act(url)
    await service.fault({ operation: 'getDocument', kind: 'slow', delay: 60_000 })
    const address = ({ url: own }: Started) => own + new URL(String(embedUrl), own).pathname
    const data = JSON.stringify({ type: 'sign_success', payload: { documentId } })
    const body = JSON.stringify({ origin: service.url, data })
    should((await fetch(`${address(first)}/messages`, { method: 'POST', body })).status).equal(204)
    await until(async () => (await service.requests('getDocument')).length > 0)
    await first.kill()
    should(at(first, 'final')).deepEqual([])

    const second = await start()
    const final = await until(() => at(second, 'final')[0])
    should(final).have.properties({ documentId, note: 'mine', confirmed: true, status: 'signed' })
    should(final).not.have.property('redelivered')
    await until(async () => (await fetch(address(second))).status === 410)
    // Once the next node has the message, no work is left for a later start.
    await until(() => keptIn(userDir).every(({ due }) => due === null))
    await second.kill()
    should(at(second, 'final')).have.length(1)
  })

  it('keeps repeated calls of a webhook out', async () => {
    const start = () =>
      startWith(
        { id: 'webhook', z: 'f', type: 'eid-webhook', path: '/hook', wires: [['entered']] },
        collector('entered'),
      )
    const post = async ({ url }: Started, id: string) => {
      const body = JSON.stringify({ id, type: 'document_signed', payload: { documentId: 'doc-1' } })
      const signature = createHmac('sha256', 'of the webhook').update(body).digest('hex')
      const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature }
      return (await fetch(`${url}/hook`, { method: 'POST', headers, body })).status
    }
    const first = await start()
    should(await post(first, 'one')).equal(204)
    should(await post(first, 'two')).equal(204)
    await until(() => eventIds(first, 'entered').length === 2 || undefined)
    // An event that still has to enter the flow has a due time.
    const letIn = () => keptIn(userDir).filter(({ due }) => due === null)
    await until(() => letIn().length === 2 || undefined)
    await first.kill()
    const second = await start()
    for (const id of ['one', 'two', 'one', 'three']) should(await post(second, id)).equal(204)
    await until(() => eventIds(second, 'entered').includes('three') || undefined)
    should(eventIds(second, 'entered')).deepEqual(['three'])
  })
})

function eventIds({ arrived }: Started, at: string): string[] {
  return arrived.filter((one) => one.at === at).map(({ msg }) => String(msg.eventId))
}
