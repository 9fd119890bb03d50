/** On which days the service reminds, for each choice in the form, over a simulated year. */
import should from 'should'
import node from '../../../nodes/create-document/create-document'
import { fields } from '../../../nodes/create-document/create-document.fields'
import { nextTime } from '../../../sandbox/signature/schedule'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

const day = 86_400_000
const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** Decided by the names of the days, independently of how a schedule is read. */
const isMeant = (choice: string, date: Date) => {
  const name = names[date.getUTCDay()] ?? ''
  if (choice === 'everyDay') return true
  return choice === 'mondayToFriday' ? !['saturday', 'sunday'].includes(name) : choice === name
}

describe('reminders by the service', () => {
  let service: Service
  const start = (settings: object) =>
    startFlow({
      type: 'eid-create-document',
      module: node,
      settings: {
        title: 'Lease',
        contactEmail: 'kari.nordmann@example.com',
        file: 'QQ==',
        fileType: 'base64',
        fileName: 'contract.txt',
        fileNameType: 'str',
        signersRows: [{ firstName: 'Ola', email: 'ola.nordmann@example.com' }],
        ...settings,
      },
      client: { baseUrl: service.url },
    })
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  for (const choice of fields.remindOn.choices) {
    it(`on ${choice} come on these days of a year, and on no other`, async () => {
      const flow = await start({ remindOn: choice })
      flow.send({})
      await flow.next()
      const body = (await service.requests('createDocument'))[0]?.body as {
        notification: { reminder: { chronSchedule: string; firstReminderAfter: number } }
        signers: [{ notifications: object }]
      }
      should(body.signers[0].notifications).match({ setup: { reminder: 'sendEmail' } })
      const { chronSchedule, firstReminderAfter } = body.notification.reminder
      for (const sent of ['2029-12-25T07:59:00Z', '2029-12-25T09:30:00Z', '2030-02-28T23:00:00Z']) {
        const created = Date.parse(sent)
        const found: string[] = []
        let time = nextTime(chronSchedule, created + firstReminderAfter * day)
        while (time !== undefined && time < created + 365 * day) {
          found.push(new Date(time).toISOString())
          time = nextTime(chronSchedule, time)
        }
        const meant = Array.from(
          { length: 366 },
          (_none, index) => new Date(Date.parse(sent.slice(0, 10)) + index * day),
        )
          .filter((date) => isMeant(choice, date))
          .map((date) => new Date(date.getTime() + day / 3))
          .filter((date) => date.getTime() > created + day && date.getTime() < created + 365 * day)
        should(found).deepEqual(meant.map((date) => date.toISOString()))
      }
    })
  }

  it('on days that no schedule can keep are refused', async () => {
    const flow = await start({ remindOn: 'every 3 days' })
    flow.send({})
    const { error } = await flow.caught()
    should(error.message).match(/^Reminders by the service must be one of: everyDay, mondayToFriday, monday/)
    should(await service.requests()).be.empty()
  })

  it('and receipts and own texts reach signers from a message too, each the way of the request', async () => {
    const flow = await start({
      remindOn: 'everyDay',
      receipts: 'true',
      signers: 'who',
      signersType: 'msg',
      textsRows: [{ occasion: 'canceled', language: 'EN', text: 'The lease was withdrawn.' }],
    })
    const person = (request: string, more: object = {}) => ({
      signerInfo: {
        firstName: 'Ola',
        email: 'ola.nordmann@example.com',
        mobile: { countryCode: '47', number: '99999999' },
      },
      notifications: { setup: { request, ...more } },
    })
    flow.send({ who: [person('sendSms'), person('sendEmail', { reminder: 'off' }), person('off')] })
    await flow.next()
    const body = (await service.requests('createDocument'))[0]?.body as { signers: { notifications: object }[] }
    const all = (channel: string) => ({ signatureReceipt: channel, finalReceipt: channel, canceled: channel })
    should(body.signers.map(({ notifications }) => notifications)).deepEqual([
      { setup: { request: 'sendSms', reminder: 'sendSms', ...all('sendSms') } },
      { setup: { request: 'sendEmail', reminder: 'off', ...all('sendEmail') } },
      { setup: { request: 'off' } },
    ])
  })
})
