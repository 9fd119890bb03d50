/** Which store a node gets: files, a context store that writes at once, or memory if it is named. */
import should from 'should'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type StoreHost } from '../../../lib/store/open'
import type { Store, StoreOptions, StoreEvent } from '../../../lib/store/store'
import { until } from '../../support/time'

describe('files of a store are opened', () => {
  let folder: string
  const troubles: StoreEvent[] = []
  const optionsOf = (): StoreOptions => ({ kind: 'items', onStoreEvent: (event) => void troubles.push(event) })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-open-'))
    troubles.length = 0
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

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
  const hasFolder = () => existsSync(join(folder, 'eid', 'kept'))
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.clear().then(() => store.close()))))

  const memory = { module: 'memory' }
  for (const [what, contextStorage, store] of [
    ['without any context store', undefined, ''],
    ['with an empty list of them', {}, ''],
    ['when the default one is in memory', { default: memory, disk: { module: 'localfilesystem' } }, ''],
    ['when the default one is another name for one in memory', { default: 'fast', fast: memory }, 'default'],
    ['when the only one is in memory', { fast: memory }, ''],
    ['when the default one writes later, as Node-RED offers it', { default: { module: 'localfilesystem' } }, ''],
    ['also when its settings say so', { default: { module: 'localfilesystem', config: { cache: true } } }, 'default'],
    ['and when it is another name for such a one', { default: 'disk', disk: { module: 'localfilesystem' } }, ''],
    ['when the default one is named, but none is set up', undefined, 'default'],
    ['when the default one is only a name for itself', { default: 'default' }, ''],
  ] as const) {
    it(what, async () => {
      await openFor({ contextStorage }, store).put('one', { body: 1 })
      should(hasFolder()).be.true()
      should(readdirSync(join(folder, 'eid', 'kept', 'n1'))).deepEqual(['items'])
      await new Promise((resolve) => setImmediate(resolve))
      should(troubles).deepEqual([])
    })
  }

  it('not when the person names a store in memory', async () => {
    const store = openFor({ contextStorage: { fast: memory } }, 'fast')
    await store.put('one', { body: 1 })
    should(hasFolder()).be.false()
    // The items survive a deploy.
    await store.close()
    should((await openFor({ contextStorage: { fast: memory } }, 'fast').get('one'))?.body).equal(1)
    await openFor({}, 'memory').put('two', { body: 1 })
    should(hasFolder()).be.false()
  })

  it('not when the default context store writes at once, or another one is named', async () => {
    const keys: unknown[] = []
    const context = () => ({
      get: (_key: string, store: unknown, callback: (error: unknown, value: unknown) => void) => {
        keys.push(store)
        callback(null, undefined)
      },
      set: (_key: unknown, _value: unknown, _store: unknown, callback: (error: unknown) => void) => callback(null),
    })
    const disk = { module: 'localfilesystem', config: { cache: false } }
    await openFor({ context, contextStorage: { default: disk } }).put('one', { body: 1 })
    await openFor({ context, contextStorage: { first: disk, fast: memory } }).put('one', { body: 1 })
    await openFor({ context, contextStorage: { fast: memory, disk } }, 'disk').put('one', { body: 1 })
    await openFor({ context, contextStorage: { default: 'disk', fast: memory, disk } }).put('one', { body: 1 })
    await openFor({ context, contextStorage: { fast: memory, default: disk } }).put('one', { body: 1 })
    await openFor({ context, contextStorage: { default: { module: 'database' } } }).put('one', { body: 1 })
    should(keys).deepEqual([undefined, undefined, 'disk', undefined, undefined, undefined])
    should([hasFolder(), troubles]).deepEqual([false, []])
  })

  it('not when one that writes later is named, which is said once', async () => {
    const context = () => ({
      get: (_key: string, _store: unknown, callback: (error: unknown, value: unknown) => void) =>
        callback(null, undefined),
      set: (_key: unknown, _value: unknown, _store: unknown, callback: (error: unknown) => void) => callback(null),
    })
    const contextStorage = { default: memory, disk: { module: 'localfilesystem' } }
    const store = openFor({ context, contextStorage }, 'disk')
    for (let n = 0; n < 3; n++) await store.put('one', { body: n })
    await until(() => troubles.length > 0)
    should(troubles).deepEqual(['volatile'])
    should(hasFolder()).be.false()
  })

  it('not under a name that Node-RED does not know', () => {
    should(() => openFor({}, 'dsik')).throw({
      code: 'EID_CONFIG',
      text: { key: 'config.context', params: { store: 'dsik' } },
    })
  })

  it('not for what is only in memory: each node and each kind has items of its own', async () => {
    const open = (nodeId: string, kind: string) => {
      const store = openStore(host({ nodeId }), { ...optionsOf(), kind, store: 'memory' })
      opened.push(store)
      return store
    }
    await open('n1', 'items').put('one', { body: 1 })
    for (const other of [open('n2', 'items'), open('n1', 'others')]) should(await other.get('one')).be.undefined()
    await new Promise((resolve) => setImmediate(resolve))
    should(troubles).deepEqual([])
  })

  it('not without a user folder: said once, kept in memory', async () => {
    const store = openFor({ userDir: undefined })
    await store.put('one', { body: 1 })
    should((await store.get('one'))?.body).equal(1)
    await new Promise((resolve) => setImmediate(resolve))
    should(troubles).deepEqual(['volatile'])
  })

  it('below the user folder, whatever the id of the node says', async () => {
    for (const nodeId of ['../../outside', 'n1/../../outside', 'n'.repeat(101), 'nul']) {
      await openFor({ nodeId }).put('one', { body: 1 })
    }
    const names = readdirSync(join(folder, 'eid', 'kept'))
    should(names).have.length(4)
    for (const name of names) should(name).match(/^x[0-9a-f]{32}$/)
  })

  it('and stay when the node is closed', async () => {
    const store = openFor({})
    await store.put('one', { body: 1 })
    await store.close()
    should((await openFor({}).get('one'))?.body).equal(1)
    should(readdirSync(join(folder, 'eid', 'kept', 'n1', 'items'))).have.length(1)
  })
})
