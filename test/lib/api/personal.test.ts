/** Which values of a request count as personal data, so that no error repeats them. */
import should from 'should'
import { allPersonalIn, personalIn } from '../../../lib/api/call/personal'

describe('personal data in a request', () => {
  it('is every value under a name, an address or a number of a person, whole and word by word', () => {
    should(personalIn({ fullName: ' Ola,  Nordmann; jr ', title: 'Lease' })).deepEqual([
      'Ola,  Nordmann; jr',
      'Ola',
      'Nordmann',
      'jr',
    ])
    should(personalIn({ birthDate: '010170', mobile: { countryCode: '47', number: 99999999 } })).deepEqual([
      '010170',
      '99999999',
    ])
    should(personalIn({ emails: ['ola@example.com', 'kari@example.com'] })).deepEqual([
      'ola@example.com',
      'kari@example.com',
    ])
  })

  it('is not what describes things, or is a single letter, a switch or empty', () => {
    const organization = { organizationName: 'Utleie AS', fileName: 'lease.pdf' }
    should(personalIn(organization, { content: { name: 'Lease' } }, 'Ola', undefined)).deepEqual([])
    should(personalIn({ name: 'Å Li', hasName: true, noName: null })).deepEqual(['Å Li', 'Li'])
  })

  it('is not a text of more than two hundred letters, which is a sentence', () => {
    should(personalIn({ name: 'a'.repeat(200) })).deepEqual(['a'.repeat(200)])
    should(personalIn({ name: 'a'.repeat(201) })).deepEqual([])
  })

  it('is looked for twelve levels deep, and until there are 300 values', () => {
    const nested = (levels: number): object => (levels === 0 ? { name: 'Ola' } : { inner: nested(levels - 1) })
    should(personalIn(nested(11))).deepEqual(['Ola'])
    should(personalIn(nested(12))).deepEqual([])
    const cyclic: Record<string, unknown> = { name: 'Ola Nordmann' }
    cyclic.self = cyclic
    should(personalIn({ signers: [cyclic] })).deepEqual(['Ola Nordmann', 'Ola', 'Nordmann'])
    const many = (count: number) => Array.from({ length: count }, (_none, n) => `Ola${n}`)
    should(personalIn({ names: many(300) })).have.length(300)
    should(personalIn({ names: many(5000) })).deepEqual(many(300))
    should(personalIn({ names: many(299), lastName: 'Nordmann Li' })).deepEqual([...many(299), 'Nordmann Li'])
    let asked = 0
    const rest = {
      get name() {
        return `Kari${asked++}`
      },
    }
    personalIn({ names: many(300), rest })
    should(asked).equal(0)
  })

  it('is looked for in a limited number of values, however often an object contains itself', () => {
    const cyclic: Record<string, unknown> = {}
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) cyclic[name] = cyclic
    should(personalIn({ name: 'Ola' }, cyclic, { name: 'Kari' })).deepEqual(['Ola'])
    let looks = 0
    const bytes = new Proxy(new Array<number>(5_000_000).fill(65), {
      get(list, name) {
        if (name !== 'length') looks++
        return Reflect.get(list, name) as unknown
      },
    })
    should(allPersonalIn({ type: 'Buffer', data: bytes })).be.undefined()
    should(looks).be.within(19_000, 20_000)
  })

  it('is found behind a long list and something deep', () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { inner: nested(levels - 1) })
    const body = { scan: new Array(60_000).fill(1), extra: [nested(20)], signers: [{ firstName: 'Ola' }] }
    should(personalIn(body)).deepEqual(['Ola'])
  })

  it('is all of it, or it is not told', () => {
    const many = (count: number) => Array.from({ length: count }, (_none, n) => `Ola${n}`)
    const nested = (levels: number): object => (levels === 0 ? { name: 'Ola' } : { inner: nested(levels - 1) })
    should(allPersonalIn({ name: 'Ola Nordmann' })).deepEqual(['Ola Nordmann', 'Ola', 'Nordmann'])
    should(allPersonalIn({ names: many(299) })).have.length(299)
    should(allPersonalIn({ names: many(300) })).be.undefined()
    should(allPersonalIn({ title: 'Lease', list: new Array(19_990).fill(1) })).deepEqual([])
    should(allPersonalIn({ title: 'Lease', list: new Array(20_000).fill(1) })).be.undefined()
    should(allPersonalIn(nested(12))).be.undefined()
  })

  it('leaves out the bytes of a file', () => {
    should(personalIn({ name: Buffer.from('Ola'), phone: new Uint8Array([99, 98]) })).deepEqual([])
  })
})
