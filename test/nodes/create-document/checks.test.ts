/** What "create document" refuses before any call, from the form and from the message. Each fault is named once. */
import should from 'should'
import node from '../../../nodes/create-document/create-document'
import { startFlow, stopFlow, type Caught } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { sentence } from '../../support/wording'

const signer = {
  externalSignerId: 'ola-1',
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
}
const file = { fileName: 'contract.txt', base64Content: Buffer.from('agreed').toString('base64') }
const request = (more: object = {}) => ({
  title: 'Lease',
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: file,
  signers: [signer],
  ...more,
})
const form = {
  title: 'Lease',
  contactEmail: 'kari.nordmann@example.com',
  file: file.base64Content,
  fileType: 'base64',
  fileName: 'contract.txt',
  fileNameType: 'str',
  signersRows: [{ externalSignerId: 'ola-1' }],
}

describe('what "create document" refuses', () => {
  let service: Service
  const start = (settings: object = {}) =>
    startFlow({ type: 'eid-create-document', module: node, settings, client: { baseUrl: service.url } })
  const named = ({ error }: Caught) => (error.cause.problems as { path: string }[]).map((one) => one.path)
  const asked = () => service.requests('createDocument')

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('is what is required and missing, all of it at once', async () => {
    const flow = await start()
    flow.send({ payload: { description: 'nothing else' } })
    const caught = await flow.caught()
    should(caught.error.code).equal('EID_INVALID_INPUT')
    should(named(caught)).deepEqual(['title', 'contactDetails.email', 'dataToSign', 'signers'])
    should(caught.error.cause.outcome).equal('not-done')
    should(await asked()).be.empty()
  })

  it('is an e-mail address with a space, which may be invisible and is named', async () => {
    for (const email of ['ola@example.com\u00a0', '  ola@example.com', 'ola@exam\u200bple.com', 'ola @example.com']) {
      const flow = await start({ ...form, signersRows: [{ firstName: 'Ola', email }] })
      flow.send({})
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).startWith(sentence('client', 'problems.emailSpace', { path: 'Signer 1: e-mail' }))
      await stopFlow()
    }
    should(await asked()).be.empty()
  })

  it('is not the file, if the document expects attachments', async () => {
    const flow = await start()
    const { dataToSign: _none, ...payload } = request({ advanced: { attachments: 1 } })
    flow.send({ payload })
    await flow.next()
    should(await asked()).have.length(1)
  })

  it('is a key that is too short or too long, wherever it comes from', async () => {
    const body = { body: 'payload', bodyType: 'msg' }
    for (const externalId of ['abc', 'a'.repeat(256), 12]) {
      for (const [settings, msg] of [
        [{}, { payload: request({ externalId }) }],
        [body, { payload: request({ externalId }) }],
        [body, { payload: request({ externalId }), externalId }],
        [{}, { payload: request(), externalId }],
      ] as const) {
        const flow = await start(settings)
        flow.send({ ...msg })
        should(named(await flow.caught())).deepEqual(['externalId'])
        should(await service.requests()).be.empty()
        await stopFlow()
      }
    }
    const flow = await start()
    flow.send({ payload: request({ externalId: '' }) })
    should((await flow.next()).externalId).be.a.String()
    flow.send({ payload: request({ externalId: 1234 }) })
    should((await flow.next()).externalId).equal('1234')
  })

  it('is not a short key in the request that the key of the form replaces', async () => {
    const body = { body: 'payload', bodyType: 'msg' }
    for (const [settings, key] of [
      [{ ...body, externalId: 'contractNo' }, 'lease-2031'],
      [{ ...body, externalId: '{contractNo}', externalIdType: 'tpl' }, 'lease-2032'],
    ] as const)
      for (const externalId of ['A-1', 12, 'l\uFFFDse-2031', 12n]) {
        const flow = await start(settings)
        flow.send({ contractNo: key, payload: request({ externalId }) })
        should((await flow.next()).externalId).equal(key)
        await stopFlow()
      }
    should((await asked()).map(({ body }) => (body as { externalId: string }).externalId)).deepEqual([
      ...Array.from({ length: 4 }, () => 'lease-2031'),
      ...Array.from({ length: 4 }, () => 'lease-2032'),
    ])
  })

  it('is a deadline that is no date: the error says how to write one, and how to give a number of days', async () => {
    for (const deadline of ['31.02.2027', '14']) {
      const flow = await start({ ...form, deadline, deadlineType: 'str' })
      flow.send({})
      should((await flow.caught()).error.message).equal(
        `${sentence('client', 'problems.date', { path: 'Deadline' })}. Nothing was sent.`,
      )
      await stopFlow()
    }
    const flow = await start()
    flow.send({ payload: request({ advanced: { timeToLive: { deadline: '14' } } }) })
    should((await flow.caught()).error.message).startWith(
      sentence('client', 'problems.requestDate', { path: 'Deadline' }),
    )
  })

  for (const [id, fits] of [
    ['123', false],
    ['1234', true],
    ['x'.repeat(255), true],
    ['x'.repeat(256), false],
  ] as const) {
    for (const [from, settings, msg] of [
      ['the form', { ...form, signersRows: [{ externalSignerId: id }] }, {}],
      ['the message', { ...form, signersRows: [{ externalSignerId: 'id', externalSignerIdType: 'msg' }] }, { id }],
      ['the request', {}, { payload: request({ signers: [{ ...signer, externalSignerId: id }] }) }],
    ] as const) {
      it(`is ${fits ? 'not ' : ''}an id of a signer of ${id.length} characters, from ${from}`, async () => {
        const flow = await start(settings)
        flow.send({ ...msg })
        if (fits) return void (await flow.next())
        const { error } = await flow.caught()
        should(error.message).startWith(sentence('client', 'problems.ownId', { path: 'Signer 1: external signer id' }))
        should(error.cause.problems).have.length(1)
        should(await asked()).be.empty()
      })
    }
  }

  const inBody: readonly [string, object, string][] = [
    ['an invalid contact e-mail', { contactDetails: { email: 'not-an-email' } }, 'contactDetails.email'],
    ['an invalid e-mail address', { signerInfo: { email: 'ola' } }, 'signers[0].signerInfo.email'],
    [
      'an invalid phone number',
      { signerInfo: { mobile: { number: 'phone?' } } },
      'signers[0].signerInfo.mobile.number',
    ],
    ['a country', { signerInfo: { mobile: { countryCode: 'Norway' } } }, 'signers[0].signerInfo.mobile.countryCode'],
    [
      'a Norwegian number of six digits',
      { signerInfo: { mobile: { countryCode: '+47', number: '999 999' } } },
      'signers[0].signerInfo.mobile.number',
    ],
    ['a way of telling', { notifications: { setup: { reminder: 'sms' } } }, 'signers[0].notifications.setup.reminder'],
    ['a theme mode', { ui: { styling: { themeMode: 'dark' } } }, 'signers[0].ui.styling.themeMode'],
    ['a file that nobody signs', { dataToSign: { ...file, fileName: 'contract.exe' } }, 'dataToSign.fileName'],
  ]
  for (const [what, more, path] of inBody) {
    it(`is ${what}, in a request from the message`, async () => {
      const flow = await start()
      flow.send({
        payload: path.startsWith('signers') ? request({ signers: [{ ...signer, ...more }] }) : request(more),
      })
      should(named(await flow.caught())).deepEqual([path])
      should(await asked()).be.empty()
    })
  }

  const row = (cell: object) => ({ signersRows: [{ externalSignerId: 'ola-1', ...cell }] })
  const inForm: readonly [string, object, string][] = [
    ['an invalid contact e-mail', { contactEmail: 'not-an-email' }, 'contactEmail'],
    ['an invalid e-mail address', row({ email: 'ola' }), 'signers[0].email'],
    ['an invalid phone number', row({ mobileNumber: 'phone?' }), 'signers[0].mobileNumber'],
    ['a country', row({ mobileCountryCode: 'Norway' }), 'signers[0].mobileCountryCode'],
    ['a number without its country', row({ mobileNumber: '99999999' }), 'signers[0].signerInfo.mobile.countryCode'],
    ['a way of telling', row({ notification: 'sms' }), 'signers[0].notification'],
    ['a file that nobody signs', { fileName: 'contract.exe' }, 'fileName'],
    [
      'an address',
      { redirectMode: 'redirect', successUrl: 'thanks', cancelUrl: 'https://a.example', errorUrl: 'https://a.example' },
      'successUrl',
    ],
    ['a colour', { backgroundColor: '#12' }, 'backgroundColor'],
    ['a deadline', { deadline: 'tomorrow' }, 'deadline'],
  ]
  for (const [what, more, path] of inForm) {
    it(`is ${what} in the form, and it is named once`, async () => {
      const flow = await start({ ...form, ...more })
      flow.send({})
      should(named(await flow.caught())).deepEqual([path])
      should(await asked()).be.empty()
    })
  }

  it('is no value that people enter normally', async () => {
    const signerInfo = {
      email: "o'brien+lease@mail.example.com",
      mobile: { countryCode: '+47', number: '999 99 999' },
    }
    const setup = { request: 'sendBoth', reminder: 'off' }
    const flow = await start()
    const ui = { styling: { themeMode: 'Default', backgroundColor: 'transparent' } }
    flow.send({ payload: request({ signers: [{ ...signer, signerInfo, ui, notifications: { setup } }] }) })
    flow.send({
      payload: request({ signers: [{ ...signer, signerInfo: { mobile: { countryCode: 47, number: 99999999 } } }] }),
    })
    await flow.next()
    await flow.next()
    should(flow.warnings).be.empty()
  })
})
