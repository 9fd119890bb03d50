/** The signers in the form: the values that a row sets, the defaults for all others, and the types of the values. */
import should from 'should'
import type { Values } from '../../../lib/settings/fields'
import node from '../../../nodes/create-document/create-document'
import type { fields } from '../../../nodes/create-document/create-document.fields'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

type Row = Values<(typeof fields)['signers']['rows']>
type Body = Record<string, unknown> & { signers: Record<string, unknown>[] }

const form = {
  title: 'Lease',
  contactEmail: 'kari.nordmann@example.com',
  file: Buffer.from('agreed').toString('base64'),
  fileType: 'base64',
  fileName: 'contract.txt',
  fileNameType: 'str',
}

describe('the signers of "create document"', () => {
  let service: Service
  const run = async (settings: object, msg: object = {}) => {
    const flow = await startFlow({
      type: 'eid-create-document',
      module: node,
      settings: { ...form, ...settings },
      client: { baseUrl: service.url },
    })
    flow.send({ ...msg })
    const answer = await flow.next()
    await stopFlow()
    const body = (await service.requests('createDocument')).at(-1)?.body as Body
    return { answer, body }
  }

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('need only a name and an address: the rest is made from the row', async () => {
    const row = { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' }
    const { body, answer } = await run({ signersRows: [row, { ...row, firstName: 'Kari', email: '' }] })
    const [ola, kari] = body.signers
    should(ola).have.properties({
      notifications: { setup: { request: 'sendEmail' } },
      signatureType: { mechanism: 'pkisignature' },
      redirectSettings: { redirectMode: 'donot_redirect' },
    })
    should(kari).not.have.property('notifications')
    should(ola?.externalSignerId).match(/^signer-1-[\da-f]{8}$/)
    should(kari?.externalSignerId).match(/^signer-2-[\da-f]{8}$/)
    should(answer.signers).matchEach((one: { name: string }) => should(one.name).match(/^(Ola|Kari) Nordmann$/))
    const again = await run({ signersRows: [row] })
    should(again.body.signers[0]?.externalSignerId).equal(ola?.externalSignerId)
  })

  it('override the partial signers of "more fields", whose other fields stay unchanged', async () => {
    const more = {
      signers: [
        { required: true, ui: { language: 'NO' }, tags: [] },
        { externalSignerId: 'kari-2', signatureType: {} },
      ],
      description: '',
      notification: {},
    }
    const rest = {
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    }
    const { body } = await run({
      signersRows: [{ externalSignerId: 'ola-1', language: 'EN' }],
      more: JSON.stringify(more),
    })
    should(body.signers).deepEqual([
      { externalSignerId: 'ola-1', required: true, ui: { language: 'EN' }, tags: [], ...rest },
      { externalSignerId: 'kari-2', ...rest },
    ])
    should(body).have.properties({ description: '', notification: {} })
  })

  it('are reminded and notified of the end in the way they were first notified', async () => {
    const { body } = await run({
      signersRows: [
        { externalSignerId: 'ola-1', email: 'ola.nordmann@example.com', notification: 'sendBoth', language: 'NO' },
        { externalSignerId: 'kari-2', email: 'kari.nordmann@example.com', notification: 'off' },
      ],
      remindOn: 'wednesday',
      remindAtMost: '2',
      receipts: 'true',
      signedFileTo: 'archive@example.com, boss@example.com',
    })
    const setup = { request: 'sendBoth', reminder: 'sendBoth', signatureReceipt: 'sendBoth', finalReceipt: 'sendBoth' }
    should(body.signers.map((one) => one.notifications)).deepEqual([{ setup }, { setup: { request: 'off' } }])
    should(body.notification).deepEqual({
      reminder: { chronSchedule: '0 0 8 ? * WED', firstReminderAfter: 1, maxReminders: 2 },
      finalReceipt: {
        includeSignedFile: true,
        additionalRecipients: [
          { language: 'NO', email: 'archive@example.com' },
          { language: 'NO', email: 'boss@example.com' },
        ],
      },
    })
  })

  it('have the appearance and return addresses of their own row, otherwise those for all signers', async () => {
    const { body } = await run({
      colorTheme: 'Black',
      topBar: 'Hidden',
      redirectMode: 'donot_redirect',
      signersRows: [
        {
          firstName: 'Ola',
          colorTheme: 'Teal',
          themeMode: 'Dark',
          redirectMode: 'redirect',
          successUrl: 'https://ola.example/signed',
          cancelUrl: 'https://ola.example/canceled',
          errorUrl: 'https://ola.example/failed',
        },
        { firstName: 'Kari' },
      ],
    })
    const [ola, kari] = body.signers
    should(ola).have.properties({
      ui: { styling: { colorTheme: 'Teal', themeMode: 'Dark', topBar: 'Hidden' } },
      redirectSettings: {
        redirectMode: 'redirect',
        success: 'https://ola.example/signed',
        cancel: 'https://ola.example/canceled',
        error: 'https://ola.example/failed',
      },
    })
    should(kari).have.properties({
      ui: { styling: { colorTheme: 'Black', topBar: 'Hidden' } },
      redirectSettings: { redirectMode: 'donot_redirect' },
    })
  })

  it('need the return addresses that their own redirect mode requires', async () => {
    const flow = await startFlow({
      type: 'eid-create-document',
      module: node,
      settings: { ...form, signersRows: [{ firstName: 'Ola', redirectMode: 'redirect' }], remindAtMost: '2' },
      client: { baseUrl: service.url },
    })
    flow.send({})
    const { error } = await flow.caught()
    const { problems } = error.cause as unknown as { problems: { path: string }[] }
    should(problems.map(({ path }) => path)).deepEqual([
      'signers[0].redirectSettings.success',
      'signers[0].redirectSettings.cancel',
      'signers[0].redirectSettings.error',
      'notification.reminder.chronSchedule',
    ])
    should(error.message).match(/Reminders by the service is missing/)
    should(await service.requests('createDocument')).be.empty()
  })

  it('put the address of the one who signs first on the message', async () => {
    const { answer } = await run({
      signersRows: [
        { externalSignerId: 'last-2', order: '2' },
        { externalSignerId: 'first-1', order: '1' },
      ],
    })
    const signers = answer.signers as { externalSignerId: string; url: string }[]
    should(answer.url).equal(signers.find((one) => one.externalSignerId === 'first-1')?.url)
  })

  it('have rows whose values are typed: a misspelt one does not compile', () => {
    const row: Partial<Row> = { required: true, order: 1, email: 'ola.nordmann@example.com' }
    // @ts-expect-error There is no such column.
    const misspelt: unknown = row.mustScrol
    // @ts-expect-error The column is a number.
    const wrong: string | undefined = row.order
    should([misspelt, wrong]).deepEqual([undefined, 1])
  })
})
