/** Which titles a person can read. */
import should from 'should'
import { generateKey } from '../../../lib/common/generated-key'
import { isReadable } from '../../../lib/common/readable'

describe('a title', () => {
  it('is what a person wrote, and no id that only programs use', () => {
    const titles = ['Lease, Storgata 1', 'lease-1', '27 000', '0b6c1f3a', 'case 5d41402a-1111-4222-8333-0123456789ab']
    should(titles.filter((title) => !isReadable(title))).be.empty()
    const ids = [
      '',
      '5d41402a-1111-4222-8333-0123456789ab',
      '5D41402A-1111-4222-8333-0123456789AB',
      generateKey('1f2e'),
    ]
    should(ids.filter(isReadable)).be.empty()
  })
})
