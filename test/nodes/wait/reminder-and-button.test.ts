/**
 * A date of "wait" and a button that remind the signers of the same document: because of one shared note per day, only
 * one reminds.
 */
import should from 'should'
import type { ApiClient } from '../../../lib/api/client'
import { nodeError } from '../../../lib/api/errors/errors'
import { dateText } from '../../../lib/common/reminder-dates'
import { registerReminders } from '../../../lib/runtime/monitor/reminder-notes'
import { remind } from '../../../lib/runtime/service/reminder'
import { calendarDocument, createCalendar, type Calendar } from '../../support/reminder-calendar'
import { storeOf } from '../../support/stores'
import type { Store } from '../../../lib/store/store'
import { RED } from '../../support/errors'

const day = 86_400_000

describe('a date of a wait and a button', () => {
  let calendar: Calendar
  let stores: { waits: Store; notes: Store }
  let forget = () => {}
  let today: string
  const open = (kind: string) => storeOf({ kind })
  /** Starts a wait that arrived yesterday, and has to remind today at eight. */
  const begin = async () => {
    today = dateText(new Date())
    calendar = createCalendar(`${dateText(new Date(Date.now() - day))} 14:00`)
    stores = { waits: open('waits'), notes: open('notes') }
    forget = registerReminders(RED, { withNotes: (_wait, use) => use(stores.notes) })
    await calendar.wait(calendar.start(stores), '1, 20')
  }
  const send = { fails: false, sent: 0 }
  const api = {
    send(operation: string) {
      if (operation === 'getDocument') return Promise.resolve({ data: calendar.record })
      if (send.fails) return Promise.reject(nodeError('EID_NETWORK', 'errors.EID_NETWORK', {}))
      return Promise.resolve(void send.sent++)
    },
  } as unknown as ApiClient
  const press = (again = false) => remind(RED, api, { id: calendarDocument, wait: 'w', by: 'kari', again })

  beforeEach(() => Object.assign(send, { fails: false, sent: 0 }))
  afterEach(async () => {
    forget()
    await calendar.end()
    await Promise.all([stores.waits.close(), stores.notes.close()])
  })

  it('remind once when the button comes first', async () => {
    await begin()
    should(await press()).match({ state: 'sent', channel: 'sendEmail' })
    await calendar.goTo(`${today} 20:00`)
    should([calendar.sent, calendar.said, send.sent]).deepEqual([[], [], 1])
  })

  it('remind once when the date comes first, and the button says so', async () => {
    await begin()
    await calendar.goTo(`${today} 20:00`)
    should(calendar.sent).deepEqual([`${today} 08:00`])
    should(await press()).match({ state: 'earlier', isSure: true, by: '' })
    should(send.sent).equal(0)
  })

  it('remind on the date after all when nothing was sent by the button', async () => {
    await begin()
    send.fails = true
    await should(press()).be.rejected()
    await calendar.goTo(`${today} 20:00`)
    should(calendar.sent).deepEqual([`${today} 08:00`])
  })

  it('remind no more where the date may have reminded, and the button says that it is not sure', async () => {
    await begin()
    calendar.fates.push('unknown')
    await calendar.goTo(`${today} 20:00`)
    should(await press()).match({ state: 'earlier', isSure: false })
    should(send.sent).equal(0)
  })

  it('remind by the button where the service refused it on the date', async () => {
    await begin()
    calendar.fates.push('refused')
    await calendar.goTo(`${today} 20:00`)
    should(await press()).match({ state: 'sent' })
  })

  it('remind no one while no one can sign, which the button does not call an end', async () => {
    await begin()
    const statuses = { waiting_for_attachments: 'notOpen', paused: 'notOpen', signed: 'ended', canceled: 'ended' }
    for (const [documentStatus, state] of Object.entries({ ...statuses, expired: 'ended', deleted: 'ended' })) {
      calendar.record = { documentId: calendarDocument, status: { documentStatus }, signers: [] }
      should(await press()).deepEqual({ state }, documentStatus)
    }
    should(send.sent).equal(0)
  })

  it('remind those whose turn came today', async () => {
    await begin()
    const person = (id: string, order: number, more: object = {}) => ({
      id,
      order,
      signerInfo: { firstName: id, email: 'ola.nordmann@example.com' },
      ...more,
    })
    const record = (first: object) => ({
      documentId: calendarDocument,
      status: { documentStatus: 'partialsigned' },
      signers: [person('Ola', 1, first), person('Kari', 2)],
    })
    calendar.record = record({})
    await calendar.goTo(`${today} 20:00`)
    should(await press()).match({ state: 'earlier' })
    calendar.record = record({ documentSignature: { signedTime: today } })
    should(await press()).match({ state: 'sent' })
    should(await press()).match({ state: 'earlier', by: 'kari' })
    should(await press(true)).match({ state: 'sent' })
  })
})
