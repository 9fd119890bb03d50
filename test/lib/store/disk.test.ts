/**
 * A store's files on a failing disk: for a moment, for a while, in the way of Windows, or with a changed byte. The
 * faults are injected, so that the tests run on every system.
 */
import should from 'should'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameOf } from '../../../lib/store/item-name'
import { disk, type Disk } from '../../../lib/store/local/disk'
import { createFileLog } from '../../../lib/store/local/file-log'
import { LocalStore } from '../../../lib/store/local/local'
import type { Claim, StoreEvent } from '../../../lib/store/store'
import { nextTurn } from '../../../lib/common/event-loop'
import { until } from '../../support/time'

/** An error in the form in which the system reports it. */
const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'test' })

describe('files of a store on a disk that fails', () => {
  let folder: string
  let events: StoreEvent[]
  const open: LocalStore[] = []
  const start = (faults: Partial<Disk> = {}) => {
    const log = createFileLog(folder, { ...disk, ...faults })
    const store = new LocalStore({ kind: 'items', onStoreEvent: (event) => void events.push(event) }, log)
    open.push(store)
    return store
  }
  const closeAll = () => Promise.all(open.splice(0).map((store) => store.close()))
  /** Throws `code` the first `times` times. */
  const failing = <A extends unknown[], R>(code: string, times: number, task: (...values: A) => R) => {
    let left = times
    return (...values: A): R => {
      if (left-- > 0) throw systemError(code)
      return task(...values)
    }
  }
  const failingLater = <A extends unknown[], R>(code: string, times: number, task: (...values: A) => Promise<R>) => {
    const fail = failing(code, times, task)
    return async (...values: A): Promise<R> => fail(...values)
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-disk-'))
    events = []
  })
  afterEach(async () => {
    await closeAll()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const code of ['EMFILE', 'ENFILE', 'EIO', 'ESTALE', 'EACCES']) {
    it(`read again what ${code} kept them from reading, and lose no item`, async () => {
      const before = start()
      for (const id of ['one', 'two']) await before.put(id, { body: id, dueMs: 0 })
      await closeAll()
      const store = start({
        readNow: failing(code, 3, disk.readNow),
        read: failingLater(code, 3, disk.read),
      })
      const claims = await until(async () => {
        const some = await store.claim(2)
        return some.length === 2 ? some : undefined
      })
      should(claims.map(({ body }) => body).sort()).deepEqual(['one', 'two'])
      should(events).deepEqual([])
    })
  }

  it('start with all others while one can not be read, and take it when it can', async () => {
    const before = start()
    for (const id of ['one', 'two']) await before.put(id, { body: id })
    await closeAll()
    let shut = true
    const guard = (path: string) => {
      if (shut && path.includes(nameOf('one'))) throw systemError('EACCES')
    }
    const store = start({
      readNow(path) {
        guard(path)
        return disk.readNow(path)
      },
      async read(path) {
        guard(path)
        return disk.read(path)
      },
    })
    should((await store.get('two'))?.body).equal('two')
    should(events).deepEqual(['unread'])
    // A list without the item would be taken for a complete one.
    await should(store.list()).be.rejectedWith({ text: { key: 'config.storeUnread', params: { reason: 'EACCES' } } })
    // The item exists, so nothing may replace it.
    await should(store.add('one', { body: 'mine' })).be.rejectedWith({ text: { key: 'config.storeUnread' } })
    await should(store.get('one')).be.rejectedWith({ text: { key: 'config.storeUnread' } })
    shut = false
    await until(() => events.includes('back'))
    should((await store.get('one'))?.body).equal('one')
    // The item is in its old place, whatever the length of a page.
    const [first] = await store.list({ limit: 1 })
    const [second] = await store.list({ limit: 1, after: first?.position })
    should([first?.id, second?.id]).deepEqual(['one', 'two'])
  })

  it('refuse everything while the folder can not be read, and begin when it can', async () => {
    await start().put('one', { body: 1, dueMs: 0 })
    await closeAll()
    const store = start({ list: failingLater('EIO', 1, disk.list) })
    await should(store.claim(1)).be.rejectedWith({ text: { key: 'config.storeUnread' } })
    await until(() => events.includes('back'))
    should(await store.claim(1)).have.length(1)
    should(events).deepEqual(['unread', 'back'])
  })

  it('do not take a disconnected drive for one without the item', async () => {
    const store = start({
      exists: () => Promise.resolve(false),
      read: failingLater('ENOENT', 2, disk.read),
    })
    await store.put('one', { body: 1 })
    should((await store.get('one'))?.body).equal(1)
    should(events).deepEqual([])
  })

  for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
    it(`wait while another program holds a file open: ${code}`, async () => {
      const store = start({
        rename: failingLater(code, 3, disk.rename),
        remove: failingLater(code, 3, disk.remove),
      })
      await store.put('one', { body: 1 })
      await store.put('one', { body: 2 })
      await store.flush()
      should(readdirSync(folder)).deepEqual([`${nameOf('one')}.2`])
      should(events).deepEqual([])
    })
  }

  it('need no folder that can be synced', async () => {
    const synced: string[] = []
    const store = start({
      sync(path, mode) {
        if (path !== folder) synced.push(mode)
        // Fails for folders with EISDIR, as on Windows.
        return disk.sync(path, 'r+')
      },
    })
    await store.put('one', { body: 1 })
    await store.put('one', { body: 2 })
    await store.flush()
    // Some systems sync only files that are opened for writing.
    should(synced).deepEqual(['r+'])
    should(readdirSync(folder)).deepEqual([`${nameOf('one')}.2`])
    await disk.sync(join(folder, 'gone'), 'r+')
  })

  it('notice a byte that was changed in a body, and in what is noted of it', async () => {
    for (const [from, to] of [
      ['27000', '97000'],
      ['Nordmann', 'Nordmenn'],
    ] as const) {
      const before = start()
      await before.put('one', { body: { amount: 27000 }, summary: 'Ola Nordmann' })
      await before.put('two', { body: 2 })
      await closeAll()
      const file = readdirSync(folder).find((name) => name.startsWith(nameOf('one'))) ?? ''
      writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replace(from, to))
      events = []
      const store = start()
      should(await store.get('one')).be.undefined()
      should((await store.get('two'))?.body).equal(2)
      should(events).deepEqual(['unreadable'])
      await store.clear()
      await closeAll()
    }
  })

  it('notice it while they are open, too', async () => {
    const store = start()
    await store.put('one', { body: { amount: 27000 }, dueMs: 0 })
    await store.put('two', { body: 2, dueMs: 0 })
    const file = join(folder, `${nameOf('one')}.1`)
    writeFileSync(file, readFileSync(file, 'utf8').replace('27000', '97000'))
    should((await store.claim(2)).map(({ id }) => id)).deepEqual(['two'])
    should(events).deepEqual(['unreadable'])
    should(readdirSync(folder)).have.length(2)
  })

  it('are read though an earlier version wrote them, without a checksum', async () => {
    const header = {
      v: 1,
      id: 'old',
      seq: 3,
      since: Date.now(),
      version: 1,
      bytes: 9,
      handedOut: 2,
      due: [Date.now(), 0],
    }
    writeFileSync(join(folder, `${nameOf('old')}.1`), `${JSON.stringify(header)}\n{"old":1}`)
    const [claim] = (await start().claim(1)) as [Claim]
    should(claim).have.properties({ id: 'old', deliveryCount: 2, body: { old: 1 }, position: 3 })
  })

  it('report each of many failed puts to its caller, and leave what was stored before', async () => {
    let full = false
    const store = start({
      write: (path, text) => (full ? Promise.reject(systemError('ENOSPC')) : disk.write(path, text)),
    })
    await store.put('same', { body: 'before' })
    full = true
    const puts = await Promise.allSettled([1, 2, 3].map((body) => store.put('same', { body })))
    should(puts.map(({ status }) => status)).deepEqual(['rejected', 'rejected', 'rejected'])
    should((await store.get('same'))?.body).equal('before')
    await should(store.increment('count')).be.rejectedWith({ text: { params: { reason: 'ENOSPC' } } })
    full = false
    await until(() => events.includes('back'))
    should(await store.increment('count')).be.aboveOrEqual(1)
    await closeAll()
    should((await start().get('same'))?.body).equal('before')
  })

  it('write an item once, however many add it while it is being written', async () => {
    let writes = 0
    const store = start({
      write: (path, text) => {
        writes++
        return disk.write(path, text)
      },
    })
    // The calls come one after the other, some of them while the first item is being written.
    const added = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        for (let turn = 0; turn < index; turn++) await nextTurn()
        return store.add('event', { body: 'event' })
      }),
    )
    should(added.filter(Boolean)).have.length(1)
    should(writes).equal(1)
    await closeAll()
    should((await start().get('event'))?.body).equal('event')
  })
})
