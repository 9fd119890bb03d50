/** The object of a failed message: identified, shown without people's names, and never a reason to lose the error. */
import should from 'should'
import { nodeError } from '../../../lib/api/errors/errors'
import { dismissError, failIn, listErrors } from '../../support/errors'
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

  it('shows words that are also names of fields in a Word file', () => {
    const rows = [
      { name: 'Rent', value: 9000 },
      { name: 'Tenant name', value: 'Nordmann' },
    ]
    const named = { title: 'Rent for T-07, Nordmann', fields: { from: 'form', rows } }
    should(failedItem(named, { payload: {} }).title).equal('Rent for T-07, …')
  })

  it('has no title if there are more names than are looked for', () => {
    const signer = (name: string) => ({ id: name, signerInfo: { firstName: name, lastName: `${name}sen` } })
    const record = (others: number) => {
      const signers = [...Array.from({ length: others }, (_none, n) => signer(`Ola${n}`)), signer('Kari')]
      return { documentId: '4711', signers }
    }
    const titleOf = (payload: object) => failedItem({ title: 'Minutes, chaired by Kari Karisen' }, { payload }).title
    should(titleOf(record(10))).equal('Minutes, chaired by …')
    should(titleOf(record(200))).be.undefined()
  })

  it('is taken from the settings when the payload cannot be read', () => {
    should(failedItem(values, throwing('payload'))).match({ documentId: '4711', title: 'Lease' })
  })

  it('is empty for a node whose settings say nothing when the message cannot be read', () => {
    const item = failedItemOf(throwing('payload', 'documentId', 'externalId'))
    should(item).be.empty()
  })

  it('lets the error be noted when nothing of the message can be read', () => {
    dismissError()
    const node = { id: 'n', type: 'eid-document', name: '', z: 'flow' } as RuntimeNode
    const failure = nodeError('EID_NOT_FOUND', 'errors.EID_NOT_FOUND', { missing: 'x' }, { outcome: 'not-done' })
    failIn(node, failure, throwing('batch', 'documentId', 'externalId'))
    should(listErrors()).have.length(1)
    const batch = throwing('row', 'key')
    const second = nodeError('EID_NOT_FOUND', 'errors.EID_NOT_FOUND', { missing: 'y' }, { outcome: 'not-done' })
    failIn(node, second, { batch })
    should(listErrors()).match([{ count: 2 }])
  })
})
