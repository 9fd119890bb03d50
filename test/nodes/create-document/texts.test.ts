/** The sender's own texts of "create document": what is sent, what is refused, and what the sandbox's outbox shows. */
import should from 'should'
import type { TextParams } from '../../../lib/api/errors/texts'
import { warningsFor } from '../../../nodes/create-document/checks'
import node from '../../../nodes/create-document/create-document'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { act } from '../../support/parties'
import { sentence } from '../../support/wording'

const ola = {
  externalSignerId: 'ola-1',
  firstName: 'Ola',
  lastName: 'Nordmann',
  email: 'ola.nordmann@example.com',
  mobileCountryCode: '47',
  mobileNumber: '99999999',
  notification: 'sendBoth',
  language: 'NO',
}
const form = {
  title: 'Lease',
  contactEmail: 'kari.nordmann@example.com',
  file: Buffer.from('agreed').toString('base64'),
  fileType: 'base64',
  fileName: 'contract.txt',
  fileNameType: 'str',
  signersRows: [ola],
}
const text = (occasion: string, more: object) => ({ occasion, language: 'NO', ...more })
const request = text('request', {
  sender: 'Utleie AS',
  subject: 'Hei {first name}: {document-title}',
  text: 'Signer innen {deadline}, {{nå}.',
  smsText: '{first name}, signer her: {url}',
})

