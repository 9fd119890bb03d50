/** The tables that translate between the two versions of identification, row by row. */
import should from 'should'
import { v1Status, v2Status } from '../../../lib/api/sessions'
import { toV2 } from '../../../nodes/identification-session/versions'

const iframeSettings = { parentDomains: ['https://us.example'], postMessageTargetOrigin: 'https://us.example' }

describe('the two versions of identification', () => {
  it('maps the status names of both versions', () => {
    const table = {
      created: 'CREATED',
      user_initiated: 'USERINITIATED',
      success: 'SUCCESS',
      failed: 'ERROR',
      user_aborted: 'USERABORTED',
      invalidated: 'INVALIDATED',
      timed_out: 'TIMEOUT',
    }
    for (const [v2, v1] of Object.entries(table)) {
      should(v2Status(v1)).equal(v2)
      should(v1Status(v2)).equal(v1)
    }
    should(v2Status('somethingNew')).equal('somethingNew')
  })

  describe('the table of older fields', () => {
    const rows: readonly [string, object, object][] = [
      [
        'IdentityProvider',
        { IdentityProvider: 'NO_EID_MOBILE' },
        { flow: 'redirect', allowedProviders: ['no_eid_mobile'] },
      ],
      [
        'ReturnUrls',
        { ReturnUrls: { Success: 's', Abort: 'a', Error: 'e' } },
        { flow: 'redirect', redirectSettings: { successUrl: 's', abortUrl: 'a', errorUrl: 'e' } },
      ],
      ['Language', { Language: 'NO' }, { flow: 'redirect', language: 'no' }],
      ['GetSocialSecurityNumber', { GetSocialSecurityNumber: true }, { flow: 'redirect', include: ['nin'] }],
      ['GetSocialSecurityNumber false', { GetSocialSecurityNumber: false }, { flow: 'redirect' }],
      ['ExternalReference', { ExternalReference: 'x' }, { flow: 'redirect', externalReference: 'x' }],
      ['iFrame', { iFrame: { Domain: 'us.example', WebMessaging: true } }, { flow: 'iframe', iframeSettings }],
      [
        'MobileNumber and DateOfBirth',
        { MobileNumber: '+4799999999', DateOfBirth: '1990-01-01' },
        {
          flow: 'headless',
          allowedProviders: ['no_eid_mobile'],
          prefilledInput: { phoneNumber: '+4799999999', dateOfBirth: '1990-01-01' },
        },
      ],
      [
        'what neither version knows',
        { Language: 'EN', something: ['kept'] },
        { flow: 'redirect', language: 'en', something: ['kept'] },
      ],
    ]
    for (const [what, v1, v2] of rows) it(what, () => void should(toV2({ ...v1 })).deepEqual(v2))
  })
})
