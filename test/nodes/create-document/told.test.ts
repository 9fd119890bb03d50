/** Whether each signer can be notified and distinguished, and has signed: a green status must not hide a problem. */
import should from 'should'
import create from '../../../nodes/create-document/create-document'
import document from '../../../nodes/document/document'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { sentence } from '../../support/wording'

const form = {
  title: 'Lease',
  contactEmail: 'kari.nordmann@example.com',
  file: Buffer.from('agreed').toString('base64'),
  fileType: 'base64',
  fileName: 'contract.txt',
  fileNameType: 'str',
}
const ola = { firstName: 'Ola', lastName: 'Nordmann' }
const email = 'ola.nordmann@example.com'
const listed = { signers: 'people', signersType: 'msg' }

describe('the signers of "create document", before it is sent', () => {
  let service: Service
  const start = (settings: object, module = create, type = 'eid-create-document') =>
    startFlow({ type, module, settings, client: { baseUrl: service.url } })
  const sent = async () =>
    ((await service.requests('createDocument')).at(-1)?.body as { signers: Record<string, unknown>[] }).signers

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  const second = { signer: 'Signer 2', document: '“Lease”' }
  const rows: readonly [string, object, string | undefined][] = [
    [
      'by both without a number',
      { ...ola, email, notification: 'sendBoth' },
      sentence('client', 'warnings.untoldSms', second),
    ],
    ['by nothing that was chosen, without an address', ola, sentence('client', 'warnings.untold', second)],
    ['by nobody, which was chosen', { ...ola, notification: 'off' }, undefined],
    ['inside a page of our own', { ...ola, redirectMode: 'iframe_with_webmessaging', domain: 'a.example' }, undefined],
    ['by the e-mail that is there', { ...ola, email }, undefined],
  ]
  for (const [how, row, warning] of rows) {
    it(`are ${warning ? 'named in a warning' : 'no reason to warn'} when one is told ${how}`, async () => {
      const flow = await start({ ...form, signersRows: [{ firstName: 'Kari', email }, row] })
      flow.send({})
      await flow.next()
      should(flow.warnings).have.length(warning ? 1 : 0)
      const green = { fill: 'green', text: 'document created' }
      should(flow.statuses.at(-1)).have.properties(
        warning ? { fill: 'yellow', text: 'created, not notified: 1' } : green,
      )
      if (warning) should(flow.warnings[0]).equal(warning)
      should(flow.warnings.join()).not.match(/Ola|Nordmann|@/)
    })
  }

  it('are named in a warning without the names that the title holds', async () => {
    const flow = await start({ ...form, title: 'Lease for Ola Nordmann', signersRows: [ola] })
    flow.send({})
    await flow.next()
    should(flow.warnings.join())
      .match(/^Signer 1 of “Lease for/)
      .and.not.match(/Ola|Nordmann/)
  })

  it('are named in a warning when they come with the message', async () => {
    const flow = await start({ ...form, ...listed })
    const notifications = { setup: { request: 'sendBoth' } }
    flow.send({ people: [{ signerInfo: { ...ola, email }, notifications }, { signerInfo: { ...ola, email } }] })
    await flow.next()
    should(flow.warnings).have.length(2)
    should(flow.warnings[0]).equal(sentence('client', 'warnings.untoldSms', { ...second, signer: 'Signer 1' }))
    should(flow.warnings[1]).equal(sentence('client', 'warnings.untold', second))
  })

  it('are named in a warning when a whole request is sent as it is', async () => {
    const flow = await start({})
    const notifications = { setup: { request: 'sendEmail' } }
    const file = { fileName: 'contract.txt', base64Content: form.file }
    const one = {
      externalSignerId: 'ola-1',
      signatureType: { mechanism: 'pkisignature' },
      signerInfo: ola,
      notifications,
    }
    const signers = [{ ...one, redirectSettings: { redirectMode: 'donot_redirect' } }]
    flow.send({ payload: { title: 'Lease', contactDetails: { email }, dataToSign: file, signers } })
    await flow.next()
    should(flow.warnings).deepEqual([sentence('client', 'warnings.untoldEmail', { ...second, signer: 'Signer 1' })])
  })

  const missing = (path: string, way: string) =>
    sentence('client', 'problems.neededToNotify', { path, channel: sentence('client', `words.channel.${way}`) })
  const unreachable: readonly [string, string, object][] = [
    ['by SMS without a number', missing('Signer 1: mobile number', 'sendsms'), { email, notification: 'sendSms' }],
    ['by e-mail without an address', missing('Signer 1: e-mail', 'sendemail'), { notification: 'sendEmail' }],
    ['by both without either', missing('Signer 1: e-mail', 'sendboth'), { notification: 'sendBoth' }],
  ]
  for (const [how, expected, row] of unreachable)
    it(`are refused when one is to be told ${how}`, async () => {
      const flow = await start({ ...form, signersRows: [{ ...ola, ...row }] })
      flow.send({})
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).startWith(expected)
      should(await service.requests()).be.empty()
    })

  it('are refused when the message lists one who is to be told by SMS and has no number', async () => {
    const flow = await start({ ...form, ...listed })
    flow.send({ people: [{ signerInfo: { ...ola, email }, notifications: { setup: { request: 'SendSms' } } }] })
    should((await flow.caught()).error.message).startWith(missing('Signer 1: mobile number', 'sendsms'))
    should(await service.requests()).be.empty()
  })

  it('are refused when one is added later whom the chosen way cannot reach', async () => {
    const flow = await start({ operation: 'addSigner', ...ola, notification: 'sendSms' }, document, 'eid-document')
    flow.send({ documentId: 'd-1' })
    should((await flow.caught()).error.message).startWith(missing('Mobile number', 'sendsms'))
    should(await service.requests()).be.empty()
  })

  it('are named in a warning when one is added later and cannot be notified', async () => {
    const maker = await start({ ...form, signersRows: [{ ...ola, email }] })
    maker.send({})
    const { documentId } = await maker.next()
    await stopFlow()
    const flow = await start({ operation: 'addSigner', ...ola }, document, 'eid-document')
    flow.send({ documentId })
    await flow.next()
    should(flow.statuses.at(-1)).have.properties({ fill: 'yellow', text: 'signer added, not notified' })
    should(flow.warnings.join()).equal(
      sentence('client', 'warnings.untold', {
        signer: 'The new signer',
        document: `document ${String(documentId)}`,
      }),
    )
  })

  it('get an id, a way to sign and a way back when the list that the message brings has none', async () => {
    const flow = await start({ ...form, ...listed })
    const people = [
      { signerInfo: { ...ola, email } },
      {
        signerInfo: { ...ola, firstName: 'Kari' },
        externalSignerId: 'kari-2',
        signatureType: { mechanism: 'handwritten' },
      },
    ]
    flow.send({ people })
    await flow.next()
    const [first, second] = await sent()
    should(first?.externalSignerId).match(/^signer-1-[\da-f]{8}$/)
    should(first).have.properties({
      signatureType: { mechanism: 'pkisignature' },
      redirectSettings: { redirectMode: 'donot_redirect' },
    })
    should(second).have.properties({ externalSignerId: 'kari-2', signatureType: { mechanism: 'handwritten' } })
  })

  const refused: readonly [string, object, object, string][] = [
    [
      'two have one id',
      {
        signersRows: [
          { ...ola, email, externalSignerId: 'same-1' },
          { ...ola, email, externalSignerId: 'same-1' },
        ],
      },
      {},
      sentence('create-document', 'problems.repeatedSigner', { path: 'Signer 2: external signer id', first: 1 }),
    ],
    [
      'five signatures are to come from two',
      {
        signersRows: [
          { ...ola, email },
          { firstName: 'Kari', email },
        ],
        requiredSignatures: '5',
      },
      {},
      sentence('create-document', 'problems.tooManySignatures', { path: 'Signatures required', count: 2 }),
    ],
    [
      'the signed file is to go to no address',
      { signersRows: [{ ...ola, email }], signedFileTo: 'arkivet' },
      {},
      sentence('client', 'problems.emails', { path: 'Send a copy of the signed file to' }),
    ],
    [
      'the signed file is to go to one address and no other, from the message',
      { signersRows: [{ ...ola, email }], signedFileTo: 'copies', signedFileToType: 'msg' },
      { copies: ['archive@example.com', 'arkivet'] },
      sentence('client', 'problems.emails', { path: 'Send a copy of the signed file to' }),
    ],
  ]
  for (const [when, settings, msg, expected] of refused) {
    it(`are refused when ${when}`, async () => {
      const flow = await start({ ...form, ...settings })
      flow.send({ ...msg })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).startWith(expected)
      should(await service.requests()).be.empty()
    })
  }
})
