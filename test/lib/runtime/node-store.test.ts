/** What a person sees about the stores of one node: each fault once, however many stores the node has. */
import should from 'should'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openNodeStore } from '../../../lib/runtime/node/node-store'
import type { Store } from '../../../lib/store/store'
import { faultyDisk } from '../../support/faulty-disk'
import { until } from '../../support/time'

type Live = Parameters<typeof openNodeStore>[0]

describe('the stores of a node', () => {
  let userDir: string
  const said: string[] = []
  const open: Store[] = []
  let disk: ReturnType<typeof faultyDisk>
  beforeEach(() => {
    userDir = mkdtempSync(join(tmpdir(), 'eid-node-store-'))
    said.length = 0
    disk = faultyDisk()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.clear().then(() => store.close())))
    disk.remove()
    rmSync(userDir, { recursive: true, force: true })
  })

  const liveOf = (dir: string | undefined) =>
    ({
      RED: { settings: { userDir: dir }, events: { once: () => undefined } },
      node: {
        id: 'n1',
        warn: (text: string) => void said.push(text),
        error: ({ text }: { text: { key: string } }) => void said.push(text.key),
      },
      config: {},
      translate: (key: string) => key,
      fail: (error: unknown) => error,
      passed: () => undefined,
      status: { setResult: () => void said.push('result'), rest: () => void said.push('rest') },
    }) as unknown as Live
  const openFor = (live: Live, kind: string, back = () => undefined as void) => {
    const store = openNodeStore(live, { kind, back })
    open.push(store)
    return store
  }

  it('report a full disk as one error, and as over when all of them can be written', async () => {
    const live = liveOf(userDir)
    const kinds = ['pages', 'ends', 'reports']
    const backs: string[] = []
    const stores = kinds.map((kind) => openFor(live, kind, () => void backs.push(kind)))
    for (const store of stores) await store.list()
    disk.fail('ENOSPC')
    for (const store of stores) await should(store.put('one', { body: 1 })).be.rejectedWith({ code: 'EID_CONFIG' })
    should(said).deepEqual(['config.storeUnwritten'])
    disk.works()
    await until(() => backs.length === 3)
    should(said).deepEqual(['config.storeUnwritten', 'result', 'rest'])
  })

  it('warn once where nothing survives a crash', async () => {
    const live = liveOf(undefined)
    const stores = ['pages', 'ends'].map((kind) => openFor(live, kind))
    await Promise.all(stores.map((store) => store.put('one', { body: 1 })))
    await until(() => said.length > 0)
    await new Promise((resolve) => setImmediate(resolve))
    should(said).deepEqual(['warnings.store'])
  })
})
