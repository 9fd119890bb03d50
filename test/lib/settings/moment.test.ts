/** One day and one moment, however a person, a spreadsheet or a program writes it, in several time zones. */
import should from 'should'
import { momentOf } from '../../../lib/settings/moment'
import { validateValue } from '../../../lib/settings/validation'
import { isTyped, type Field, type Fields } from '../../../lib/settings/fields'
import { rules } from '../../../lib/settings/rules'
import { fields as createDocument } from '../../../nodes/create-document/create-document.fields'
import { fields as deposit } from '../../../nodes/deposit/deposit.fields'
import { fields as document } from '../../../nodes/document/document.fields'
import { fields as identification } from '../../../nodes/identification-session/identification-session.fields'
import { fields as share } from '../../../nodes/share/share.fields'
import { fields as shareCreate } from '../../../nodes/share-create/share-create.fields'

const zones = [
  'Europe/Oslo',
  'UTC',
  'America/New_York',
  'Asia/Tokyo',
  'America/Asuncion',
  'Atlantic/Azores',
  'Asia/Beirut',
]

describe('a date', () => {
  const zone = process.env.TZ
  const inZone = (name: string) => (process.env.TZ = name)
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  for (const name of zones) {
    it(`means one day in all spellings, in ${name}`, () => {
      inZone(name)
      const day = [new Date(2090, 11, 8), new Date('2090-12-08T00:00:00Z')]
      for (const one of ['2090-12-08', '08.12.2090', '8.12.2090', ' 2090-12-08 ', ...day]) {
        should(momentOf(one)).match(/^2090-12-08T23:59:59[+-]\d\d:\d\d$/, String(one))
        should(momentOf(one, true)).match(/^2090-12-08T00:00:00[+-]\d\d:\d\d$/, String(one))
      }
    })

    it(`with a time means one moment in all spellings, in ${name}`, () => {
      inZone(name)
      const at = new Date(2090, 11, 8, 16, 0, 0)
      const offset = at.toISOString()
      const spelt = [
        '2090-12-08 16:00',
        '2090-12-08T16:00',
        '08.12.2090 16:00',
        '08.12.2090T16:00',
        '2090-12-08T16:00:00.000',
      ]
      for (const one of [...spelt, at, at.getTime(), String(at.getTime()), offset, offset.replace('T', ' ')])
        for (const dayBegins of [true, false]) {
          const found = momentOf(one, dayBegins) ?? ''
          should(found).match(/T\d\d:\d\d:\d\d(\.000)?(Z|[+-]\d\d:\d\d)$/)
          should(Date.parse(found)).equal(at.getTime(), String(one))
        }
    })

    it(`has its last second where the clock is changed, in ${name}`, () => {
      inZone(name)
      for (let day = new Date(2024, 0, 1, 12); day.getFullYear() < 2025; day.setDate(day.getDate() + 1)) {
        const text = `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
        const first = momentOf(text, true) ?? ''
        const last = momentOf(text) ?? ''
        should(first.slice(0, 10)).equal(text)
        should(last.slice(0, 19)).equal(`${text}T23:59:59`)
        should(new Date(Date.parse(last) + 1000).getDate()).not.equal(day.getDate())
        should(new Date(Date.parse(first) - 1000).getDate()).not.equal(day.getDate())
      }
    })
  }

  it('that has an offset is sent as it was written', () => {
    for (const one of ['2090-12-08T14:00:00+01:00', '2090-12-08T14:00Z', '2090-12-08T14:00:00.123Z'])
      should(momentOf(one)).equal(one)
  })

  it('that can be read in two ways, or is not in the calendar, is refused', () => {
    const words = [
      'soon',
      '31 December 2090',
      'December 31, 2090',
      '01/02/2090',
      '12-08-2090',
      '2090/12/08',
      '31. 12. 2090',
      '90-12-08',
    ]
    const wrong = [
      '2090-02-30',
      '30.02.2090',
      '2090-13-01',
      '08.12.2090 25:00',
      '2090-12-08 12:61',
      '2090-12-08T12',
      '2090-12-08 kl. 12:00',
    ]
    const other = [
      '',
      ' ',
      46388,
      '46388',
      14,
      NaN,
      Infinity,
      true,
      null,
      {},
      [],
      new Date(NaN),
      '2090-12-08T12:00:00+99:99',
    ]
    for (const one of [...words, ...wrong, ...other]) should(momentOf(one)).equal(undefined, String(one))
  })

  it('of a person is sent as a day, in all spellings', () => {
    const { dateOfBirth } = identification
    for (const one of ['1990-12-31', '31.12.1990', '1990-12-31 00:00', new Date('1990-12-31T00:00:00Z')])
      should(validateValue(dateOfBirth, one, rules)).deepEqual({ value: '1990-12-31' }, String(one))
    for (const one of ['311290', '31/12/1990', '1990-02-30'])
      should(validateValue(dateOfBirth, one, rules)).deepEqual({ key: 'day' })
  })

  it('is read in the same way by every setting that takes one', () => {
    const found: string[] = []
    const look = (fields: Fields) => {
      for (const [name, field] of Object.entries(fields)) {
        if (field.moment) found.push(`${name} ${accepted(field)}`)
        if (isTyped(field) && field.rows) look(field.rows)
      }
    }
    for (const fields of [createDocument, document, share, shareCreate, deposit]) look(fields)
    should(found.filter((one) => !one.endsWith(' all'))).be.empty()
    should(new Set(found.map((one) => one.split(' ')[0])).size).be.aboveOrEqual(7)
  })
})

/** Says whether the setting gives one answer to one day, and refuses everything else. */
function accepted(field: Field): string {
  const answers = ['2090-12-08', '08.12.2090', new Date(2090, 11, 8)].map((one) =>
    JSON.stringify(validateValue(field, one, rules)),
  )
  const refused = JSON.stringify(validateValue(field, '01/02/2090', rules))
  return new Set(answers).size === 1 && refused === '{"key":"date"}' ? 'all' : [...answers, refused].join()
}
