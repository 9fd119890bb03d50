/** Telephone numbers as people write them in a list. */
import should from 'should'
import { mobileOf } from '../../../lib/runtime/service/mobile'

describe('a telephone number', () => {
  for (const [code, number, expected] of [
    ['47', '99999999', { countryCode: '47', number: '99999999' }],
    [undefined, '+47 999 99 999', { countryCode: '47', number: '99999999' }],
    ['47', '+47 999 99 999', { countryCode: '47', number: '99999999' }],
    [undefined, '004799999999', { countryCode: '47', number: '99999999' }],
    ['', '+1 (202) 555-0100', { countryCode: '1', number: '2025550100' }],
    [undefined, '+354 555 0100', { countryCode: '354', number: '5550100' }],
    [undefined, '999 99 999', { countryCode: undefined, number: '99999999' }],
    ['47', 'ask Ola', { countryCode: '47', number: 'ask Ola' }],
    ['47', 99999999, { countryCode: '47', number: 99999999 }],
    ['47', undefined, { countryCode: '47', number: undefined }],
  ] as const) {
    it(`has its calling code apart: ${code ?? 'no code'}, ${number ?? 'no number'}`, () =>
      should(mobileOf(code, number)).deepEqual(expected))
  }
})
