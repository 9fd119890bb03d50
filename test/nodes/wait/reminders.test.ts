/** "wait" reminds: a month of reminders compared with their plan, with kills, clock changes and a failing service. */
import should from 'should'
import { cpSync, rmSync } from 'node:fs'
import { createCalendar, inOslo, withOwnReminders, withoutAddress } from '../../support/reminder-calendar'
import type { Calendar, Replica, ReplicaStores } from '../../support/reminder-calendar'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'
import { storeOf } from '../../support/stores'
import type { Store } from '../../../lib/store/store'

/** Copies all files in the state of one moment. If a file is replaced meanwhile, copies all of them again. */
function copyAll(from: string, to: string): void {
  for (let left = 20; ; left--) {
    try {
      return cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.owner') })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || left === 0) throw error
      rmSync(to, { recursive: true })
    }
  }
}

describe('wait, reminding', () => {
  inOslo()
  let calendar: Calendar
  let folder: ReturnType<typeof temporaryFolder>
  /** Whether the stores are on disk. Only a restart needs that. */
  let isKept = false
  const opened: Store[] = []
  const folders: ReturnType<typeof temporaryFolder>[] = []
  const open = (kind: string) => {
    const store = storeOf({ kind }, isKept ? { folder: `${folder.path}/${kind}` } : {})
    opened.push(store)
    return store
  }
  const stores = (): ReplicaStores => ({ waits: open('waits'), notes: open('notes') })
  const start = () => calendar.start(stores())
  /** Ends the process together with everything that it was doing. */
  const kill = (replica: Replica) => {
    void replica.poller.stop()
    // The rest of the old process must not write where the next one writes.
    const left = folder
    folders.push((folder = temporaryFolder()))
    copyAll(left.path, folder.path)
  }
  const begin = (moment: string, survives: 'survives a restart' | '' = '') => {
    isKept = survives !== ''
    calendar = createCalendar(moment)
    return start()
  }

  beforeEach(() => void folders.push((folder = temporaryFolder())))
  afterEach(async () => {
    await calendar.end()
    await Promise.all(opened.splice(0).map((one) => one.close()))
    for (const one of folders.splice(0)) one.remove()
  })

  it('keeps to the plan for a month, at eight by the clock, through the beginning of summer time', async () => {
    const red = begin('2026-03-02 14:00')
    await calendar.wait(red, '3, 7, 12, 28')
    await calendar.goTo('2026-04-04 14:00')
    should(calendar.sent).deepEqual(['2026-03-05 08:00', '2026-03-09 08:00', '2026-03-14 08:00', '2026-03-30 08:00'])
    should(calendar.said).deepEqual([])
  })

  it('keeps to Monday to Friday, through the end of summer time', async () => {
    const red = begin('2026-10-05 14:00')
    await calendar.wait(red, '3, 19, 20, 21, 28', 'mondayToFriday')
    await calendar.goTo('2026-11-05 14:00')
    // The 24th and 25th are a weekend, so these reminders and the one for the 26th become one.
    should(calendar.sent).deepEqual(['2026-10-08 08:00', '2026-10-26 08:00', '2026-11-02 08:00'])
  })

  it('reminds once a day of a document that two messages wait for on dates of their own', async () => {
    const red = begin('2026-03-02 14:00', 'survives a restart')
    await calendar.wait(red, '3, 7')
    await calendar.goTo('2026-03-03 14:00')
    await calendar.wait(red, '3, 7')
    await calendar.goTo('2026-03-04 14:00')
    await red.poller.stop()
    await red.stores.waits.close()
    await red.stores.notes.close()
    await calendar.goTo('2026-03-07 10:00')
    start()
    await calendar.goTo('2026-03-16 14:00')
    should(calendar.sent).deepEqual(['2026-03-07 14:00', '2026-03-09 08:00', '2026-03-10 08:00'])
    should(calendar.said).deepEqual([])
  })

  it('keeps to the dates that are left after the clock was a year ahead for a moment', async () => {
    const red = begin('2026-03-02 14:00')
    await calendar.wait(red, '3, 7, 12')
    await calendar.goTo('2026-03-03 14:00')
    calendar.setClock('2027-03-03 10:00')
    await until(() => calendar.sent.length === 1)
    calendar.setClock('2026-03-03 15:00')
    await calendar.goTo('2026-03-20 14:00')
    should(calendar.sent.slice(1)).deepEqual(['2026-03-05 08:00', '2026-03-09 08:00', '2026-03-14 08:00'])
  })

  it('reminds once after a week in which Node-RED was off, and not at night', async () => {
    const red = begin('2026-03-02 14:00', 'survives a restart')
    await calendar.wait(red, '3, 5, 7, 12')
    await calendar.goTo('2026-03-04 10:00')
    await red.poller.stop()
    await red.stores.waits.close()
    await red.stores.notes.close()
    await calendar.goTo('2026-03-10 02:00')
    start()
    await calendar.goTo('2026-03-20 14:00')
    should(calendar.sent).deepEqual(['2026-03-10 08:00', '2026-03-14 08:00'])
  })

  it('sends nothing twice when the clock is set back, and then continues its plan', async () => {
    const red = begin('2026-03-02 14:00')
    await calendar.wait(red, '3, 7, 12')
    await calendar.goTo('2026-03-09 10:00')
    calendar.setClock('2026-03-04 10:00')
    await calendar.goTo('2026-03-20 14:00')
    should(calendar.sent).deepEqual(['2026-03-05 08:00', '2026-03-09 08:00', '2026-03-14 08:00'])
  })

  it('reminds for 23:59 also just after midnight, and for the next day at its own time', async () => {
    const red = begin('2026-03-02 14:00')
    await calendar.wait(red, '3, 4', 'everyDay', '23:59')
    await calendar.goTo('2026-03-05 23:00')
    calendar.setClock('2026-03-06 00:03')
    await until(() => calendar.sent.length === 1)
    await calendar.goTo('2026-03-06 23:59')
    await calendar.goTo('2026-03-09 14:00')
    should(calendar.sent).deepEqual(['2026-03-06 00:03', '2026-03-06 23:59'])
  })

  for (const [fate, reminded] of [
    ['diesBefore', ['2026-03-09 08:00']],
    ['diesAfter', ['2026-03-05 08:00', '2026-03-09 08:00']],
  ] as const) {
    it(`repeats no reminder that may have been sent when Node-RED was killed (${fate})`, async () => {
      const red = begin('2026-03-02 14:00', 'survives a restart')
      await calendar.wait(red, '3, 7')
      calendar.fates.push(fate)
      await calendar.goTo('2026-03-05 06:00')
      calendar.setClock('2026-03-05 08:00')
      // The reminder is in flight, and its note is on the disk.
      await until(() => calendar.fates.length === 0)
      kill(red)
      const again = start()
      // Makes the note older than any call can take.
      const { get } = again.stores.notes
      again.stores.notes.get = async (id) => {
        const item = await get.call(again.stores.notes, id)
        return item && { ...item, ageMs: item.ageMs + 600_000 }
      }
      await calendar.goTo('2026-03-12 14:00')
      should(calendar.sent).deepEqual(reminded)
      should(calendar.said).deepEqual(['unknown 2026-03-05'])
    })
  }

  it('says what is unknown, does not repeat it, and keeps the next date', async () => {
    const red = begin('2026-03-02 14:00')
    await calendar.wait(red, '3, 7')
    calendar.fates.push('unknown')
    await calendar.goTo('2026-03-12 14:00')
    should(calendar.sent).deepEqual(['2026-03-05 08:00', '2026-03-09 08:00'])
    should(calendar.said).deepEqual(['unknown 2026-03-05'])
  })

  it('tries again while the service is down, and reports what it refuses', async () => {
    const red = begin('2026-03-02 14:00')
    await calendar.wait(red, '3, 7, 9')
    calendar.fates.push('away', 'sent', 'refused')
    await calendar.goTo('2026-03-12 14:00')
    should(calendar.sent).have.length(2)
    should(calendar.sent[0]).startWith('2026-03-05')
    should(calendar.sent[1]).equal('2026-03-11 08:00')
    should(calendar.said).deepEqual(['refused 2026-03-09'])
  })

  it('reminds once of a document that two messages wait for', async () => {
    const red = begin('2026-03-02 14:00')
    await calendar.wait(red, '3, 7')
    await calendar.wait(red, '3')
    await calendar.goTo('2026-03-12 14:00')
    should(calendar.sent).deepEqual(['2026-03-05 08:00', '2026-03-09 08:00'])
  })

  it('adds nothing to the reminders of the service, and says whom it cannot reach', async () => {
    const red = begin('2026-03-02 14:00')
    await calendar.wait(red, '3, 7')
    calendar.record = withoutAddress
    await calendar.goTo('2026-03-06 14:00')
    should(calendar.said).deepEqual(['nobody 2026-03-05'])
    calendar.record = withOwnReminders
    await calendar.goTo('2026-03-12 14:00')
    should(calendar.said).deepEqual(['nobody 2026-03-05', 'own'])
    should(calendar.sent).deepEqual([])
  })
})
