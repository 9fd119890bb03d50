/** The copy of a message: what is copied, what is shared, and objects that can't be copied. */
import should from 'should'
import { copyMessage } from '../../../lib/runtime/node-red/copy-message'

describe('the copy of a message', () => {
  it('has objects, lists, dates and small files of its own', () => {
    const msg = { a: { b: [{ c: 1 }] }, at: new Date(5), file: Buffer.from('one') }
    const copy = copyMessage(msg) as typeof msg
    should(copy).deepEqual(msg)
    msg.a.b[0] = { c: 2 }
    msg.at.setTime(6)
    msg.file.write('two')
    should(copy.a).deepEqual({ b: [{ c: 1 }] })
    should([copy.at.getTime(), copy.file.toString()]).deepEqual([5, 'one'])
  })

  it('shares what is large, or lives in this process only', () => {
    class Live {
      readonly a = 1
    }
    const msg = { req: { a: 1 }, res: {}, live: new Live(), run: () => 1, file: Buffer.alloc(1024 * 1024 + 1) }
    const copy = copyMessage(msg)
    for (const name of Object.keys(msg)) should(copy[name]).equal(msg[name as keyof typeof msg])
  })

  it('contains itself where the message does, and keeps the name __proto__', () => {
    const shared = { a: 1 }
    const msg: Record<string, unknown> = { one: shared, other: shared, odd: JSON.parse('{"__proto__": {"a": 1}}') }
    msg.self = msg
    msg.list = [msg.list]
    const copy = copyMessage(msg)
    should(copy.one).equal(copy.other).and.not.equal(shared)
    should((copy.self as typeof copy).self).equal(copy.self)
    should(JSON.stringify(copy.odd)).equal('{"__proto__":{"a":1}}')
  })

  it('shares what can not be copied, and never throws', () => {
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    let deep: unknown = 1
    for (let level = 0; level < 50_000; level++) deep = [deep]
    const thrown = { enumerable: true, get: () => should.fail(1, 0) }
    const msg = Object.defineProperty(
      { revoked: revoked.proxy, deep, nested: Object.defineProperty({}, 'a', thrown) },
      'b',
      thrown,
    )
    const copy = copyMessage(msg)
    should(Object.keys(copy)).deepEqual(['revoked', 'deep', 'nested', 'b'])
    should(copy.revoked === revoked.proxy && copy.deep === deep && copy.nested === msg.nested).be.true()
  })
})
