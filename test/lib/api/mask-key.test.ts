/** What is shown of a person's own key: order numbers, but nothing that identifies a person. */
import { createHash } from 'node:crypto'
import should from 'should'
import { isPersonalKey, maskKey } from '../../../lib/api/errors/mask'
import { growth } from '../../support/turns'

const personal = [
  '01019012345',
  '010190 12345',
  '010190-12345',
  '010190\u00a012345',
  '01.01.90 12345',
  '41019012345',
  '19900101-1234',
  '19900101+1234',
  '199001011234',
  '900101-1234',
  '9001011234',
  '19900161-1234',
  '010190-1234',
  '0101901234',
  '010190\u20131234',
  '610190-1234',
  '131052-308T',
  '131052A308T',
  '131052+308t',
  '1990-01-01',
  '01.01.1990',
  '01-01-1990',
  '+47 999 99 999',
  '+4799999999',
  '+47 99 99 99 99',
  '0047 99999999',
  '+46 70-123 45 67',
  '+358 40 123 4567',
  '999 99 999',
  '99 99 99 99',
  'ola.nordmann@example.com',
  'ola.nordmann%40example.com',
  'ola.nordmann(at)example.com',
  'ola.nordmann&#64;example.com',
  'ola.nordmann＠example.com',
]

const ordinary = [
  '2026-1234',
  '2026-11-1234',
  '2026-000123',
  '202611-0001',
  '20261123-0001',
  '2026-11-23',
  'L-2031',
  '4711',
  'INV-2026-001234',
  '12345678',
  '1234567',
  '123456789',
  '9999999999',
  'lease 12 of 2026',
  '2026/1234',
  '12-34',
  '0b6c1234-1234-4abc-8abc-010190123456',
  'eid-5f2a01019012345cde01019012345ab7c9',
  'K-1234567890123',
]

describe('a key', () => {
  for (const key of personal) {
    it(`does not show ${key}`, () => {
      should(maskKey(key)).equal('…')
      const within = maskKey(`lease ${key}, Storgata 12`)
      should(within).startWith('lease ').and.endWith(', Storgata 12')
      should(within).not.containEql(key)
      should(isPersonalKey(key)).equal(true)
    })
  }

  for (const key of ordinary) {
    it(`shows ${key}`, () => {
      should(maskKey(key)).equal(key)
      should(isPersonalKey(key)).equal(false)
    })
  }

  const lastYear = new Date().getFullYear() - 5
  for (const [date, isBirth] of [
    ['1900-01-01', true] as const,
    ['1899-12-31', false] as const,
    ['1970-12-31', true] as const,
    [`${lastYear}-06-15`, true] as const,
    [`${lastYear + 1}-06-15`, false] as const,
    ['1970-00-15', false] as const,
    ['1970-13-15', false] as const,
    ['1970-06-00', false] as const,
    ['1970-06-31', true] as const,
    ['1970-06-32', false] as const,
    ['1970-06-60', false] as const,
    ['1970-06-61', true] as const,
    ['1970-06-91', true] as const,
    ['1970-06-92', false] as const,
    ['31.12.1970', true] as const,
    ['32.12.1970', false] as const,
    ['31.13.1970', false] as const,
    ['12.31.1970', false] as const,
  ]) {
    it(`${isBirth ? 'does not show' : 'shows'} ${date}, which ${isBirth ? 'may' : 'cannot'} be a birth date`, () => {
      should(maskKey(date)).equal(isBirth ? '…' : date)
    })
  }

  it('shows ten digits that do not begin with a date, from either end', () => {
    for (const digits of ['3213901234', '9913991234', '0000001234']) should(maskKey(digits)).equal(digits)
    for (const digits of ['3112991234', '9912311234']) should(maskKey(digits)).equal('…')
  })

  const text = 'ola.nordmann@example.com'
  const hex = (content: string) => Buffer.from(content).toString('hex')
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
    it(`shows a ${algorithm} in hex, in small and capital letters, whatever it was made of`, () => {
      const key = createHash(algorithm).update(text).digest('hex')
      for (const one of [key, key.toUpperCase(), `row-${key}`, `${key}-2`]) should(maskKey(one)).equal(one)
    })
  }

  it('shows what 10,000 programs made, in hex and as UUIDs', () => {
    const keys = Array.from({ length: 5_000 }, (_none, at) => createHash('md5').update(String(at)).digest('hex'))
    const ids = keys.map((key) => key.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
    should([...keys, ...ids].filter((key) => maskKey(key) !== key)).be.empty()
  })

  it('does not show an address or a national id that is written in hex, which anyone can read', () => {
    for (const key of [
      hex(text),
      hex('o@n.no').padEnd(14, '20'),
      hex('01019012345'),
      hex(text).toUpperCase(),
      hex('born 01019012345'),
      hex('+47 999 99 999 Ola'),
    ]) {
      should(maskKey(key)).equal('…')
      should(maskKey(`lease-${key}`)).equal('lease-…')
      should(isPersonalKey(key)).equal(true)
    }
    should(maskKey(hex('lease 12 of 2026, unit 4'))).equal(hex('lease 12 of 2026, unit 4'))
  })

  it('shows names and addresses of streets, which have no form of their own', () => {
    for (const key of ['Ola Nordmann', 'Storgata 12, 0155 Oslo', 'Nordmann-12']) should(maskKey(key)).equal(key)
  })

  it('is masked in one pass, however long it is', async () => {
    for (const part of ['1', '1 ', 'a', '(', '+1', 'a('])
      should(await growth((size) => maskKey(part.repeat(size)), 20_000)).be.below(40, part)
  })
})
