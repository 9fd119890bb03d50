/** The file of an embedded database: where it is, who may read it, and what happens when the disk or a person harms it. */
import should from 'should'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { Database } from 'node-sqlite3-wasm'
import { EidError } from '../../../lib/api/errors/errors'
import { itemName } from '../../../lib/store/item-name'
import { openStore } from '../../../lib/store/open'
import type { Store } from '../../../lib/store/store'
import { faultyDisk } from '../../support/faulty-disk'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

function use<T>(path: string, task: (database: Database) => T): T {
  const database = new Database(path)
  try {
    database.exec('pragma locking_mode = exclusive')
    return task(database)
  } finally {
    database.close()
  }
}

describe('the file of an embedded database', () => {
  let folder: ReturnType<typeof temporaryFolder>
  /** The reported events, each with the key and the parameters of its error. */
  let events: unknown[][]
  const open: Store[] = []
  const start = (nodeId = 'n1') => {
    const store = openStore(
      { nodeId, userDir: folder.path },
      {
        kind: 'items',
        onStoreEvent: (event, error) => void events.push([event, ...(error instanceof EidError ? [error.text] : [])]),
      },
    )
    open.push(store)
    return store
  }
  const stop = async () => void (await Promise.all(open.splice(0).map((store) => store.close())))
  const eid = (...names: string[]) => join(folder.path, 'eid', ...names)
  const file = () => eid('eid.sqlite')
  const namesLike = (pattern: RegExp) => readdirSync(eid()).filter((name) => pattern.test(name))
  /** The stored bodies in one of the files. */
  const bodiesIn = (name: string) =>
    use(eid(name), (database) => database.all(`select body from eid_kept where kind = 'items'`)).map(({ body }) => body)
  const change = (text: string, values: Record<string, string>) =>
    use(file(), (database) => void database.run(text, values))
  /** Removes the folder, after the copy that is made at the start. */
  const removed = async () => {
    await until(() => existsSync(eid('eid-copy.sqlite')))
    rmSync(eid(), { recursive: true })
  }
  beforeEach(() => {
    folder = temporaryFolder()
    events = []
  })
  afterEach(async () => {
    await stop()
    delete process.env.EID_FOLDER
    folder.remove()
  })

  it('is one for all nodes, and only its owner may read it', async () => {
    for (const id of ['n1', '../n2']) await start(id).put('one', { body: id })
    should((await start('../n2').get('one'))?.body).equal('../n2')
    const modeOf = (path: string) => statSync(path).mode & 0o777
    should([modeOf(eid()), modeOf(file()), modeOf(`${file()}-wal`)]).deepEqual([0o700, 0o600, 0o600])
    await stop()
    should(namesLike(/^eid\.sqlite/)).deepEqual(['eid.sqlite'])
    should(events).deepEqual([])
  })

  it('is in the folder that EID_FOLDER names', async () => {
    process.env.EID_FOLDER = join(folder.path, 'lasting', 'eid')
    await start().put('one', { body: 1 })
    should([existsSync(file()), existsSync(join(folder.path, 'lasting', 'eid', 'eid.sqlite'))]).deepEqual([false, true])
  })

  it('is copied at each start, so that a complete copy can be taken at any time', async () => {
    await start().put('one', { body: 'kept' })
    await stop()
    rmSync(eid('eid-copy.sqlite'), { force: true })
    await start().put('two', { body: 'later' })
    await until(() => existsSync(eid('eid-copy.sqlite')))
    should(bodiesIn('eid-copy.sqlite')).match([/"kept"$/])
  })

  it('can be replaced by a copy that was taken while it was used, as the page about backups says', async () => {
    const ids = async () => (await start().list()).map(({ id }) => id)
    await start().put('one', { body: 1 })
    await stop()
    rmSync(eid('eid-copy.sqlite'), { force: true })
    await start().put('two', { body: 2 })
    await until(() => existsSync(eid('eid-copy.sqlite')))
    copyFileSync(eid('eid-copy.sqlite'), join(folder.path, 'backup.sqlite'))
    await stop()
    should(await ids()).deepEqual(['one', 'two'])
    await stop()
    for (const name of ['eid.sqlite', 'eid.sqlite-wal']) rmSync(eid(name), { force: true })
    renameSync(join(folder.path, 'backup.sqlite'), file())
    should(await ids()).deepEqual(['one'])
    should(events).deepEqual([])
  })

  it('counts as many items as there are, also many', async () => {
    const store = start()
    await Promise.all(Array.from({ length: 2_500 }, (_none, n) => store.put(`item-${n}`, { body: n })))
    should(await store.count()).equal(2_500)
  })

  it('is put aside when it is damaged, with the last copy, and one node says so', async () => {
    await start().put('one', { body: 'old' })
    await stop()
    writeFileSync(file(), 'x'.repeat(20_000))
    const store = start()
    await start('n2').put('other', { body: 1 })
    await store.put('two', { body: 'new' })
    should((await store.list()).map(({ id }) => id)).deepEqual(['two'])
    const [aside = ''] = namesLike(/^eid-damaged-\d+\.sqlite$/)
    const [copy = ''] = namesLike(/^eid-copy-\d+\.sqlite$/)
    should(events).deepEqual([['notice', { key: 'config.storeDamagedCopy', params: { file: aside, copy } }]])
    should(statSync(eid(aside)).size).equal(20_000)
  })

  it('is taken for damaged if it is empty and there is a copy; copy and log stay', async () => {
    await start().put('one', { body: 'old' })
    await stop()
    await start().get('one')
    await stop()
    truncateSync(file())
    writeFileSync(`${file()}-wal`, 'the last changes')
    await start().put('two', { body: 'new' })
    const [copy = ''] = namesLike(/^eid-copy-\d+\.sqlite$/)
    should(events.map(([, text]) => (text as { key: string }).key)).deepEqual(['config.storeDamagedCopy'])
    should(bodiesIn(copy)).have.length(1)
    const [log = ''] = namesLike(/^eid-damaged-\d+\.sqlite-wal$/)
    should(readFileSync(eid(log), 'utf8')).equal('the last changes')
  })

  it('that is damaged inside does not replace the last good copy, and the nodes say what to do', async () => {
    const ids = Array.from({ length: 60 }, (_none, n) => `item-${n}`)
    const store = start()
    for (const id of ids) await store.put(id, { body: 'x'.repeat(1_000) })
    await stop()
    await start().get('item-1')
    await stop()
    const good = readFileSync(eid('eid-copy.sqlite'))
    should(bodiesIn('eid-copy.sqlite')).have.length(60)
    // A page of items in the middle, which the database does not need to be opened.
    const page = Math.floor(readFileSync(file()).indexOf('x'.repeat(1_000), 60_000) / 4096) * 4096
    const opened = openSync(file(), 'r+')
    writeSync(opened, Buffer.alloc(4096), 0, 4096, page)
    closeSync(opened)
    const damaged = start()
    const broken = { text: { key: 'config.storeBroken' } }
    await should(damaged.list()).be.rejectedWith(broken)
    await until(async () => {
      await damaged.get('item-1').catch(() => undefined)
      return events.some(([event]) => event === 'notice')
    })
    should(events.find(([event]) => event === 'notice')).deepEqual([
      'notice',
      { key: 'config.storeUnsound', params: {} },
    ])
    should(readFileSync(eid('eid-copy.sqlite')).equals(good)).be.true()
  })

  it('gives no item of which the disk has changed a byte, and all others', async () => {
    const store = start()
    for (const id of ['one', 'two']) await store.put(id, { body: { amount: 12_500 }, dueMs: 0 })
    await stop()
    change(`update eid_kept set body = replace(body, '12500', '22500') where key = $1`, { $1: itemName('one') })
    const later = start()
    should(await later.get('one')).be.undefined()
    should((await later.claim(5)).map(({ id }) => id)).deepEqual(['two'])
    should(events).deepEqual([['unreadable']])
  })

  it('of a newer version is left alone, and the nodes say so', async () => {
    mkdirSync(eid())
    const newer = new Database(file())
    newer.exec('pragma user_version = 99')
    newer.close()
    await should(start().put('one', { body: 1 })).be.rejectedWith({ text: { key: 'config.storeNewer' } })
    await stop()
    const left = new Database(file())
    should(left.all('select name from sqlite_master')).deepEqual([])
    left.close()
  })

  it('is written again when a person has removed its folder, and one node says so', async () => {
    const store = start()
    await store.put('one', { body: 1 })
    start('n2')
    await removed()
    await store.put('two', { body: 2 })
    should(existsSync(file())).be.true()
    should(events).deepEqual([['notice', { key: 'config.storeRewritten', params: {} }]])
    await stop()
    should((await start().list()).map(({ id }) => id)).deepEqual(['one', 'two'])
  })

  it('whose folder has vanished takes nothing until it can be written again, and then has everything', async () => {
    const store = start()
    await store.put('one', { body: 1 })
    await removed()
    // A folder can't be made here.
    writeFileSync(eid(), '')
    const unwritten = { text: { key: 'config.storeUnwritten', params: { reason: 'EEXIST' } } }
    await should(store.put('two', { body: 2 })).be.rejectedWith(unwritten)
    rmSync(eid())
    await until(() => events.some(([event]) => event === 'back'))
    await store.put('three', { body: 3 })
    await stop()
    should((await start().list()).map(({ id }) => id)).deepEqual(['one', 'three'])
  })

  for (const [code, key] of [
    ['ENOSPC', 'config.storeUnwritten'],
    ['EROFS', 'config.storeReadOnly'],
  ] as const) {
    it(`that cannot be written at the start is refused with a reason (${code}), and used as soon as it can`, async () => {
      await start().put('one', { body: 1 })
      await stop()
      const disk = faultyDisk()
      try {
        disk.fail(code)
        const store = start()
        await should(store.put('two', { body: 2 })).be.rejectedWith({ text: { key, params: { reason: code } } })
        should(events).deepEqual([['unwritten', { key, params: { reason: code } }]])
        disk.works()
        await until(() => events.some(([event]) => event === 'back'))
        should((await store.list()).map(({ id }) => id)).deepEqual(['one'])
      } finally {
        disk.remove()
      }
    })
  }

  it('takes nothing that cannot be written, says why, and resumes by itself', async () => {
    const disk = faultyDisk()
    try {
      const store = start()
      await store.put('one', { body: 'old', dueMs: 0 })
      disk.fail('ENOSPC')
      const unwritten = { text: { key: 'config.storeUnwritten', params: { reason: 'ENOSPC' } } }
      for (const id of ['one', 'two']) await should(store.put(id, { body: 'new', dueMs: 0 })).be.rejectedWith(unwritten)
      await should(store.claim(1)).be.rejectedWith(unwritten)
      should((await store.get('one'))?.body).equal('old')
      should(events).deepEqual([['unwritten', unwritten.text]])
      disk.works()
      await until(() => events.length > 1)
      should(events.slice(1)).deepEqual([['back']])
      should((await store.claim(5)).map(({ body }) => body)).deepEqual(['old'])
    } finally {
      disk.remove()
    }
  })

  it('is in memory where there is no user folder, and stays there over deploys', async () => {
    const options = { kind: 'items', onStoreEvent: (event: string) => void events.push([event]) }
    const before = openStore({ nodeId: 'memory', userDir: undefined }, options)
    await before.put('one', { body: 1 })
    await before.close()
    const after = openStore({ nodeId: 'memory', userDir: undefined }, options)
    should((await after.get('one'))?.body).equal(1)
    await after.clear()
    await after.close()
    await until(() => events.length === 2)
    should(events).deepEqual([['volatile'], ['volatile']])
  })
})
