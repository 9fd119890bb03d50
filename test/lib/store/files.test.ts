/**
 * What only files have: rights, full disks, clocks that are set, what an interrupted write leaves behind, and which
 * store is opened.
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
import { removeAbandoned } from '../../../lib/store/abandoned'
import type { Clock } from '../../../lib/store/clock'
import { newId } from '../../../lib/store/item-name'
import { nameOf } from '../../../lib/store/item-name'
import { createFiles } from '../../../lib/store/local/files'
import { LocalStore } from '../../../lib/store/local/local'
import { openStore, type StoreHost } from '../../../lib/store/open'
import type { Store, StoreOptions, StoreEvent } from '../../../lib/store/store'

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
    const store = new LocalStore(optionsOf(), createFiles(path), clock)
    open.push(store)
    return store
  }
  const closeAll = () => Promise.all(open.splice(0).map((store) => store.close(false)))
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-files-'))
    troubles = []
  })
  afterEach(async () => {
    await closeAll()
    rmSync(folder, { recursive: true, force: true })
  })

  it('of nodes that have been gone for a month are removed, and no others', async () => {
    const kept = join(folder, 'eid', 'kept')
    const [here, gone, odd] = ['here', 'gone', '../odd id']
    const host = (nodeId: string): StoreHost => ({
      ...{ nodeId, userDir: folder, contextStorage: undefined },
      context: () => {
        throw new Error('no context')
      },
    })
    for (const nodeId of [here, gone, odd, 'instance-inner']) {
      const store = openStore(host(nodeId), { ...optionsOf(), store: '' })
      await store.put('one', { body: 1 })
      await store.close(false)
    }
    const month = Date.now() + 31 * 24 * hour
    await removeAbandoned(folder, [here, odd, 'instance'])
    should(readdirSync(kept)).have.length(4)
    await removeAbandoned(folder, [here, odd, 'instance'], month)
    should(readdirSync(kept)).have.length(3)
    should(readdirSync(kept).includes(gone)).be.false()
    await removeAbandoned(folder, [], month)
    should(readdirSync(kept)).deepEqual([])
    await removeAbandoned(join(folder, 'nowhere'), [], month)
  })

  it('are for nobody else to read, also in a folder that was open to all', async () => {
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
    await store.close(true)
    should(existsSync(join(folder, 'kept'))).be.false()
  })

  it('are called after an id that was made for it, and are found again', async () => {
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

  it('on a full disk: said once, kept in memory, written when there is room again', async () => {
    mkdirSync(join(folder, 'kept'))
    const full = (id: string, number: number) => join(folder, 'kept', `${nameOf(id)}.${number}.new`)
    const store = start()
    await store.count()
    for (const id of ['one', 'two']) symlinkSync('/dev/full', full(id, 1))
    await store.put('one', { body: 1, dueMs: 0 })
    await store.put('two', { body: 2 })
    should(troubles).deepEqual(['unwritten'])
    should((await store.get('two'))?.body).equal(2)
    const [claim] = await store.claim(1)
    should(claim?.body).equal(1)
    for (const id of ['one', 'two']) rmSync(full(id, 1))
    await store.put('three', { body: 3 })
    await store.flush()
    await closeAll()
    const later = start()
    should((await later.list()).map(({ id }) => id).sort()).deepEqual(['one', 'three', 'two'])
    should((await later.get('two'))?.body).equal(2)
    should(troubles).deepEqual(['unwritten'])
  })

  it('where no folder can be made: said once, kept in memory', async () => {
    writeFileSync(join(folder, 'file'), '')
    const store = start(undefined, join(folder, 'file', 'kept'))
    for (let n = 0; n < 5; n++) await store.put(`work-${n}`, { body: n, dueMs: 0 })
    should((await store.claim(5)).map(({ body }) => body)).deepEqual([0, 1, 2, 3, 4])
    should(troubles.filter((one) => one === 'unwritten')).have.length(1)
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

  it('are due by a clock that nobody sets', async () => {
    const clock = { time: 1_000, date: Date.now(), now: () => clock.time, epochNow: () => clock.date }
    const pass = (span: number) => {
      clock.time += span
      clock.date += span
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
    // The clock is set back by five hours while Node-RED is stopped: the pause is an hour all the same.
    clock.date -= 5 * hour
    const later = start(clock)
    should(await later.claim(1)).deepEqual([])
    pass(hour)
    should(await later.claim(1)).have.length(1)
    // And forward: what is over is over.
    await closeAll()
    clock.date += 9 * hour
    should(await start(clock).claim(1)).deepEqual([])
  })

  describe('are opened', () => {
    const host = (more: Partial<StoreHost> = {}): StoreHost => ({
      nodeId: 'n1',
      userDir: folder,
      contextStorage: undefined,
      context: () => {
        throw new Error('not asked for')
      },
      ...more,
    })
    const opened: Store[] = []
    const openFor = (more: Partial<StoreHost>, store = '') => {
      const one = openStore(host(more), { ...optionsOf(), store })
      opened.push(one)
      return one
    }
    const hasFolder = () => existsSync(join(folder, 'eid'))
    afterEach(() => Promise.all(opened.splice(0).map((store) => store.close(true))))

    const memory = { module: 'memory' }
    for (const [what, contextStorage, store] of [
      ['without any context store', undefined, ''],
      ['with an empty list of them', {}, ''],
      ['when the default one is in memory', { default: memory, disk: { module: 'localfilesystem' } }, ''],
      ['when the default one is another name for one in memory', { default: 'fast', fast: memory }, 'default'],
      ['when the only one is in memory', { fast: memory }, ''],
    ] as const) {
      it(what, async () => {
        await openFor({ contextStorage }, store).put('one', { body: 1 })
        should(hasFolder()).be.true()
        should(readdirSync(join(folder, 'eid', 'kept', 'n1'))).deepEqual(['items'])
      })
    }

    it('not when the person names a store in memory', async () => {
      const store = openFor({ contextStorage: { fast: memory } }, 'fast')
      await store.put('one', { body: 1 })
      should(hasFolder()).be.false()
      // But over a deploy.
      await store.close(false)
      should((await openFor({ contextStorage: { fast: memory } }, 'fast').get('one'))?.body).equal(1)
      await openFor({}, 'memory').put('two', { body: 1 })
      should(hasFolder()).be.false()
    })

    it('not when the default context store lasts, or another one is named', async () => {
      const keys: unknown[] = []
      const context = () => ({
        get: (_key: string, store: unknown, callback: (error: unknown, value: unknown) => void) => {
          keys.push(store)
          callback(null, undefined)
        },
        set: (_key: unknown, _value: unknown, _store: unknown, callback: (error: unknown) => void) => callback(null),
      })
      const disk = { module: 'localfilesystem' }
      await openFor({ context, contextStorage: { default: disk } }).put('one', { body: 1 })
      await openFor({ context, contextStorage: { first: disk, fast: memory } }).put('one', { body: 1 })
      await openFor({ context, contextStorage: { fast: memory, disk } }, 'disk').put('one', { body: 1 })
      should(keys).deepEqual([undefined, undefined, 'disk'])
      should(hasFolder()).be.false()
    })

    it('not under a name that Node-RED does not know', () => {
      should(() => openFor({}, 'dsik')).throw({ code: 'EID_CONFIG' })
    })

    it('not without a user folder: said once, kept in memory', async () => {
      const store = openFor({ userDir: undefined })
      await store.put('one', { body: 1 })
      should((await store.get('one'))?.body).equal(1)
      await new Promise((resolve) => setImmediate(resolve))
      should(troubles).deepEqual(['unwritten'])
    })

    it('below the user folder, whatever the id of the node says', async () => {
      await openFor({ nodeId: '../../outside' }).put('one', { body: 1 })
      should(readdirSync(join(folder, 'eid', 'kept'))[0]).match(/^x[0-9a-f]{32}$/)
    })

    it('and go with the node', async () => {
      const store = openFor({})
      await store.put('one', { body: 1 })
      await store.close(true)
      should(existsSync(join(folder, 'eid', 'kept', 'n1', 'items'))).be.false()
    })
  })
})
