/** The file of an embedded database: where it is, who may read it, and what happens when the disk or a person harms it. */
import should from 'should'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Database } from 'node-sqlite3-wasm'
import { EidError } from '../../../lib/api/errors/errors'
import { openStore } from '../../../lib/store/open'
import type { Store } from '../../../lib/store/store'
import { faultyDisk } from '../../support/faulty-disk'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

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
    const copy = new Database(eid('eid-copy.sqlite'))
    copy.exec('pragma locking_mode = exclusive')
    should(copy.all(`select body from eid_kept where kind = 'items'`)).deepEqual([{ body: '"kept"' }])
    copy.close()
  })

  it('is put aside when it is damaged, with the last copy, and everything else works', async () => {
    await start().put('one', { body: 'old' })
    await stop()
    writeFileSync(file(), 'x'.repeat(20_000))
    const store = start()
    await store.put('two', { body: 'new' })
    should((await store.list()).map(({ id }) => id)).deepEqual(['two'])
    const [aside = ''] = namesLike(/^eid-damaged-\d+\.sqlite$/)
    const [copy = ''] = namesLike(/^eid-copy-\d+\.sqlite$/)
    should(events).deepEqual([['damaged', { key: 'config.storeDamagedCopy', params: { file: aside, copy } }]])
    should(statSync(eid(aside)).size).equal(20_000)
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

  it('is written again when a person has removed its folder', async () => {
    const store = start()
    await store.put('one', { body: 1 })
    rmSync(eid(), { recursive: true })
    await until(() => existsSync(file()))
    await store.put('two', { body: 2 })
    await stop()
    should((await start().list()).map(({ id }) => id)).deepEqual(['one', 'two'])
  })

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
