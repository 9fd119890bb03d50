/** Text that was read in the wrong encoding leaves no node, so that no contract is signed under a broken name. */
import should from 'should'
import create from '../../../nodes/create-document/create-document'
import deposit from '../../../nodes/deposit/deposit'
import request from '../../../nodes/request/request'
import share from '../../../nodes/share-create/share-create'
import upload from '../../../nodes/share-upload/share-upload'
import { misreadTexts } from '../../../lib/runtime/values/misread-text'
import { startFlow, stopFlow, type FlowOptions } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { saying } from '../../support/wording'

/** A text in Windows-1252 that was read as UTF-8. */
const misread = Buffer.from('H\xe5kon', 'latin1').toString()
const text = (content: string) => ({ fileName: 'contract.txt', base64Content: Buffer.from(content).toString('base64') })
const signer = (firstName: string) => ({
  externalSignerId: 'haakon-1',
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
  signerInfo: { firstName },
})
const contract = (more: object) => ({
  title: 'Lease',
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: text('agreed'),
  signers: [signer('Håkon')],
  ...more,
})
const recipient = {
  firstName: 'Ola',
  lastName: misread,
  email: 'ola.nordmann@example.com',
  expires: new Date(Date.now() + 5 * 86_400_000).toISOString(),
  mobile: { countryCode: '47', number: '99999999' },
  uploads: ['slip-1'],
  authentication: [],
}
const files = {
  information: { title: 'Payslips', description: 'For May' },
  content: [{ id: 'slip-1', name: 'Payslip', type: 'file' }],
  recipients: [recipient],
}
const lease = {
  tenants: [{ info: { firstName: misread, lastName: 'Nordmann', email: 'ola.nordmann@example.com' } }],
  landlord: { name: 'Kari Nordmann' },
  contract: { monthlyRent: 9000, depositFactor: 3 },
}

const refused: readonly [string, Pick<FlowOptions, 'type' | 'module' | 'settings' | 'outputs'>, object, string][] = [
  [
    'a name of a signer',
    { type: 'eid-create-document', module: create },
    { payload: contract({ signers: [signer(misread)] }) },
    'signers[0].signerInfo.firstName',
  ],
  [
    'a title',
    { type: 'eid-create-document', module: create },
    { payload: contract({ title: `Lease of ${misread}` }) },
    'title',
  ],
  [
    'a text file',
    { type: 'eid-create-document', module: create },
    { payload: contract({ dataToSign: text(misread) }) },
    'dataToSign',
  ],
  ['a recipient of a share', { type: 'eid-share-create', module: share }, { payload: files }, 'recipients[0].lastName'],
  [
    'a tenant',
    { type: 'eid-deposit', module: deposit, settings: { operation: 'create' } },
    { payload: lease },
    'tenants[0].info.firstName',
  ],
  [
    "a call of one's own",
    { type: 'eid-request', module: request, settings: { method: 'POST', path: '/form', pathType: 'str' } },
    { payload: { text: misread } },
    'text',
  ],
  [
    'the name of an uploaded file',
    { type: 'eid-share-upload', module: upload, outputs: 2 },
    { shareId: 'share-1', contentId: 'slip-1', payload: Buffer.from('x'), filename: `${misread}.pdf` },
    'fileName',
  ],
]

describe('text that was read with the wrong character set', () => {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  for (const [where, options, msg, path] of refused) {
    it(`is refused in ${where}, and nothing is sent`, async () => {
      const flow = await startFlow({ client: { baseUrl: service.url }, ...options })
      flow.send({ ...msg })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.cause.problems).matchAny({ path })
      should(error.message).match(saying('client', 'problems.characterSet'))
      should(await service.requests()).be.empty()
    })
  }

  it('is found at every depth, and what refers to itself ends the search', () => {
    const circle: Record<string, unknown> = {
      list: [{ name: misread }, 'Håkon'],
      file: { fileName: 'a.xml', data: Buffer.from(misread).toString('base64') },
    }
    should(misreadTexts(circle).map(({ path }) => path)).deepEqual(['list[0].name', 'file'])
    circle.circle = circle
    should(misreadTexts(circle).length).be.greaterThan(1)
    should(misreadTexts({ title: 'Ærlig avtale', count: 2, none: null, fileName: 'a.pdf', data: '77+9' })).be.empty()
  })
})
