/** The object of a failed message: identified, shown without people's names, and never a reason to lose the error. */
import should from 'should'
import { nodeError } from '../../../lib/api/errors/errors'
import { dismissError, listErrors, recordError } from '../../../lib/runtime/monitor/error-log'
import type { FlowMessage, RuntimeNode } from '../../../lib/runtime/node-red/node-red'
import { failedItem, failedItemOf } from '../../../lib/runtime/journal/failed-item'

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** A message with properties that throw when they are read. */
function throwing(...names: string[]): FlowMessage {
  const getters = names.map((name) => [
    name,
    {
      enumerable: true,
      get(): never {
        throw new Error('cannot be read')
      },
    },
  ])
  return Object.defineProperties({}, Object.fromEntries(getters) as PropertyDescriptorMap) as FlowMessage
}

describe('the item of a message that failed', () => {
  const values = { title: 'Lease', documentId: '4711' }

  for (const [name, payload] of [
    ['a revoked proxy of an object', revoked({})],
    ['a revoked proxy of a list', revoked([])],
  ] as const) {
    it(`is taken from the settings when the payload is ${name}`, () => {
      const item = failedItem({ documentId: '4711' }, { payload })
      should(item).have.property('documentId', '4711')
      should(item.mark).not.equal(failedItem({ documentId: '4712' }, { payload }).mark)
    })

    it(`shows no title when ${name} may hold the name in it`, () => {
      should(failedItem(values, { payload })).not.have.property('title')
      should(failedItem(values, { payload: { inner: payload } })).not.have.property('title')
    })
  }

  it('shows the words of a title that the node is named with', () => {
    const named = { name: 'make lease', title: 'Lease, Kirkegata 3, Ola Nordmann', fileName: 'lease.pdf' }
    const { title } = failedItem(named, { payload: { tenantName: 'Ola Nordmann' } })
    should(title).startWith('Lease, Kirkegata 3, ').and.not.containEql('Ola')
  })

  it('shows one sign for several hidden words in a row, and no title if all of it is hidden', () => {
    const payload = { 'First name': 'Ola', 'Last name': 'Nordmann' }
    should(failedItem({ title: 'Lease H7, Ola Nordmann' }, { payload })).have.property('title', 'Lease H7, …')
    should(failedItem({ title: 'Ola Nordmann' }, { payload })).not.have.property('title')
  })

  it('shows the key of the row, and words that are also names of fields in a Word file', () => {
    const rows = [
      { name: 'Rent', value: 9000 },
      { name: 'Tenant name', value: 'Nordmann' },
    ]
    const title = (key: string) => {
      const named = { title: `Rent for ${key}, Nordmann`, fields: { from: 'form', rows } }
      return failedItem(named, { payload: { Number: key }, batch: { id: 'May', key, row: 1 } }).title
    }
    should(title('T-07')).equal('Rent for T-07, …')
    should(title('99 99 99 99')).equal('Rent for …')
  })

  it('has no title from a record whose signers cannot be read', () => {
    const record = { documentId: '4711', title: 'Lease', signers: revoked([]) }
    should(failedItem({ documentId: '4711' }, { payload: record })).not.have.property('title')
  })

  it('has no title if there are more names than are looked for', () => {
    const signer = (name: string) => ({ id: name, signerInfo: { firstName: name, lastName: `${name}sen` } })
    const record = (others: number) => {
      const signers = [...Array.from({ length: others }, (_none, n) => signer(`Ola${n}`)), signer('Kari')]
      return { documentId: '4711', title: 'Minutes, chaired by Kari Karisen', signers }
    }
    const titleOf = (payload: object) => failedItem({ documentId: '4711' }, { payload }).title
    should(titleOf(record(10))).equal('Minutes, chaired by …')
    should(titleOf(record(200))).be.undefined()
  })

  it('is told apart by the size of a file, whose bytes are not gone through one by one', () => {
    const mark = (payload: unknown) => failedItem({ title: 'Lease' }, { payload: { file: payload } }).mark
    should(mark(new Uint8Array(5_000_000))).not.equal(mark(new Uint8Array(5_000_001)))
    const places = new Proxy(new Array<number>(5_000_000).fill(65), {
      ownKeys: () => {
        throw new Error('all places at once')
      },
    })
    should(mark({ type: 'Buffer', data: places })).not.equal(mark({ type: 'Buffer', data: [65] }))
  })

  it('is taken from the settings when the payload cannot be read', () => {
    should(failedItem(values, throwing('payload'))).match({ documentId: '4711', title: 'Lease' })
  })

  it('is empty for a node whose settings say nothing when the message cannot be read', () => {
    const item = failedItemOf(throwing('payload', 'documentId', 'externalId'), '')
    should(Object.keys(item)).deepEqual(['mark'])
  })

  it('lets the error be noted when nothing of the message can be read', () => {
    dismissError()
    const node = { id: 'n', type: 'eid-document', name: '', z: 'flow' } as RuntimeNode
    const failure = nodeError('EID_NOT_FOUND', 'errors.EID_NOT_FOUND', { missing: 'x' }, { outcome: 'not-done' })
    recordError(node, failure, failure, throwing('batch', 'documentId', 'externalId'))
    should(listErrors()).have.length(1)
    const batch = throwing('row', 'key')
    const second = nodeError('EID_NOT_FOUND', 'errors.EID_NOT_FOUND', { missing: 'y' }, { outcome: 'not-done' })
    recordError(node, second, second, { batch })
    should(listErrors()).have.length(2)
  })
})
