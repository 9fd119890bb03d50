/**
 * What only concerns files: permissions, full disks, clocks that are set, what an interrupted write leaves behind, and
 * which store is opened.
 */
import should from 'should'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../lib/store/clock'
import { newId } from '../../../lib/store/item-name'
import { nameOf } from '../../../lib/store/item-name'
import { createFileLog } from '../../../lib/store/local/file-log'
import { LocalStore } from '../../../lib/store/local/local'
import { until } from '../../support/time'
import type { Claim, StoreOptions, StoreEvent } from '../../../lib/store/store'

const hour = 3_600_000

describe('files of a store', () => {
  let folder: string
  let troubles: StoreEvent[]
  const open: LocalStore[] = []
  const optionsOf = (more: Partial<StoreOptions> = {}): StoreOptions => ({
    kind: 'items',
    onStoreEvent: (trouble) => void troubles.push(trouble),
    ...more,
  })
  const start = (clock?: Clock, path = join(folder, 'kept')) => {
    const store = new LocalStore(optionsOf(), createFileLog(path), clock)
    open.push(store)
    return store
  }
  const closeAll = () => Promise.all(open.splice(0).map((store) => store.close()))
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-files-'))
    troubles = []
  })
  afterEach(async () => {
    await closeAll()
    rmSync(folder, { recursive: true, force: true })
  })

  it('cannot be read by other users, even in a folder that was open to all', async () => {
    mkdirSync(join(folder, 'kept'), { mode: 0o755 })
    chmodSync(join(folder, 'kept'), 0o755)
    await start().put('one', { body: 1 })
    should(statSync(join(folder, 'kept')).mode & 0o777).equal(0o700)
    for (const file of readdirSync(join(folder, 'kept'))) {
      should(statSync(join(folder, 'kept', file)).mode & 0o777).equal(0o600)
    }
  })

  it('leave nothing behind: one file for an item, none for one that is gone', async () => {
    const store = start()
    for (let n = 0; n < 5; n++) await store.put('one', { body: n })
    await store.put('two', { body: 2 })
    await store.flush()
    should(readdirSync(join(folder, 'kept'))).have.length(2)
    await store.remove('two')
    should(readdirSync(join(folder, 'kept'))).deepEqual([`${nameOf('one')}.5`])
    await store.clear()
    should(existsSync(join(folder, 'kept'))).be.false()
  })

  it('are named after an id that was generated for them, and are found again', async () => {
    const ids = [newId(), newId(), 'e0000', 'w0000']
    const store = start()
    for (const id of ids) await store.put(id, { body: id })
    await closeAll()
    const names = readdirSync(join(folder, 'kept')).map((file) => file.split('.')[0])
    should(names).containDeep(ids.slice(0, 2))
    should(names).not.containDeep(ids.slice(2))
    const later = start()
    should((await later.list()).map(({ id }) => id)).deepEqual(ids)
    for (const id of ids) should((await later.get(id))?.body).equal(id)
  })

  it('of an interrupted write are cleared away, and the state before it counts', async () => {
    const store = start()
    await store.put('one', { body: 'whole' })
    await closeAll()
    const file = join(folder, 'kept', nameOf('one'))
    writeFileSync(`${file}.2.new`, '{"v":1,"id":"o')
    writeFileSync(`${file}.3`, '')
    const later = start()
    should((await later.get('one'))?.body).equal('whole')
    await later.put('one', { body: 'newer' })
    should((await later.get('one'))?.body).equal('newer')
    await later.flush()
    should(readdirSync(join(folder, 'kept'))).deepEqual([`${nameOf('one')}.4`])
    should(troubles).deepEqual(['unreadable'])
  })

  it('that a later layout has written are left alone', async () => {
    mkdirSync(join(folder, 'kept'))
    writeFileSync(join(folder, 'kept', `${nameOf('one')}.1`), '{"v":2,"anything":true}\n{}')
    const store = start()
    await store.put('two', { body: 2 })
    await store.flush()
    should((await store.list()).map(({ id }) => id)).deepEqual(['two'])
    should(readdirSync(join(folder, 'kept'))).have.length(2)
    should(troubles).deepEqual([])
  })

  it('on a full disk refuse new items, say so once, and accept them when there is room again', async () => {
    mkdirSync(join(folder, 'kept'))
    const full = (id: string, number: number) => join(folder, 'kept', `${nameOf(id)}.${number}.new`)
    const store = start()
    await store.put('old', { body: 'as it was', dueMs: 0 })
    for (const [id, number] of [
      ['old', 2],
      ['one', 1],
      ['two', 1],
    ] as const) {
      symlinkSync('/dev/full', full(id, number))
    }
    const refused = { code: 'EID_CONFIG', text: { key: 'config.storeUnwritten' }, cause: { outcome: 'not-done' } }
    await should(store.put('one', { body: 1, dueMs: 0 })).be.rejectedWith(refused)
    await should(store.add('two', { body: 2 })).be.rejectedWith(refused)
    await should(store.put('old', { body: 'changed' })).be.rejectedWith(refused)
    should(troubles).deepEqual(['unwritten'])
    // None of it has taken effect, and work that can't be recorded does not begin.
    should((await store.list()).map(({ id }) => id)).deepEqual(['old'])
    should((await store.get('old'))?.body).equal('as it was')
    await should(store.claim(1)).be.rejectedWith(refused)
    for (const [id, number] of [
      ['old', 2],
      ['one', 1],
      ['two', 1],
    ] as const) {
      rmSync(full(id, number), { force: true })
    }
    await until(() => troubles.includes('back'))
    await store.put('one', { body: 1 })
    should((await store.claim(1))[0]?.body).equal('as it was')
    await closeAll()
    should((await start().list()).map(({ id }) => id).sort()).deepEqual(['old', 'one'])
    should(troubles).deepEqual(['unwritten', 'back'])
  })

  it('on a full disk do not let anyone act on work that they hold', async () => {
    const store = start()
    await store.put('work', { body: 1, dueMs: 0 })
    const [claim] = (await store.claim(1)) as [Claim]
    const blocked = join(folder, 'kept', `${nameOf('work')}.2.new`)
    symlinkSync('/dev/full', blocked)
    await should(store.markDelivered(claim)).be.rejectedWith({ code: 'EID_CONFIG' })
    should((await store.get('work'))?.deliveryCount).equal(0)
    // The item may be rescheduled or completed, because a crash would only deliver it again.
    should(await store.reschedule(claim, 0)).be.true()
    rmSync(blocked, { force: true })
    await until(() => troubles.includes('back'))
    const [again] = (await store.claim(1)) as [Claim]
    should(await store.markDelivered(again)).be.true()
    should((await store.get('work'))?.deliveryCount).equal(1)
  })

  it('where no folder can be made refuse everything, and say so once', async () => {
    writeFileSync(join(folder, 'file'), '')
    const store = start(undefined, join(folder, 'file', 'kept'))
    for (let n = 0; n < 3; n++)
      await should(store.put(`work-${n}`, { body: n })).be.rejectedWith({ code: 'EID_CONFIG' })
    should(troubles).deepEqual(['unread'])
    rmSync(join(folder, 'file'))
    await until(() => troubles.includes('back'))
    await store.put('work', { body: 1 })
    should((await store.get('work'))?.body).equal(1)
  })

  it('where the folder is taken away: made again', async () => {
    const store = start()
    await store.put('one', { body: 1 })
    rmSync(join(folder, 'kept'), { recursive: true })
    await store.put('two', { body: 2 })
    await store.put('three', { body: 3 })
    should((await store.get('three'))?.body).equal(3)
    should(readdirSync(join(folder, 'kept'))).not.be.empty()
  })

  it('are due by a clock that cannot be set', async () => {
    const clock = {
      time: 1_000,
      date: Date.now(),
      up: 50_000,
      now: () => clock.time,
      epochNow: () => clock.date,
      uptime: () => clock.up,
    }
    const pass = (span: number) => {
      clock.time += span
      clock.date += span
      clock.up += span
    }
    const store = start(clock)
    await store.put('work', { body: 1, dueMs: hour })
    clock.date -= 5 * hour
    should(await store.claim(1)).deepEqual([])
    pass(hour)
    const [claim] = await store.claim(1)
    should(claim).have.properties({ id: 'work', ageMs: hour })
    if (claim) await store.reschedule(claim, hour, { keepMs: 3 * hour })
    await closeAll()
    // The clock is set back by five hours while Node-RED is stopped, but the pause is still an hour.
    clock.date -= 5 * hour
    const later = start(clock)
    should(await later.claim(1)).deepEqual([])
    pass(hour)
    should(await later.claim(1)).have.length(1)
    await closeAll()
    // The clock was years behind, and is corrected while Node-RED is stopped. No time counts as passed, and nothing is
    // dropped.
    clock.date += 20_000 * hour
    const [again] = await start(clock).claim(1)
    should(again?.ageMs).equal(2 * hour)
    await closeAll()
    // Nine hours really pass, so what has expired is dropped.
    pass(9 * hour)
    should(await start(clock).claim(1)).deepEqual([])
  })

  it('count no time that a machine which was off can not know about', async () => {
    const clock = { date: Date.now(), up: 90 * hour, now: () => 0, epochNow: () => clock.date, uptime: () => clock.up }
    const store = start(clock)
    await store.put('event', { body: 1, keepMs: 2 * hour })
    await store.put('work', { body: 1, dueMs: 30 * hour })
    await closeAll()
    // The machine was restarted a minute ago, with a clock that shows that a month has passed.
    Object.assign(clock, { up: hour / 60, date: clock.date + 720 * hour })
    const later = start(clock)
    should(await later.add('event', { body: 2 })).be.false()
    should(await later.claim(1)).have.length(1)
  })
})
