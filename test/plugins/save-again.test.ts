/** "Save again": the messages whose files could not be saved, one, all, and after a restart. */
import should from 'should'
import { inputError } from '../../lib/api/errors/errors'
import { errorsOf } from '../../lib/runtime/journal/errors'
import { UnsavedMessages } from '../../lib/runtime/journal/unsaved'
import type { FlowMessage, Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import type { Translate } from '../../lib/runtime/node-red/texts'
import { saveAgain } from '../../plugins/sidebar/server/save-again'
import type { Told } from '../../lib/runtime/people/told'
import { createTroubles } from '../../plugins/sidebar/server/troubles'
import { dismissError, failIn, listErrors, passIn, RED } from '../support/errors'
import { storeOf } from '../support/stores'
import { until } from '../support/time'

const node = { id: 'save', type: 'eid-document', name: '', z: 'f' } as RuntimeNode
/** The key of the sentence that a button says. */
const keyOf = ({ say }: Told) => say?.(((key: string) => key) as Translate)

describe('a file that is not saved', () => {
  const received: FlowMessage[] = []
  const nodes: Record<string, object> = {}
  const red = { ...RED, nodes: { getNode: (id: string) => nodes[id] } } as unknown as Runtime
  const about = (documentId: string) => ({
    fields: { documentId: { kind: 'id', initial: '', type: 'msg' } } as const,
    values: { documentId },
  })
  const fail = (documentId: string, more: FlowMessage = {}) => {
    const error = inputError([{ path: 'saveTo', key: 'fileNotWritableOf', params: { id: documentId } }])
    failIn(node, error, { documentId, ...more }, about(documentId))
  }
  const offered = () =>
    createTroubles(red)
      .rows([], 'en-US')
      .map(({ canSave = false }) => canSave)
  beforeEach(() => {
    dismissError()
    received.length = 0
    nodes.save = { receive: (msg: FlowMessage) => received.push(msg) }
  })
  after(() => void dismissError())

  it('is given to its node again, once, and its error stays until it is saved', async () => {
    fail('d-1')
    should(offered()).deepEqual([true])
    const id = listErrors()[0]?.id
    should((await Promise.all([saveAgain(red, id), saveAgain(red, id)])).map(keyOf)).deepEqual(['look.saving', 'gone'])
    should(received).deepEqual([{ documentId: 'd-1' }])
    should(offered()).deepEqual([false])
    fail('d-1')
    should(offered()).deepEqual([true])
    passIn(node, { documentId: 'd-1' }, about('d-1'))
    should(listErrors()).be.empty()
  })

  it('is given to its node again with all others by one press', async () => {
    const ids = Array.from({ length: 120 }, (_none, at) => `d-${at}`)
    for (const id of ids) fail(id)
    // Without a database, only the latest hundred messages are in memory.
    should(keyOf(await saveAgain(red, undefined))).equal('look.savingMany')
    should(received).have.length(100)
    should(keyOf(await saveAgain(red, undefined))).equal('gone')
  })

  it('stays where it is while its node is gone', async () => {
    fail('d-1')
    delete nodes.save
    should(keyOf(await saveAgain(red, undefined))).not.equal('gone')
    should(offered()).deepEqual([true])
  })

  it('is forgotten when a person dismisses its error, or when its node has saved it', () => {
    fail('d-1')
    fail('d-2')
    passIn(node, { documentId: 'd-2' }, about('d-2'))
    dismissError()
    should(errorsOf(RED).unsaved.isEmpty()).be.true()
  })

  it('is still known after a restart, with what its message held, and no longer when it was saved', async () => {
    const store = storeOf({ kind: 'unsaved' })
    const open = async () => {
      const unsaved = new UnsavedMessages()
      await unsaved.load(store)
      return unsaved
    }
    const before = await open()
    for (const subject of ['one', 'other']) before.keep(subject, { documentId: subject, at: new Date(0), req: {} })
    before.keep('large', { payload: 'x'.repeat(2_000_000) })
    await until(async () => (await store.count()) === 2)
    const after = await open()
    should(['one', 'other', 'large'].map((one) => after.has(one))).deepEqual([true, true, false])
    should(await Promise.all([after.take('one'), after.take('one')])).deepEqual([
      { documentId: 'one', at: new Date(0) },
      undefined,
    ])
    after.forget('other')
    await until(async () => (await store.count()) === 0)
    await store.close()
  })
})