describe('the texts of "create document"', () => {
  let service: Service
  const start = (settings: object) =>
    startFlow({
      type: 'eid-create-document',
      module: node,
      settings: { ...form, ...settings },
      client: { baseUrl: service.url },
    })
  const sent = async () =>
    (await service.requests('createDocument'))[0]?.body as {
      notification: object
      advanced: { timeToLive: object }
      signers: { notifications: { setup: object } }[]
    }
  const outbox = () =>
    [...service.sandbox.world.outbox.list()].map(({ channel, subject, text }) => ({ channel, subject, text }))

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('are filled in from the message, and keep the fields of the service', async () => {
    const flow = await start({ textsRows: [request] })
    flow.send({ payload: { 'first name': 'Ola', deadline: 'never', url: 'https://elsewhere.example' } })
    await flow.next()
    const { notification } = await sent()
    should(notification).deepEqual({
      signRequest: {
        email: [
          {
            language: 'NO',
            subject: 'Hei Ola: {document-title}',
            text: 'Signer innen {deadline}, {nå}.',
            senderName: 'Utleie AS',
          },
        ],
        sms: [{ language: 'NO', text: 'Ola, signer her: {url}', sender: 'Utleie AS' }],
      },
    })
  })

  it('name each occasion as the service does, and turn its notice on', async () => {
    const occasions = ['reminder', 'signed', 'allSigned', 'canceled', 'expired']
    const flow = await start({
      textsRows: occasions.map((one) => text(one, { text: one })),
      remindOn: 'monday',
      signedFileTo: 'archive@example.com',
    })
    flow.send({})
    await flow.next()
    const { notification, signers } = await sent()
    const email = (said: string) => ({ email: [{ language: 'NO', text: said }] })
    should(notification).deepEqual({
      reminder: { ...email('reminder'), chronSchedule: '0 0 8 ? * MON', firstReminderAfter: 1 },
      signatureReceipt: email('signed'),
      finalReceipt: {
        ...email('allSigned'),
        includeSignedFile: true,
        additionalRecipients: [{ language: 'NO', email: 'archive@example.com' }],
      },
      canceledReceipt: email('canceled'),
      expiredReceipt: email('expired'),
    })
    const all = ['request', 'reminder', 'signatureReceipt', 'finalReceipt', 'canceled', 'expired']
    should(signers[0]?.notifications.setup).deepEqual(Object.fromEntries(all.map((one) => [one, 'sendBoth'])))
  })

  it('are what the outbox of the sandbox shows', async () => {
    const done = text('allSigned', { subject: 'Takk, {signed-name}', text: '{document-title} er signert.' })
    const flow = await start({ textsRows: [{ ...request, text: 'Signer, {first name}.' }, done] })
    flow.send({ payload: { 'first name': 'Ola' } })
    const msg = await flow.next()
    await act(String(msg.url))
    const shown = outbox()
    should(shown).containEql({ channel: 'email', subject: 'Hei Ola: Lease', text: 'Signer, Ola.' })
    should(shown.find(({ channel }) => channel === 'sms')?.text).equal(`Ola, signer her: ${String(msg.url)}`)
    should(shown).containEql({ channel: 'email', subject: 'Takk, Ola Nordmann', text: 'Lease er signert.' })
  })

  const wrong: readonly [string, object[], string][] = [
    [
      'nothing to say',
      [text('request', { sender: 'Utleie AS' })],
      sentence('create-document', 'problems.textOrSms', { path: 'Text 1: text' }),
    ],
    ['no language', [{ ...request, language: '' }], 'Text 1: language is missing'],
    ['an unknown occasion', [text('always', { text: 'x' })], 'Text 1: occasion'],
    [
      'two for one occasion and language',
      [text('signed', { text: 'a' }), text('signed', { language: 'no', subject: 'b' })],
      sentence('create-document', 'problems.repeatedText', { path: 'Text 2: language', first: 1 }),
    ],
    ['a reminder without days', [text('reminder', { text: 'x' })], 'eminders by the service is missing'],
    ['a field that is missing', [text('request', { text: '{rent}' })], 'Text 1: text needs {rent}'],
  ]
  for (const [what, textsRows, expected] of wrong) {
    it(`are refused with ${what}`, async () => {
      const flow = await start({ textsRows })
      flow.send({ payload: { 'first name': 'Ola' } })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).containEql(expected)
      should(await service.requests('createDocument')).have.length(0)
    })
  }

  const unreached = (occasion: string, reasons: string) =>
    sentence('create-document', 'warnings.unreached', { occasion, document: '“Lease”', reasons })
  const why = (key: string, params: TextParams) => sentence('create-document', `unreached.${key}`, params)
  const off = { ...ola, externalSignerId: 'kari-1', notification: 'off' }
  const byEmail = { ...ola, notification: 'sendEmail' }
  const unread: readonly [string, object[], object[], object, string | undefined][] = [
    [
      'not notified',
      [off],
      [text('signed', { text: 'x' })],
      {},
      unreached('signed', why('notNotified', { signer: 'Signer 1' })),
    ],
    [
      'told another way, or not at all',
      [byEmail, off],
      [text('canceled', { smsText: 'x' })],
      {},
      unreached('canceled', `${why('onlySms', { signer: 'Signer 1' })}; ${why('notNotified', { signer: 'Signer 2' })}`),
    ],
    [
      'of another language',
      [{ ...ola, notification: 'sendSms' }],
      [text('allSigned', { language: 'SV', smsText: 'x' })],
      {},
      unreached('all signed', why('language', { signer: 'Signer 1', language: 'Norwegian' })),
    ],
    ['told, one of two', [off, ola], [text('signed', { text: 'x' })], {}, undefined],
    ['of another language than English', [ola], [text('signed', { language: 'EN', text: 'x' })], {}, undefined],
    ['of no language', [{ ...ola, language: '' }], [text('signed', { language: 'SV', text: 'x' })], {}, undefined],
    [
      'not notified, and copies are sent',
      [off],
      [text('allSigned', { text: 'x' })],
      { signedFileTo: 'archive@example.com' },
      undefined,
    ],
  ]
  for (const [who, signersRows, textsRows, more, warning] of unread) {
    it(`${warning ? 'warn' : 'do not warn'} when those who sign are ${who}`, async () => {
      const flow = await start({ signersRows, textsRows, ...more })
      flow.send({})
      await flow.next()
      should(flow.warnings).have.length(warning ? 1 : 0)
      if (warning) should(flow.warnings[0]).equal(warning)
      const yellow = { fill: 'yellow', text: 'created, a text reaches no one' }
      should(flow.statuses.at(-1)).have.properties(warning ? yellow : { fill: 'green', text: 'document created' })
      should(flow.warnings.join()).not.match(/Ola|Nordmann|@/)
    })
  }

  it('may be one e-mail and one SMS in one language, and one of each in another', async () => {
    const rows = [
      text('request', { text: 'a' }),
      text('request', { smsText: 'b' }),
      text('request', { language: 'EN', text: 'c', smsText: 'd' }),
    ]
    const flow = await start({ textsRows: rows })
    flow.send({})
    await flow.next()
    should((await sent()).notification).deepEqual({
      signRequest: {
        email: [
          { language: 'NO', text: 'a' },
          { language: 'EN', text: 'c' },
        ],
        sms: [
          { language: 'NO', text: 'b' },
          { language: 'EN', text: 'd' },
        ],
      },
    })
  })

  it('leave the copies of the signed file to addresses that can be some', async () => {
    const flow = await start({ signedFileTo: 'archive@example.com, nowhere' })
    flow.send({})
    should((await flow.caught()).error.message).match(/^Send a copy of the signed file to/)
  })

  it('come with how long the service keeps the files, in days', async () => {
    const flow = await start({ keepDays: '14' })
    flow.send({})
    await flow.next()
    should((await sent()).advanced.timeToLive).deepEqual({ deleteAfterHours: 336 })
    should(flow.warnings).deepEqual([])
    const kept = (deleteAfterHours: number) => ({ advanced: { timeToLive: { deleteAfterHours } } })
    should(warningsFor(kept(744), Date.now())).deepEqual([])
    should(warningsFor(kept(768), Date.now())).deepEqual([{ key: 'longKeep' }])
  })
})
