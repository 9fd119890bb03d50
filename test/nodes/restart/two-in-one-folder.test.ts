/**
 * Two Node-REDs are started in one user folder, as when the first was forgotten: only one handles the stored items, and
 * the other one takes over when it ends.
 *
 * @rest
 */
import should from 'should'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { act, startParties } from '../../support/parties'
import { startProcess, type Started } from '../../support/node-red/killable'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'

describe('two Node-REDs in one user folder', () => {
  let service: Service
  let userDir: string
  const running: Started[] = []
  const names = ['done', 'row', 'event', 'caught']
  const startOne = async () => {
    const started = await startProcess({
      userDir,
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        { id: 'wait', z: 'f', type: 'eid-wait', client: 'c', pollInterval: '1', wires: [['done']] },
        { id: 'batch', z: 'f', type: 'eid-batch', key: 'payload.name', parallel: 2, wires: [['row'], []] },
        { id: 'webhook', z: 'f', type: 'eid-webhook', client: 'c', path: '/hook', wires: [['event']] },
        { id: 'embed', z: 'f', type: 'eid-embed', client: 'c', wires: [[], [], []] },
        { id: 'catch', z: 'f', type: 'catch', wires: [['caught']] },
        ...names.map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
      credentials: { webhook: { secret: 'of the webhook' } },
      statusOf: ['wait', 'batch'],
    })
    running.push(started)
    return started
  }
  const at = ({ arrived }: Started, name: string) => arrived.filter((one) => one.at === name).map(({ msg }) => msg)
  const statusOf = (one: Started, name: string) => at(one, `status of ${name}`).at(-1)

  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  beforeEach(async () => {
    await service.reset()
    userDir = mkdtempSync(join(tmpdir(), 'eid-two-'))
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.kill()))
    rmSync(userDir, { recursive: true })
  })

  it('send nothing twice: the second refuses, says why, and takes over when the first is killed', async () => {
    const parties = await startParties(service)
    const document = await parties.createDocument('one-folder')
    const first = await startOne()
    first.send('wait', { documentId: document.documentId })
    first.send('batch', { payload: ['Ola', 'Kari', 'Per'].map((name) => ({ name })) })
    await until(() => at(first, 'row').length === 2 || undefined)

    const second = await startOne()
    second.send('wait', { documentId: 'another' })
    second.send('batch', { payload: [{ name: 'Nils' }] })
    const errors = await until(() => {
      const found = at(second, 'caught').map(({ error }) => error as { message: string; code: string })
      return found.filter(({ message }) => /^Another Node-RED/.test(message)).length >= 2 ? found : undefined
    })
    should(errors.every(({ code }) => code === 'EID_CONFIG')).be.true()
    await until(() => /another/i.test(String(statusOf(second, 'wait')?.text)) || undefined)
    const body = JSON.stringify({ id: 'one', type: 'document_signed', payload: { documentId: 'd-1' } })
    const signed = createHmac('sha256', 'of the webhook').update(body).digest('hex')
    const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signed }
    const hook = await fetch(`${second.url}/hook`, { method: 'POST', body, headers })
    const page = await fetch(`${second.url}/eid/page/${'x'.repeat(43)}`)
    should([hook.status, page.status]).deepEqual([503, 503])
    should(at(second, 'event')).deepEqual([])
    await act(document.signers[0]?.url ?? '')
    await until(() => at(first, 'done').length === 1 || undefined)
    should(at(second, 'row')).deepEqual([])
    should(at(second, 'done')).deepEqual([])

    await first.kill()
    // The row that was still unsent is sent. Of the two rows in flight in the first Node-RED, one is sent again, with a
    // mark.
    const rows = await until(() => (at(second, 'row').length === 2 ? at(second, 'row') : undefined))
    should(rows.map(({ payload, redelivered }) => [(payload as { name: string }).name, redelivered])).deepEqual([
      ['Per', undefined],
      ['Ola', true],
    ])
    // If Node-RED was killed before it stored that the message had left, the wait ends once more, with a mark.
    should(at(second, 'done').filter(({ redelivered }) => redelivered !== true)).deepEqual([])
  })
})
