/**
 * "share create" against the sandbox: the form in both spellings, the checks, the paths, and the guard against
 * duplicates.
 */
import should from 'should'
import node from '../../nodes/share-create/share-create'
import { startFlow, stopFlow } from '../support/flow'
import { startService, type Service } from '../support/service'
import { saying } from '../support/wording'

const recipient = (more: object = {}) => ({
  firstName: 'Ola',
  lastName: 'Nordmann',
  email: 'ola.nordmann@example.com',
  expires: new Date(Date.now() + 5 * 86_400_000).toISOString(),
  mobile: { countryCode: '47', number: '99999999' },
  uploads: ['slip-1'],
  authentication: [{ identityProvider: 'NO_EID_MOBILE' }],
  ...more,
})
const request = (more: object = {}) => ({
  information: { title: "O'Brien & Sønn <AS> 🧾", description: 'Payslip for May' },
  content: [{ id: 'slip-1', name: 'Payslip', type: 'file' }],
  recipients: [recipient()],
  ...more,
})

describe('share create', () => {
  let service: Service
  const start = (settings: object = {}, client: object = {}) =>
    startFlow({ type: 'eid-share-create', module: node, settings, client: { baseUrl: service.url, ...client } })
  const body = async (operation = 'createBucket') =>
    (await service.requests(operation)).at(-1)?.body as Record<string, unknown>

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('has the owner notified by e-mail of each login, when the form says to whom', async () => {
    const flow = await start({ ...rows, loginNoticeTo: 'archive@example.com' })
    flow.send({ mail: 'ola.nordmann@example.com' })
    await flow.next()
    should((await body()).senders).deepEqual([
      { email: 'archive@example.com', notificationType: 'SendEmail', notificationEvent: 'All' },
    ])
  })

  it('sends an untouched payload as it is and gives the ids that the next node needs', async () => {
    const flow = await start()
    const payload = request({ unknownField: ['kept', '007'] })
    flow.send({ payload, kept: 1 })
    const msg = await flow.next()
    should(await body()).deepEqual(payload)
    should(msg.shareId).be.a.String()
    should(msg).have.properties({ content: payload.content, kept: 1, statusCode: 200 })
  })

  const rows = {
    title: 'Payslips',
    description: 'For May',
    expires: '10',
    expiresType: 'num',
    contentRows: [{ id: 'slip-1', idType: 'str', name: 'Payslip', nameType: 'str' }],
    recipientsRows: [
      {
        firstName: 'Ola',
        lastName: 'Nordmann',
        email: 'mail',
        emailType: 'msg',
        mobileCountryCode: '47',
        mobileNumber: '09999999',
        uploads: 'slip-1',
        identityProvider: 'NO_EID_WEB',
        notificationRequest: 'SendBoth',
      },
    ],
  }

  it('makes the request from the form, in the spelling of the samples', async () => {
    const flow = await start(rows)
    flow.send({ mail: 'ola.nordmann@example.com' })
    await flow.next()
    const sent = await body()
    const [one] = sent.recipients as Record<string, unknown>[]
    const days = (Date.parse(String(one?.expires)) - Date.now()) / 86_400_000
    should(days).be.within(9.9, 10)
    should({ ...sent, recipients: [{ ...one, expires: '' }] }).deepEqual({
      information: { title: 'Payslips', description: 'For May' },
      content: [{ id: 'slip-1', name: 'Payslip', type: 'file' }],
      recipients: [
        {
          firstName: 'Ola',
          lastName: 'Nordmann',
          email: 'ola.nordmann@example.com',
          expires: '',
          mobile: { countryCode: '47', number: '09999999' },
          notification: { setup: { request: 'SendBoth' } },
          uploads: ['slip-1'],
          authentication: [{ identityProvider: 'NO_EID_WEB' }],
        },
      ],
    })
  })

  it('makes it in the spelling of the field table, with both access lists', async () => {
    const flow = await start(rows, { shareNames: 'name-firstname', recipientFiles: 'both' })
    flow.send({ mail: 'ola.nordmann@example.com' })
    await flow.next()
    const sent = await body()
    should(sent.information).deepEqual({ name: 'Payslips', description: 'For May' })
    const [one] = sent.recipients as Record<string, unknown>[]
    should(one).have.properties({ firstname: 'Ola', lastname: 'Nordmann', uploads: ['slip-1'], content: ['slip-1'] })
    should(one).not.have.property('firstName')
  })

  for (const [shareNames, information, person] of [
    ['title-firstname', 'title', 'firstname'],
    ['name-firstName', 'name', 'firstName'],
  ] as const) {
    it(`makes it with the field names ${information} and ${person}`, async () => {
      const flow = await start(rows, { shareNames })
      flow.send({ mail: 'ola.nordmann@example.com' })
      await flow.next()
      const sent = await body()
      should(sent.information).have.property(information, 'Payslips')
      should((sent.recipients as object[])[0]).have.property(person, 'Ola')
    })
  }

  it('puts the field names of recipients from a message into the spelling of the client, and nothing else', async () => {
    const settings = { title: 'Payslips', description: 'For May', contentRows: rows.contentRows }
    const { expires, ...person } = recipient({ lastName: ' Nordmann ', unknown: '007' })
    const { firstName, lastName, uploads, ...same } = person as Record<string, unknown>
    const days = { expires: '14', expiresType: 'num', recipients: 'list', recipientsType: 'msg' }
    const flow = await start({ ...settings, ...days }, { shareNames: 'name-firstname', recipientFiles: 'content' })
    flow.send({ list: [person, { ...person, expires }] })
    await flow.next()
    const [first, second] = (await body()).recipients as Record<string, unknown>[]
    should(Math.round((Date.parse(String(first?.expires)) - Date.now()) / 86_400_000)).equal(14)
    should(second).deepEqual({ ...same, expires, firstname: firstName, lastname: lastName, content: uploads })
  })

  it('takes an expiry as a number of days, whatever the number', async () => {
    for (const days of ['1', '13', '31', '60']) {
      const flow = await start({ ...rows, expires: days, expiresType: 'days' })
      flow.send({ mail: 'ola.nordmann@example.com' })
      await flow.next()
      const [one] = (await body()).recipients as Record<string, unknown>[]
      should(Math.round((Date.parse(String(one?.expires)) - Date.now()) / 86_400_000)).equal(Number(days))
      await stopFlow()
    }
  })

  it('refuses a recipient with an invalid e-mail address', async () => {
    const flow = await start()
    flow.send({ payload: request({ recipients: [recipient(), recipient({ email: 'ola@example,com' })] }) })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should((error.cause.problems as { path: string }[]).map((one) => one.path)).deepEqual(['recipients[1].email'])
    should(await service.requests()).have.length(0)
  })

  it('lists everything that is missing at once and sends nothing', async () => {
    const flow = await start()
    flow.send({ payload: { information: {}, content: [{}], recipients: [{ mobile: {} }] } })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should((error.cause.problems as { path: string }[]).map((one) => one.path)).deepEqual([
      'information.title',
      'information.description',
      'content[0].id',
      'content[0].name',
      'content[0].type',
      'recipients[0].firstName',
      'recipients[0].lastName',
      'recipients[0].email',
      'recipients[0].expires',
      'recipients[0].mobile.countryCode',
      'recipients[0].mobile.number',
      'recipients[0].authentication',
      'recipients[0].uploads',
    ])
    should(await service.requests()).have.length(0)
  })

  const wrong: readonly [string, object, RegExp][] = [
    [
      'an id used twice',
      {
        content: [
          { id: 'slip-1', name: 'a', type: 'file' },
          { id: 'slip-1', name: 'b', type: 'file' },
        ],
      },
      /^Item 2: content id is used twice/,
    ],
    [
      'an id that is not registered',
      { recipients: [recipient({ uploads: ['slip-9'] })] },
      /^Recipient 1: visible content names an id/,
    ],
    [
      'an expiry in the past',
      { recipients: [recipient({ expires: '2001-01-01T00:00:00Z' })] },
      /^Recipient 1: access expiry is in the past/,
    ],
    [
      'an expiry without offset',
      { recipients: [recipient({ expires: '2999-01-01' })] },
      saying('client', 'problems.requestDateTime', { path: 'Recipient 1: access expiry' }),
    ],
    [
      'a number of days instead of an expiry',
      { recipients: [recipient({ expires: '14' })] },
      saying('client', 'problems.requestDateTime', { path: 'Recipient 1: access expiry' }),
    ],
    [
      'a birth date in another form',
      { recipients: [recipient({ authentication: [{ dateOfBirth: '1990-01-01' }] })] },
      /ddMMyy/,
    ],
    [
      'a phone number with letters',
      { recipients: [recipient({ mobile: { countryCode: '47', number: 'none' } })] },
      /phone number/,
    ],
    [
      'an id that cannot be uploaded to',
      { content: [{ id: 'a/b', name: 'a', type: 'file' }] },
      /^Item 1: content id is not an id/,
    ],
    [
      'a date in words',
      { recipients: [recipient({ expires: 'Tue, 1 Jan 2999 10:00 +0100' })] },
      saying('client', 'problems.requestDateTime', { path: 'Recipient 1: access expiry' }),
    ],
    [
      'an id that is not registered in either list',
      { recipients: [recipient({ content: ['slip-9'] })] },
      /^Recipient 1: visible content names an id/,
    ],
    [
      'a country code with letters',
      { recipients: [recipient({ mobile: { countryCode: 'NO', number: '99999999' } })] },
      /country code/,
    ],
    ['no recipients', { recipients: [] }, /^Recipients: at least one is needed/],
  ]
  for (const [what, more, says] of wrong) {
    it(`refuses ${what}`, async () => {
      const flow = await start()
      flow.send({ payload: request(more) })
      should((await flow.caught()).error.message).match(says)
      should(await service.requests()).have.length(0)
    })
  }

  it('guards against sharing everything, unless that is meant', async () => {
    const two = [...request().content, { id: 'slip-2', name: 'Contract', type: 'file' }]
    const payload = request({ content: two, recipients: [recipient({ uploads: [] })] })
    let flow = await start()
    flow.send({ payload })
    should((await flow.caught()).error.message).match(saying('client', 'problems.everything'))
    await stopFlow()
    flow = await start({ seeEverything: true })
    flow.send({ payload })
    await flow.next()
  })

  it('warns when access lasts longer than 90 days', async () => {
    const flow = await start()
    const expires = new Date(service.sandbox.clock.now() + 91 * 86_400_000).toISOString()
    flow.send({ payload: request({ recipients: [recipient({ expires })] }) })
    await Promise.race([flow.next(), flow.caught()])
    should(flow.warnings.join()).match(/90 days/)
  })

  it('finds the older path when the newer does not exist, and remembers it', async () => {
    const flow = await start()
    await service.fault({ operation: 'createBucket', kind: 'status', status: 405, count: 9 })
    flow.send({ payload: request() })
    await flow.next()
    flow.send({ payload: request() })
    await flow.next()
    should(await service.requests('createBucket')).have.length(1)
    should(await service.requests('createShare')).have.length(2)
  })

  it('never tries the other path after anything but 404 or 405', async () => {
    const flow = await start({}, { retries: 0 })
    await service.fault({ operation: 'createBucket', kind: 'status', status: 500 })
    flow.send({ payload: request() })
    should((await flow.caught()).error.cause.outcome).equal('unknown')
    should(await service.requests('createShare')).have.length(0)
  })
})
