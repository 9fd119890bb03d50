/** The rules for single values: what they accept and refuse, and that they never throw. */
import should from 'should'
import fc from 'fast-check'
import { rules, type RuleName } from '../../../lib/settings/rules'
import { anyText } from '../../support/any-text'

const examples: Readonly<Record<RuleName, { good: string[]; bad: string[] }>> = {
  colour: {
    good: ['#0a1B2c', 'transparent', 'RebeccaPurple', 'white'],
    bad: ['#fff', '#12345g', 'reddish', 'e', '', '#1234567', 'white\n'],
  },
  themeMode: { good: ['Dark', 'Light', 'Default'], bad: ['dark', 'Blue', ''] },
  domains: { good: ['example.com', 'a.example b.example'], bad: ['a  b', ' a', 'a\tb', 'a '] },
  year: { good: ['1999', '2031'], bad: ['31', '20311', 'two', ''] },
  positive: { good: ['1', '0.5', '0,5'], bad: ['0', '-1', 'x', ''] },
  price: { good: ['9000', '9000,50'], bad: ['0', '0.00', '-1', '9.000', 'x', ''] },
  notNegative: { good: ['0', '1.5'], bad: ['-1', 'x'] },
  callPath: {
    good: ['/share/x', '/share/x?name=a b', '/share/{shareId}'],
    bad: ['', 'share', '//host/x', '/../x', '/%2e%2e/x', '/a b', '/a#b', '/%'],
  },
  pagePath: { good: ['/eid/page', 'page', '/a/b/'], bad: ['', ' ', '/', '//', '..', '/a/..'] },
  dayList: { good: ['3, 7, 12', '1'], bad: ['3, x', '12, 3', '0', '', '3;7'] },
  timeOfDay: { good: ['08:00', '23.59'], bad: ['24:00', '8', ''] },
  day: { good: ['1990-12-31'], bad: ['311290', '1990-13-01', '1990-1-1', '1990-02-30'] },
  shortDay: {
    good: ['311290', '010100', '290200'],
    bad: ['321290', '311390', '300299', '310401', '1990-12-31', '0101'],
  },
  url: {
    good: ['https://example.com/done?x=1', 'app://back'],
    bad: ['example.com/done', '', '/done', 'C:\\Users\\ola'],
  },
  origin: {
    good: ['https://example.com', 'http://localhost:1880', 'http://[::1]:1880', 'https://blåbær.example'],
    bad: ['https://example.com/', 'example.com', '*', 'https://*.example.com', 'https://a@example.com', 'https://-'],
  },
  origins: {
    good: [
      '',
      'https://example.com https://example.com:8443/',
      "'self' http://localhost:1880",
      'https://*.example.com',
    ],
    bad: [
      'example.com',
      'https://example.com www.example.com',
      'https://example.com/page',
      '*',
      'https://*',
      'https://*.com',
      'https://*.*.com',
      'https://example.com;script-src',
      'https://a.com,https://b.com',
      "'none'",
      "'unsafe-inline'",
      'https:',
    ],
  },
  emails: {
    good: ['archive@example.com', 'a@example.com, b@example.com;c@example.com\nd@example.com', 'a@example.com,'],
    bad: ['arkivet', 'a@example.com, arkivet', 'a@example.com b@example.com', ',', ' ; '],
  },
  email: {
    good: [
      'ola.nordmann@example.com',
      'o+1@mail.example.co',
      "o'brien@example.com",
      'kari@blåbær.example',
      'a@xn--4gbrim.example',
    ],
    bad: [
      'ola',
      'not-an-email',
      'ola@',
      '@example.com',
      'ola@localhost',
      'ola@example.',
      'a@b..c',
      'a b@example.com',
      '',
      'a@example.com, b@example.com',
      'Ola <ola@example.com>',
      'a@@example.com',
      'a@example.c',
      'a@1.2.3.4',
    ],
  },
  phone: {
    good: ['99999999', '+47 999 99 999', '(0)30-1234567', '113456'],
    bad: ['phone?', '', '123', '+', '1234567890123456', '9999x999'],
  },
  countryCode: { good: ['47', '+47', '0047', '1684'], bad: ['Norway', 'NO', '', '+', '047x', '12345', '-47'] },
  channel: {
    good: ['off', 'sendSms', 'sendEmail', 'sendBoth', 'Off', 'SendBoth'],
    bad: ['sms', '', 'email', 'send', 'true'],
  },
  ownId: { good: ['1234', 'x'.repeat(255)], bad: ['', '123', 'x'.repeat(256)] },
  documentName: {
    good: ['contract.pdf', 'a.DOCX', 'x.y.odt'],
    bad: ['contract.exe', 'contract', '', 'pdf', 'contract.pdf.exe', 'a.pdf '],
  },
  postgres: {
    good: ['postgres://host:5432/db', 'postgresql://u:p@host/db'],
    bad: ['host:5432', 'http://host', 'postgres://', ''],
  },
  kid: { good: ['12345674', '6-'], bad: ['12345', '', '12345675', 'x'] },
  pattern: { good: ['[0-9]{2}', '(?i)yes|no', '^.+$'], bad: ['[', '(a', '*'] },
  whole: { good: ['1', '14', '365'], bad: ['0', '-1', '1.5', '', 'two', '1e3'] },
  amount: { good: ['0', '1250.5', '1250.50', '1,5'], bad: ['-1', '1.234', '1,234', '2.000', '', ' ', 'NaN', '1e3'] },
}

describe('the rules for values', () => {
  for (const [name, { good, bad }] of Object.entries(examples) as [RuleName, { good: string[]; bad: string[] }][]) {
    it(`${name} takes what can work and refuses what cannot`, () => {
      should(good.filter((value) => rules[name](value) !== undefined)).deepEqual([])
      should(bad.filter((value) => rules[name](value) === undefined)).deepEqual([])
    })

    it(`${name} answers for any text`, () => {
      fc.assert(
        fc.property(anyText(), (value) => {
          should(['string', 'undefined']).containEql(typeof rules[name](value))
        }),
      )
    })
  }
})
