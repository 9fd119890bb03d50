/** "wait" for an earlier goal: the first signature, the files, a deposit's agreement and its money. */
import should from 'should'
import { isPackaged, outcomeOf } from '../../../nodes/wait/goals'
import node from '../../../nodes/wait/wait'
import events from '../../../nodes/events/events'
import { fields } from '../../../nodes/wait/wait.fields'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { act, type Parties } from '../../support/parties'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'
import { until, untilCount } from '../../support/time'

const day = 86_400_000

describe('wait, for a moment on the way', () => {
  let service: Service
  let parties: Parties
  let flow: Flow
  const start = async (what: string, settings: object = {}, more: object[] = []) => {
    const all = { what, pollInterval: '0.05', maxInterval: '0.2', ...settings }
    const client = { baseUrl: service.url, retries: 0 }
    flow = await startFlow({
      type: 'eid-wait',
      module: node,
      outputs: 3,
      settings: all,
      client,
      more,
      modules: [events],
    })
  }
  const asked = async (operation: string, count: number) =>
    untilCount(async () => (await service.requests(operation)).length, count)
  const createDeposit = () =>
    parties.call<{ id: string }>('POST', '/deposit/personal', {
      tenants: [{ info: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' } }],
      landlord: { name: 'Utleie AS' },
      contactDetails: { email: 'kari.nordmann@example.com' },
      contract: { depositAmount: 27_000 },
    })
  const fund = async (id: string, amount: number) => {
    const body = JSON.stringify({ id, amount })
    const headers = { 'Content-Type': 'application/json' }
    should((await fetch(`${service.url}/sandbox/fund-deposit`, { method: 'POST', headers, body })).ok).be.true()
  }
  const advance = (milliseconds: number) => service.sandbox.clock.advance(milliseconds)

  useParties((sides) => ({ service, parties } = sides))
  afterEach(removeFlow)

  it('lets the message go with the first of two signatures, with the whole document', async () => {
    const { documentId, signers } = await parties.createDocument('first', 2)
    await start('first-signature')
    flow.send({ documentId, kept: 1 })
    await asked('getDocumentStatus', 2)
    should(flow.waiting().out).equal(0)
    await act(signers[1]?.url ?? '')
    const msg = await flow.next(0)
    should(msg).have.properties({ documentId, status: 'partialsigned', kept: 1, timedOut: false })
    should(msg.payload).have.property('signers').with.length(2)
    await until(() => flow.statuses.at(-1)?.text === 'first signature')
  })

  it('takes the only signature for the first, and says when none can come any more', async () => {
    const [signed, canceled, expired] = await Promise.all(
      ['only-1', 'only-2', 'only-3'].map((one) => parties.createDocument(one)),
    )
    await start('first-signature')
    for (const one of [signed, canceled, expired]) flow.send({ documentId: one?.documentId })
    await asked('getDocument', 3)
    await act(signed?.signers[0]?.url ?? '')
    should(await flow.next(0)).have.properties({ documentId: signed?.documentId, status: 'signed' })
    await parties.call('POST', `/signature/documents/${canceled?.documentId}/cancel?reason=wrong`)
    should(await flow.next(1)).have.properties({ documentId: canceled?.documentId, status: 'canceled' })
    await advance(46 * day)
    should(await flow.next(2)).have.properties({ documentId: expired?.documentId, status: 'expired' })
  })

  it('lets the message go when the signed file is there, not when the document is signed', async () => {
    const { documentId, signers } = await parties.createDocument('files')
    await start('files-ready')
    flow.send({ documentId })
    await asked('getDocumentStatus', 1)
    // The packages come a second later by the service's clock; until then, the document is only signed.
    await act(signers[0]?.url ?? '')
    await asked('getDocument', 2)
    await advance(2000)
    const msg = await flow.next(0)
    should(msg).have.properties({ documentId, status: 'signed' })
    should(msg.payload)
      .have.propertyByPath('status', 'completedPackages')
      .eql(['unsigned', 'native', 'standard_packaging'])
    await until(() => flow.statuses.at(-1)?.text === 'files ready')
  })

  it('is woken by the event that the files are there', async () => {
    const { documentId, signers } = await parties.createDocument('woken')
    const pulling = { id: 'e', z: 'f', type: 'eid-events', client: 'c', interval: 0.05, wires: [[]] }
    await start('files-ready', { pollInterval: '3600', maxInterval: '7200' }, [pulling])
    flow.send({ documentId })
    await asked('getDocument', 1)
    await act(signers[0]?.url ?? '')
    await advance(2000)
    should(await flow.next(0)).have.properties({ documentId, status: 'signed' })
  })

  it('lets the message go when everyone has signed the agreement of a deposit', async () => {
    const { id } = await createDeposit()
    await start('deposit-signed')
    flow.send({ depositId: id })
    await asked('getDeposit', 2)
    should(flow.waiting().out).equal(0)
    await fund(id, 0)
    should(await flow.next(0)).have.properties({ depositId: id, status: 'SIGNED' })
    await until(() => flow.statuses.at(-1)?.text === 'agreement signed')
    // A deposit in a later state was signed as well.
    flow.send({ depositId: 'deposit-funded-1' })
    should(await flow.next(0)).have.properties({ depositId: 'deposit-funded-1', status: 'PAID' })
  })

  it('lets the message go with the last of the money, and says when a deposit is canceled', async () => {
    const { id } = await createDeposit()
    await start('deposit-funded')
    flow.send({ depositId: id })
    await fund(id, 20_000)
    const before = (await service.requests('getDeposit')).length
    await asked('getDeposit', before + 2)
    should(flow.waiting().out).equal(0)
    await fund(id, 7000)
    should(await flow.next(0)).have.properties({ depositId: id, status: 'PAID' })
    flow.send({ depositId: 'deposit-unfunded-2' })
    await parties.call('POST', '/deposit/personal/deposit-unfunded-2/cancel')
    should(await flow.next(1)).have.properties({ depositId: 'deposit-unfunded-2', status: 'CANCELED' })
  })

  it('keeps its goal after a redeploy, whatever the form says by then', async () => {
    const { documentId, signers } = await parties.createDocument('deployed', 2)
    await start('first-signature')
    flow.send({ documentId })
    await asked('getDocument', 1)
    await flow.redeploy({ what: 'document' })
    await act(signers[0]?.url ?? '')
    should(await flow.next(0)).have.properties({ documentId, status: 'partialsigned' })
  })

  it('takes no status for an end that only has the name of a part of every object', () => {
    for (const goal of fields.what.choices)
      for (const status of ['constructor', 'toString', '__proto__'])
        should(outcomeOf(goal, status)).equal(undefined, `${goal} ${status}`)
  })

  it('needs every format that was asked for and can come', () => {
    const record = (completedPackages: string[], formats: string[], fileName = 'lease.pdf') => ({
      status: { documentStatus: 'signed', completedPackages },
      dataToSign: { fileName, packaging: { signaturePackageFormats: formats } },
    })
    should(isPackaged(record(['unsigned', 'native'], []))).be.false()
    should(isPackaged(record(['native', 'standard_packaging'], []))).be.true()
    should(isPackaged(record(['native', 'standard_packaging'], ['pades']))).be.false()
    should(isPackaged(record(['native', 'standard_packaging', 'pades'], ['pades']))).be.true()
    // A text never gets this package.
    should(isPackaged(record(['native', 'standard_packaging'], ['pades'], 'lease.txt'))).be.true()
    should(isPackaged(record(['pades'], ['pades', 'xades']))).be.false()
    should(isPackaged(record(['pades', 'xades'], ['pades', 'xades']))).be.true()
  })
})
