/** A key from a user, if another person's contract already has it. */
import should from 'should'
import node from '../../../nodes/create-document/create-document'
import { listErrors } from '../../support/errors'
import { sentenceOf } from '../../../lib/runtime/monitor/error-sentence'
import { translateInto } from '../../../lib/runtime/node-red/texts'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { saying } from '../../support/wording'

const file = (text: string) => ({ fileName: 'contract.txt', base64Content: Buffer.from(text).toString('base64') })
const signer = (externalSignerId: string) => ({
  externalSignerId,
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
  signerInfo: { firstName: 'Ola', lastName: 'Nordmann' },
})
const request = (more: object = {}) => ({
  title: 'Lease',
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: file('agreed'),
  signers: [signer('ola-1')],
  ...more,
})
const houseRules = request({ title: 'House rules', dataToSign: file('be quiet') })

describe('a key that a person gave', () => {
  let service: Service
  const start = (client: object = {}, settings: object = {}) =>
    startFlow({ type: 'eid-create-document', module: node, settings, client: { baseUrl: service.url, ...client } })
  const titles = () => [...service.sandbox.world.signature.documents.values()].map((one) => one.title)

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  const ola = { firstName: 'Ola', lastName: 'Nordmann', email: 'ola@example.com' }
  const mobile = { countryCode: '+47', number: '999 99 999' }
  const of = (signerInfo: object) =>
    request({ externalId: 'lease-2031', signers: [{ ...signer('tenant'), signerInfo }] })
  const otherPeople: readonly [string, object][] = [
    ['first name', { ...ola, mobile, firstName: 'Kari' }],
    ['last name', { ...ola, mobile, lastName: 'Hansen' }],
    ['e-mail address', { ...ola, mobile, email: 'kari@example.com' }],
    ['telephone number', { ...ola, mobile: { countryCode: '47', number: '99999998' } }],
    ['number of the company', { ...ola, mobile, organizationInfo: { orgNo: '999999999' } }],
  ]
  for (const [what, person] of otherPeople) {
    it(`and that belongs to the contract of a person with another ${what} is refused`, async () => {
      const flow = await start()
      flow.send({ payload: of({ ...ola, mobile, organizationInfo: { orgNo: '888888888' } }) })
      const first = await flow.next()
      flow.send({ payload: of(person) })
      const { error } = await flow.caught()
      should(error).match({ code: 'EID_REFUSED', cause: { documentId: first.documentId, outcome: 'not-done' } })
      should(error.message).match(/already belongs to .Lease., created on [\w ]+ for other signers\. Give this/)
      should(JSON.stringify([error.message, error.cause])).not.match(/Ola|Kari|Nordmann|@|9999/)
      const [entry] = listErrors()
      const norwegian = entry && sentenceOf(entry, translateInto('nb', 'create-document'))
      should(norwegian).match(/hører allerede til «Lease», opprettet \d+\. [a-z]+ for andre undertegnere\. Gi dette/)
    })
  }

  it('finds the document of the same people, however they are written', async () => {
    const flow = await start()
    flow.send({ payload: of({ ...ola, mobile }) })
    await flow.next()
    const same = [
      { ...ola, email: 'Ola@Example.com', mobile: { countryCode: 47, number: '99999999' } },
      { firstName: ' OLA', lastName: 'Nordmann' },
      { ...ola, mobile, title: 'Mr' },
    ]
    for (const person of same) {
      flow.send({ payload: of(person) })
      should((await flow.next()).existing).be.true()
    }
  })

  it('makes a document although the look-up is not allowed or fails, and still refuses another one', async () => {
    const flow = await start({ retries: 0 })
    for (const status of [403, 500]) {
      await service.fault({ operation: 'listDocuments', kind: 'status', status, count: 1 })
      flow.send({ payload: request({ externalId: `lease-${status}` }) })
      await flow.next()
    }
    await service.fault({ operation: 'listDocuments', kind: 'status', status: 500, count: 1 })
    flow.send({ payload: { ...houseRules, externalId: 'lease-500' } })
    const { error } = await flow.caught()
    should(error.code).equal('EID_REFUSED')
    should(error.cause.documentId).be.a.String()
    should(titles()).deepEqual(['Lease', 'Lease'])
  })

  it('does not show people in the refusal', async () => {
    const flow = await start()
    flow.send({ payload: request({ externalId: 'lease-2031' }) })
    await flow.next()
    flow.send({ payload: { ...houseRules, externalId: 'lease-2031' } })
    const { error } = await flow.caught()
    should(JSON.stringify([error.message, error.cause])).not.match(/Ola|Nordmann|@/)
  })

  for (const [key, shown] of [
    ['ola.nordmann@example.com', '…'],
    ['lease of 01017012345', 'lease of …'],
  ] as const) {
    it(`that is ${shown === '…' ? 'an e-mail address' : 'a national id'} is shown nowhere`, async () => {
      const flow = await start()
      flow.send({ payload: request({ externalId: key }) })
      should((await flow.next()).externalId).equal(key)
      flow.send({ payload: { ...houseRules, externalId: key } })
      const { error } = await flow.caught()
      should(error.message).startWith(`The key ${shown} already belongs to`)
      should(flow.statuses.at(-1)).have.property('text', `key ${shown} is taken`)
      should(JSON.stringify([flow.statuses, flow.warnings, error])).not.containEql(key)
    })
  }

  const body = { body: 'payload', bodyType: 'msg' }
  for (const [typed, type] of [
    ['leie-2031', 'msg'],
    ['lease2031', 'msg'],
    ['lease2031', 'flow'],
  ]) {
    it(`that was typed as ${typed ?? ''} instead of the name of a property of ${type ?? ''} is reported as missing`, async () => {
      const flow = await start({}, { ...body, externalId: typed, externalIdType: type })
      flow.send({ payload: request() })
      const msg = await flow.next()
      should(msg.externalId).match(/^eid-/)
      should(flow.warnings).have.length(1)
      should(flow.warnings[0]).match(
        saying('create-document', 'warnings.noKeyThere', { source: `${type ?? ''}.${typed ?? ''}` }),
      )
      should(flow.statuses.at(-1)).have.property('text', 'created, without your key')
    })
  }

  it('is reported as missing for "the document" if the title is not shown, because the message has too many values', async () => {
    const flow = await start({}, { body: 'request', bodyType: 'msg', externalId: 'contractNo', externalIdType: 'msg' })
    const payload = Array.from({ length: 3_000 }, (_none, row) => ({ a: row, b: row, c: row, d: row, e: row, f: row }))
    flow.send({ payload, request: request() })
    await flow.next()
    should(flow.warnings[0]).match(saying('create-document', 'warnings.noKeyThere', { document: 'the document' }))
  })

  it('is not reported as missing where the form asks for none, or finds one', async () => {
    const flow = await start({}, body)
    flow.send({ payload: request() })
    await flow.next()
    should(flow.warnings).be.empty()
    await stopFlow()
    const other = await start({}, { ...body, externalId: 'contract.number', externalIdType: 'msg' })
    other.send({ payload: request(), contract: { number: 'lease-2031' } })
    should((await other.next()).externalId).equal('lease-2031')
    should(other.warnings).be.empty()
    should(other.statuses.at(-1)).have.property('text', 'document created')
  })
})
