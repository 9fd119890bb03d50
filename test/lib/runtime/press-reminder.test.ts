/** Reminders that people send with a button although there was one earlier that day. */
import { EventEmitter } from 'node:events'
import should from 'should'
import { registerReminders, type ReminderNotes } from '../../../lib/runtime/monitor/reminder-notes'
import type { PendingItem } from '../../../lib/runtime/monitor/pending'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { remindPressed } from '../../../lib/runtime/service/press-reminder'

describe('another reminder on the same day', () => {
  it('is sent to the next person who wants one only after a question, on whichever page, and then sent', async () => {
    let sent = 0
    const record = {
      status: { documentStatus: 'unsigned' },
      signers: [{ id: 's', signerInfo: { email: 'ola.nordmann@example.com' } }],
    }
    const send = (operation: string) => {
      if (operation === 'remindDocument') sent++
      return Promise.resolve({ data: record })
    }
    // The sidebar and the overview page have a runtime object each.
    const events = new EventEmitter()
    const page = () =>
      ({ events, nodes: { getNode: () => ({ connect: () => Promise.resolve({ send }) }) } }) as unknown as Runtime
    const sidebar = page()
    const overview = page()
    const item = { client: 'c', id: 'd-again', wait: 'w', waitingFor: [] } as unknown as PendingItem
    const noted = new Map<string, unknown>()
    const notes = {
      add: (key: string, note: unknown) => Promise.resolve(!noted.has(key) && Boolean(noted.set(key, note))),
      put: (key: string, note: unknown) => Promise.resolve(void noted.set(key, note)),
      get: (key: string) => Promise.resolve(noted.get(key)),
      remove: (key: string) => Promise.resolve(void noted.delete(key)),
    } as unknown as ReminderNotes
    const stop = registerReminders(sidebar, { withNotes: (_wait, use) => use(notes) })
    const press = (red: Runtime, by: string, again = true) => remindPressed(red, item, { by, again })
    try {
      should(await press(sidebar, 'Kari', false)).match({ state: 'sent' })
      should(await press(sidebar, 'Kari')).match({ state: 'sent' })
      should(await press(overview, 'Ola')).match({ state: 'earlier', by: 'Kari', isSure: true })
      should(sent).equal(2)
      should(await press(overview, 'Ola')).match({ state: 'sent' })
      should(await press(sidebar, 'Kari')).match({ state: 'earlier', by: 'Ola' })
      should(sent).equal(3)
      for (const page of [overview, sidebar]) should(await press(page, '')).match({ state: 'earlier', by: 'Ola' })
      should(sent).equal(3)
    } finally {
      stop()
    }
  })
})
