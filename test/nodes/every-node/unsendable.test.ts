/** A request that JSON cannot express is refused before anything is sent, also in a dry run. */
import should from 'should'
import create from '../../../nodes/create-document/create-document'
import terminate from '../../../nodes/deposit-terminate/deposit-terminate'
import document from '../../../nodes/document/document'
import request from '../../../nodes/request/request'
import { unsendable } from '../../../lib/runtime/values/unsendable'
import { startFlow, stopFlow, type FlowOptions } from '../../support/flow'
import { startService, type Service } from '../../support/service'

const circular = (one: object) => Object.assign(one, { self: one })
const split = { category: 'SPLIT', username: 'kari', amount: { tenant: 1, landlord: 1 } }
const tenant = { category: 'TENANT', username: 'kari' }
const contract = {
  title: 'Lease',
  externalId: 'lease-2031',
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { base64Content: 'aGk=', fileName: 'lease.txt' },
  signers: [{ externalSignerId: 'ola-1' }],
}

const refused: readonly [string, Pick<FlowOptions, 'type' | 'module' | 'settings'>, object][] = [
  ['a release to the tenant', { type: 'eid-deposit-terminate', module: terminate }, { ...tenant }],
  ['a split', { type: 'eid-deposit-terminate', module: terminate }, { ...split }],
  ['a dry run', { type: 'eid-deposit-terminate', module: terminate, settings: { dryRun: true } }, { ...tenant }],
  ['a document with its own key', { type: 'eid-create-document', module: create }, { ...contract }],
  ['a change', { type: 'eid-document', module: document, settings: { operation: 'update' } }, { title: 'Lease' }],
  [
    "a call of one's own",
    { type: 'eid-request', module: request, settings: { method: 'POST', path: '/form', pathType: 'str' } },
    {},
  ],
]

describe('a request that contains itself', () => {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  for (const [where, options, payload] of refused) {
    it(`is refused in ${where}, and nothing is sent`, async () => {
      const flow = await startFlow({ client: { baseUrl: service.url }, ...options })
      flow.send({ depositId: 'deposit-1', documentId: 'document-1', payload: circular(payload) })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).match(/cannot be written as JSON\..* Nothing was sent\.$/)
      should(error.cause).match({ attempts: 0, outcome: 'not-done' })
      should(await service.requests()).be.empty()
    })
  }

  it('is told from one that JSON can express', () => {
    const shared = { name: 'Ola' }
    const date = new Date('2030-01-01')
    const good = [undefined, null, 5, 'x', [], { a: [shared, shared], at: date, file: Buffer.from('x'), run: () => 1 }]
    should(good.flatMap((one) => unsendable(one))).be.empty()
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    const thrown = () => {
      throw new Error('no')
    }
    let levels: unknown[] = []
    for (let level = 0; level < 50_000; level++) levels = [levels]
    const bad = [
      circular({}),
      { a: [1n] },
      revoked.proxy,
      { toJSON: thrown },
      Object.defineProperty({}, 'a', { enumerable: true, get: thrown }),
      levels,
    ]
    for (const one of bad) should(unsendable({ one })).deepEqual([{ path: 'body', key: 'json' }])
  })

  describe('is what JSON.stringify refuses, and nothing else', () => {
    class Copied {
      readonly a = 1
      toJSON() {
        return new Copied()
      }
    }
    const withList = Object.assign([1], { owner: {} })
    withList.owner = { rows: withList }
    const own = {
      a: 1,
      toJSON() {
        return { ...this, b: 2 }
      },
    }
    const self = {
      a: 1,
      toJSON() {
        return this
      },
    }
    const thrown = () => {
      throw new Error('no')
    }
    const prototype = BigInt.prototype as { toJSON?: (this: bigint) => string }
    const cases: readonly [string, boolean, unknown][] = [
      ['a toJSON that returns its object', true, self],
      ['an own toJSON that returns a copy with it', true, own],
      ['a class whose toJSON returns the class', true, new Copied()],
      ['a toJSON that reads its key', true, { toJSON: (key: string) => key.toUpperCase() }],
      ['a toJSON that reads its place', true, [{ toJSON: (key: string) => key.toUpperCase() }]],
      ['an array whose other property contains it', true, withList],
      ['an array with a big integer as another property', true, Object.assign([1], { count: 1n })],
      ['a function', true, () => 1],
      ['wrapped values, collections and an error', true, [Object('x'), Object(1), new Map([[1, 1n]]), new Error('x')]],
      ['bytes', true, [Buffer.from('x'), new Uint8Array(2), new Float64Array(2), new DataView(new ArrayBuffer(2))]],
      ['an empty array of big integers', true, new BigInt64Array(0)],
      ['a big integer', false, 1n],
      ['a wrapped big integer', false, Object(1n)],
      ['an array of big integers', false, new BigInt64Array(2)],
      ['an array of big integers without sign', false, new BigUint64Array(2)],
      ['a function whose toJSON throws', false, Object.assign(() => 1, { toJSON: thrown })],
      ['a function whose toJSON returns a big integer', false, Object.assign(() => 1, { toJSON: () => 1n })],
    ]
    const isSendable = (one: unknown) => unsendable({ one }).length === 0
    const isWritten = (one: unknown) => {
      try {
        return typeof JSON.stringify({ one }) === 'string'
      } catch {
        return false
      }
    }
    for (const [name, expected, one] of cases)
      it(`${name}: ${expected ? 'sent' : 'refused'}`, () =>
        should([isSendable(one), isWritten(one)]).deepEqual([expected, expected]))

    it('big integers of a program that says how to write them: sent', () => {
      prototype.toJSON = function () {
        return String(this)
      }
      try {
        for (const one of [1n, Object(1n), new BigInt64Array(2)])
          should([isSendable(one), isWritten(one)]).deepEqual([true, true])
      } finally {
        delete prototype.toJSON
      }
    })
  })
})
