/** The list of errors: one error for each subject in a node, how it survives a restart, and how many it holds. */
import should from 'should'
import { nodeError } from '../../../lib/api/errors/errors'
import { Errors, maxErrors } from '../../../lib/runtime/journal/errors'
import { groupErrors, namesOf } from '../../../lib/runtime/monitor/error-entry'
import type { RuntimeNode } from '../../../lib/runtime/node-red/node-red'
import { storeOf } from '../../support/stores'
import type { Store } from '../../../lib/store/store'
import { handled } from '../../support/errors'
import { until } from '../../support/time'

const node = (id: string) => ({ id, type: 'eid-document', name: 'fetch', z: 'flow' }) as RuntimeNode
const failure = (outcome: 'not-done' | 'unknown' = 'not-done', more = {}) =>
  nodeError('EID_NOT_FOUND', 'errors.EID_NOT_FOUND', { missing: 'x' }, { outcome, method: 'PUT', path: '/x', ...more })
const fields = {
  documentId: { kind: 'id', initial: '', type: 'msg', required: true },
  externalId: { kind: 'string', initial: '', type: 'msg' },
} as const
const about = (documentId: string) => ({ fields, values: { documentId, operation: 'get' } })
const noDrop = () => should.fail(undefined, undefined)
const memory = () => storeOf({ kind: 'troubles' })

describe('the list of errors', () => {
  let errors: Errors
  beforeEach(() => void (errors = new Errors()))
  const fail = (id: string, in_ = 'n', error = failure(), item = {}) => {
    const message = handled(node(in_), {}, about(id))
    errors.record(message, errors.entryOf(message, error, item))
  }
  const pass = (id: string, in_ = 'n') => errors.passed(handled(node(in_), {}, about(id)))
  const seen = () => errors.list().map((one) => [one.node.id, one.count])

  it('holds sentence, node, call and outcome, and nothing else of the message', () => {
    fail('d-1', 'n', failure('unknown'))
    const [entry] = errors.list()
    should(entry).match({ code: 'EID_NOT_FOUND', outcome: 'unknown', call: 'PUT /x', count: 1 })
    should(entry?.node).deepEqual({ id: 'n', type: 'eid-document', name: 'fetch', places: ['n', 'flow'] })
    should(JSON.stringify(entry)).not.containEql('d-1')
  })

  it('has one error for each subject in a node, which disappears when that subject succeeds there', () => {
    for (const id of ['d-1', 'd-2', 'd-1']) fail(id)
    fail('d-1', 'other')
    should(seen()).deepEqual([
      ['other', 1],
      ['n', 2],
      ['n', 1],
    ])
    pass('d-1')
    should(seen()).deepEqual([
      ['other', 1],
      ['n', 1],
    ])
  })

  it('shows errors with the same sentence as one, and removes them one by one', () => {
    for (const id of ['d-1', 'd-2']) fail(id, 'n', failure(), { documentId: id })
    const [group, ...others] = groupErrors(errors.list())
    should(others).be.empty()
    should(group).match({ count: 2 })
    should(namesOf(group ?? { about: [] }, 'It failed.')).deepEqual(['d-2', 'd-1'])
    should(namesOf(group ?? { about: [] }, 'It failed for d-1.')).deepEqual(['d-2'])
    pass('d-2')
    should(groupErrors(errors.list())).match([{ count: 1, about: [{ documentId: 'd-1' }] }])
  })

  it(`holds ${maxErrors} at most, and drops the oldest`, () => {
    for (let count = 0; count <= maxErrors; count++) fail(`d-${count}`)
    should(errors.list()).have.length(maxErrors)
    pass('d-1')
    should(errors.list()).have.length(maxErrors - 1)
    fail('d-0')
    should(errors.list()).have.length(maxErrors)
  })

  it('takes one off, or all', () => {
    for (const id of ['d-1', 'd-2', 'd-3']) fail(id)
    should(errors.dismiss(errors.list()[1]?.id)).be.true()
    should(errors.dismiss('gone')).be.false()
    should(errors.list()).have.length(2)
    should(errors.dismiss()).be.true()
    should(errors.list()).be.empty()
  })

  it('is there after a restart, and each error still disappears with its subject', async () => {
    const store = memory()
    await errors.load(store, noDrop)
    for (const id of ['d-1', 'd-2']) fail(id)
    const written = async () => (await store.list()).filter(({ id }) => id !== 'salt')
    await until(async () => (await written()).length === 2)
    errors = new Errors()
    await errors.load(store, noDrop)
    should(errors.list()).have.length(2)
    pass('d-1')
    should(errors.list()).have.length(1)
    await until(async () => (await written()).length === 1)
  })

  it('drops what was stored in another form, and says so', async () => {
    const store = memory()
    await store.put('latest', { body: { entries: [] } })
    let told = 0
    await errors.load(store, () => told++)
    should(told).equal(1)
    should((await store.list()).map(({ id }) => id)).deepEqual(['salt'])
  })

  it('drops errors of more than thirty days', async () => {
    fail('d-1')
    const [entry] = errors.list()
    const items = [{ id: 'e', summary: { ...entry, id: 'e', at: (entry?.at ?? 0) - 31 * 86_400_000 } }]
    const store = { list: () => Promise.resolve(items), put: () => Promise.resolve(), remove: () => Promise.resolve() }
    errors = new Errors()
    await errors.load(store as unknown as Store, noDrop)
    should(errors.find('e')).be.ok()
    should(errors.list()).be.empty()
  })
})
