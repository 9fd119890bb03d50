/** The memory of sent rows: for how long it refuses them, what it stores, and that it survives a restart. */
import should from 'should'
import type { EidError } from '../../../lib/api/errors/errors'
import { listAll } from '../../../lib/store/list-all'
import type { Store } from '../../../lib/store/store'
import { fingerprintOf } from '../../../nodes/batch/rows/read-list'
import { createSentRows } from '../../../nodes/batch/run/sent-rows'
import { temporaryFolder } from '../../support/temporary-folder'
import { storeOf } from '../../support/stores'

const day = 86_400_000

describe('the memory of sent rows', () => {
  let now = 0
  const memory = () => storeOf({ kind: 'sent' })
  const nodeOf = (store: Store, nodeId: string, durationMs = 0) =>
    createSentRows({
      stores: [store],
      clock: { epochNow: () => now },
      nodeId,
      place: () => ({ node: nodeId, flow: 'Contracts' }),
      services: () => ['https://service.example client'],
      durationMs: () => durationMs,
      signal: new AbortController().signal,
      moment: String,
    })
  const listOf = (...rows: string[]) => ({ id: 'unnamed', isNamed: false, sendAnyway: false, rows })
  beforeEach(() => void (now = 1_900_000_000_000))

  it('refuses a row for 30 days, and longer if the list is sent slowly', async () => {
    for (const slowMs of [0, 10 * day]) {
      const store = memory()
      const at = now
      await nodeOf(store, 'one', slowMs).claim(listOf('a'))
      now = at + slowMs + 30 * day - 1
      const error = await nodeOf(store, 'other')
        .claim(listOf('a'))
        .catch((thrown: EidError) => thrown)
      should(error).match({ cause: { sentBy: { node: 'one', flow: 'Contracts', at: new Date(at).toISOString() } } })
      now = at + slowMs + 31 * day
      await nodeOf(store, 'other').claim(listOf('a'))
    }
  })

  it('counts the 30 days of a row from the list that sent it, however often that list comes again', async () => {
    const store = memory()
    const one = nodeOf(store, 'one')
    await one.claim(listOf('a'))
    now += 20 * day
    await one.claim(listOf('a', 'b'))
    now += 11 * day
    await nodeOf(store, 'other').claim(listOf('a'))
    await should(nodeOf(store, 'other').claim(listOf('b'))).be.rejected()
  })

  it('forgets a list that was not taken after all', async () => {
    const store = memory()
    const undo = await nodeOf(store, 'one').claim(listOf('a'))
    await undo()
    await nodeOf(store, 'other').claim(listOf('a'))
    await should(nodeOf(store, 'third').claim(listOf('a'))).be.rejected()
    // The third one was refused, so it has sent nothing.
    should(await listAll(store)).have.length(1)
  })

  it('stores hashes, service and time of 100,000 rows in a hundred items, and no content', async () => {
    const store = memory()
    const rows = Array.from({ length: 100_000 }, (_none, at) => fingerprintOf({ Name: 'Ola Nordmann', number: at }))
    await nodeOf(store, 'one').claim(listOf(...rows))
    const items = await listAll(store)
    should(items).have.length(100)
    const first = await store.get(items[0]?.id ?? '')
    should(JSON.stringify(first)).not.match(/Nordmann|service\.example|unnamed/)
    should((first?.body as string[]).every((one) => /^[0-9a-f]{16}$/.test(one))).be.true()
    await should(nodeOf(store, 'other').claim(listOf(rows[99_999] ?? ''))).be.rejected()
  })

  it('refuses one of two nodes that ask at the same moment', async () => {
    const store = memory()
    const asked = ['one', 'other', 'third'].map((id) => nodeOf(store, id).claim(listOf('a', 'b')))
    const ended = await Promise.allSettled(asked)
    should(ended.map(({ status }) => status).sort()).deepEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('remembers over a restart', async () => {
    const folder = temporaryFolder()
    const open = () => storeOf({ kind: 'sent' }, { folder: folder.path })
    const before = open()
    await nodeOf(before, 'one').claim(listOf('a'))
    await before.close()
    const after = open()
    await should(nodeOf(after, 'other').claim(listOf('a'))).be.rejected()
    await after.close()
    folder.remove()
  })
})
