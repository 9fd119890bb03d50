/** "wait" with reminders in a flow: the calls it makes, and the values that the form and the message may have. */
import should from 'should'
import { RED, listErrors } from '../../support/errors'
import { sentenceOf } from '../../../lib/runtime/monitor/error-sentence'
import { listPending } from '../../../lib/runtime/monitor/pending'
import { translateInto } from '../../../lib/runtime/node-red/texts'
import node from '../../../nodes/wait/wait'
import { startFlow, removeFlow, type Flow } from '../../support/flow'
import { startParties, type CreatedDocument, type Parties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { until, untilCount } from '../../support/time'
import { saying, sentence } from '../../support/wording'

const day = 86_400_000

describe('wait, with reminders in a flow', () => {
  let service: Service
  let parties: Parties
  let flow: Flow
  const wall = Date.now
  const start = async (settings: object = {}) => {
    const client = { baseUrl: service.url, retries: 0 }
    const all = { pollInterval: '0.05', maxInterval: '0.2', remindAfter: '3, 7', ...settings }
    flow = await startFlow({ type: 'eid-wait', module: node, outputs: 3, settings: all, client })
  }
  const create = (more: object = {}) =>
    parties.call<CreatedDocument>('POST', '/signature/documents', {
      title: 'Lease',
      externalId: `key-${Math.random()}`,
      contactDetails: { email: 'post@example.com' },
      dataToSign: { fileName: 'lease.txt', base64Content: Buffer.from('agreed').toString('base64') },
      signers: [
        {
          externalSignerId: 'signer-1',
          signerInfo: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' },
          redirectSettings: { redirectMode: 'donot_redirect' },
          signatureType: { mechanism: 'pkisignature' },
          ...more,
        },
      ],
      ...('notification' in more && { notification: more.notification }),
    })
  const asked = async (count: number) =>
    untilCount(async () => (await service.requests('getDocumentStatus')).length, count)
  /** Sets the date to noon, this many days from today. */
  const setDays = (days: number) => {
    const noon = new Date(wall()).setHours(12, 0, 0, 0) + days * day
    const ahead = noon - wall()
    Date.now = () => wall() + ahead
  }
  const reminders = () => service.requests('remindDocument')

  beforeEach(async () => {
    setDays(0)
    service = await startService()
    parties = await startParties(service)
  })
  afterEach(async () => {
    await removeFlow()
    await service.close()
    Date.now = wall
  })

  it('sends the reminder of the service on its day, once, also after a deploy, and says when the next one is', async () => {
    const { documentId } = await create()
    await start()
    flow.send({ documentId })
    await asked(2)
    should(await reminders()).deepEqual([])
    setDays(3)
    await untilCount(async () => (await reminders()).length, 1)
    should((await reminders())[0]).match({ body: { notificationSetting: 'sendEmail' } })
    const next = await until(async () => {
      const [item] = (await listPending(RED)).items
      return Date.parse(item?.nextReminder ?? '') > Date.now() ? item?.nextReminder : undefined
    })
    const local = new Date(next)
    should([local.getHours(), local.getMinutes()]).deepEqual([8, 0])
    should((local.getTime() - Date.now()) / day).be.within(3, 4)
    await flow.redeploy({ remindAfter: '3' })
    const before = (await service.requests('getDocumentStatus')).length
    await asked(before + 3)
    should(await reminders()).have.length(1)
    // A wait for two dates keeps both.
    setDays(7)
    await untilCount(async () => (await reminders()).length, 2)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  it('refuses days that do not ascend, and an invalid time, with a sentence and before it waits', async () => {
    const { documentId } = await create()
    await start({ remindAfter: 'days', remindAfterType: 'msg', remindAt: 'at', remindAtType: 'msg' })
    for (const days of ['12, 3', '3, x', '0']) {
      flow.send({ documentId, days, at: '08:00' })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).match(saying('client', 'problems.dayList'))
    }
    flow.send({ documentId, days: '3', at: 'noon' })
    should((await flow.caught()).error.message).startWith(
      sentence('client', 'problems.timeOfDay', { path: 'Remind at' }),
    )
    should((await listPending(RED)).items).deepEqual([])
  })

  it('leaves a document alone that the service reminds of, and says so once', async () => {
    const own = await create({
      notifications: { setup: { reminder: 'sendEmail' } },
      notification: { reminder: { chronSchedule: '0 0 8 * * ?' } },
    })
    await start()
    flow.send({ documentId: own.documentId, payload: own })
    flow.send({ documentId: own.documentId })
    await asked(2)
    setDays(4)
    const before = (await service.requests('getDocumentStatus')).length
    await asked(before + 4)
    should(await reminders()).deepEqual([])
    should(flow.warnings.filter((text) => text === sentence('wait', 'warnings.remindsItself'))).have.length(1)
  })

  it('says that a reminder may have been sent, and does not send it again', async () => {
    const { documentId } = await create()
    await start({ remindAfter: '3' })
    flow.send({ documentId })
    await asked(2)
    await service.fault({ operation: 'remindDocument', kind: 'close-after' })
    setDays(3)
    const caught = await flow.caught()
    should(caught.error.message).match(
      saying('wait', 'errors.reminder.unknown', { id: String(documentId), reason: 'connection broke' }),
    )
    const [entry] = listErrors()
    const norwegian = entry && sentenceOf(entry, translateInto('nb', 'wait'))
    should(norwegian).match(saying('wait', 'errors.reminder.unknown', { reason: 'forbindelsen ble brutt' }, 'nb'))
    should(caught.error.cause).have.property('outcome', 'unknown')
    should(caught).have.property('documentId', documentId)
    const before = (await service.requests('getDocumentStatus')).length
    await asked(before + 3)
    should((await reminders()).length).be.belowOrEqual(1)
    should((await listPending(RED)).items).have.length(1)
  })

  it('reminds of no share and no deposit', async () => {
    await start({ what: 'deposit', remindAfter: '3' })
    flow.send({ depositId: 'deposit-unfunded-1' })
    await untilCount(async () => (await service.requests('getDeposit')).length, 2)
    should((await listPending(RED)).items[0]).not.have.property('nextReminder')
  })
})
