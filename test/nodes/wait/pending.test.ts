/**
 * What "wait" reports about its pending messages: what they wait for, who has to act, the time limit, and the next
 * poll.
 */
import should from 'should'
import {
  askNow,
  findPending,
  listPending,
  stopWaiting,
  markOfKey,
  waitingRows,
  watchPending,
  type PendingItem,
} from '../../../lib/runtime/monitor/pending'
import { noteSigner } from '../../../lib/runtime/monitor/signer-activity'
import { wakeByEvent } from '../../../lib/runtime/monitor/wake'
import node from '../../../nodes/wait/wait'
import { until, untilCount } from '../../support/time'
import { RED } from '../../support/errors'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { act, type CreatedDocument, type Parties } from '../../support/parties'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'

describe('wait, told to others', () => {
  let service: Service
  let parties: Parties
  let flow: Flow
  const start = async (settings: object = {}) => {
    const client = { baseUrl: service.url, retries: 0 }
    const all = { name: 'until signed', pollInterval: '3600', maxInterval: '7200', ...settings }
    flow = await startFlow({ type: 'eid-wait', module: node, outputs: 3, settings: all, client })
  }
  const create = (title: string) =>
    parties.call<CreatedDocument>('POST', '/signature/documents', {
      title,
      externalId: title,
      contactDetails: { email: 'post@example.com' },
      dataToSign: { fileName: 'lease.txt', base64Content: Buffer.from('agreed').toString('base64') },
      signers: ['Ola', 'Kari'].map((firstName, at) => ({
        externalSignerId: `signer-${at}`,
        order: at + 1,
        signerInfo: { firstName, lastName: 'Nordmann' },
        redirectSettings: { redirectMode: 'donot_redirect' },
        signatureType: { mechanism: 'pkisignature' },
      })),
    })
  const only = async (): Promise<PendingItem | undefined> => {
    const { items, failures } = await listPending(RED)
    should(failures).deepEqual([])
    should(items.length).be.belowOrEqual(1)
    return items[0]
  }
  /** The only item, once it was polled and rescheduled. */
  const askedFor = (name: RegExp) =>
    until(async () => {
      const item = await only()
      const soon = Date.parse(item?.nextQuestion ?? '') < Date.now() + 60_000
      return item && !soon && name.test(item.waitingFor[0]?.name ?? '') ? item : undefined
    })

  useParties((sides) => ({ service, parties } = sides))
  afterEach(removeFlow)

  it('says of a document its title, whose turn it is and since when, the limit, and when it asks next', async () => {
    const { documentId, signers } = await create('Lease')
    await start({ timeout: '3', timeoutUnit: 'days' })
    flow.send({ documentId })
    const first = await askedFor(/Ola Nordmann/)
    should(first).have.properties({ kind: 'document', id: documentId, title: 'Lease', client: 'c' })
    should(first.node).deepEqual({ id: 'n', name: 'until signed', flow: 'test' })
    should(first.waitingFor).deepEqual([{ name: 'Ola Nordmann', url: signers[0]?.url }])
    const days = (text = '') => (Date.parse(text) - Date.parse(first.since)) / 86_400_000
    should(days(first.until)).be.approximately(3, 0.1)
    should(days(first.nextQuestion)).be.approximately(1 / 24, 0.01)

    await act(signers[0]?.url ?? '')
    should(await askNow(RED, first.wait)).be.true()
    const second = await askedFor(/Kari Nordmann/)
    should(Date.parse(second.waitingFor[0]?.since ?? '')).be.approximately(Date.now(), 60_000)
    await until(() => flow.statuses.at(-1)?.text?.startsWith('1 of 2 signed, waiting for Kari, 3 days left'))
  })

  it('recognizes it after a deploy without a call, and from the message that was just created', async () => {
    const created = await create('Kept')
    await start()
    flow.send({ documentId: created.documentId, payload: created })
    await untilCount(async () => (await service.requests('getDocumentStatus')).length, 1)
    const before = await askedFor(/Ola Nordmann/)
    await flow.redeploy({ name: 'renamed' })
    const after = await until(only)
    const { nextQuestion } = after
    should(after).deepEqual({ ...before, nextQuestion, node: { ...before.node, name: 'renamed' } })
    should(Date.parse(nextQuestion ?? '')).be.approximately(Date.parse(before.nextQuestion ?? ''), 1000)
    should(await service.requests('getDocument')).have.length(0)
  })

  it('stops a wait, and forgets ended ones', async () => {
    const { documentId } = await create('Stopped')
    await start()
    flow.send({ documentId })
    const item = await askedFor(/Ola Nordmann/)
    const { wait } = item
    // The time of the next poll is calculated from now, so it differs by milliseconds.
    const { nextQuestion: _next, ...rest } = item
    should(await findPending(RED, wait)).match(rest)
    let changes = 0
    const unwatch = watchPending(RED, () => void changes++)
    should(await Promise.all([stopWaiting(RED, wait), stopWaiting(RED, 'of nobody')])).deepEqual([true, false])
    unwatch()
    await flow.completed()
    should(changes).be.above(0)
    should((await listPending(RED)).items).deepEqual([])
    should([await askNow(RED, wait), await stopWaiting(RED, wait)]).deepEqual([false, false])
    should(await findPending(RED, wait)).be.undefined()
  })

  it('names the row of a list whose message waits, after a deploy too', async () => {
    const { documentId } = await create('Row 3')
    await start()
    flow.send({
      documentId,
      batch: { id: 'leases', row: 3, key: 'L-3' },
      _batch: { node: 'b', run: 'r', sent: 2, ids: {} },
    })
    const row = { node: 'b', batch: 'leases', row: 3, mark: markOfKey('L-3'), sent: 2, run: 'r' }
    await askedFor(/Ola Nordmann/)
    const everywhere = () => true
    should(await waitingRows(RED, ['b'], 'leases', everywhere)).deepEqual([row])
    // A wait that is not on the way back holds a message of the row that never comes back.
    const asked: string[] = []
    const nowhere = (wait: string) => asked.push(wait) < 0
    should(await waitingRows(RED, ['b'], 'leases', nowhere)).deepEqual([])
    should(asked).deepEqual(['n'])
    await flow.redeploy({ name: 'renamed' })
    should(await waitingRows(RED, ['b'], 'leases', everywhere)).deepEqual([row])
    should([
      await waitingRows(RED, ['b'], 'others', everywhere),
      await waitingRows(RED, ['c'], 'leases', everywhere),
    ]).deepEqual([[], []])
  })

  it('shows what the signer whose turn it is did last, and no other signer', async () => {
    const { documentId, signers } = await create('Looked at')
    await start()
    flow.send({ documentId })
    await askedFor(/Ola Nordmann/)
    const [first, second] = signers
    const event = (type: string, id = '') => ({ type, payload: { documentId, signer: { id } } })
    const last = async () => (await only())?.waitingFor.map(({ last: known }) => known?.what)
    should(await last()).deepEqual([undefined])
    await wakeByEvent(RED, 'c', event('document_link_opened', second?.id))
    should(await last()).deepEqual([undefined])
    await wakeByEvent(RED, 'c', event('document_link_opened', first?.id))
    should(await last()).deepEqual(['opened'])
    await wakeByEvent(RED, 'c', event('document_read', first?.id))
    should(await last()).deepEqual(['read'])
    noteSigner(RED, documentId, first?.url ?? '', 'left')
    should(await last()).containDeep(['left'])
    should((await only())?.waitingFor[0]).not.have.property('mark')
  })

  it('says of a deposit whom it waits for', async () => {
    await start({ what: 'deposit' })
    flow.send({ depositId: 'deposit-funded-1' })
    const deposit = await askedFor(/./)
    should(deposit).have.properties({ kind: 'deposit', id: 'deposit-funded-1' })
    should(deposit.title).not.equal('')
  })
})
