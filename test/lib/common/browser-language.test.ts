/** The language in which a browser writes dates and numbers. */
import should from 'should'
import { browserLanguage } from '../../../lib/common/browser-language'

describe('the language of dates in a browser', () => {
  it('is the one of the region where people read our texts', () => {
    should(browserLanguage(['de-AT', 'en-GB', 'en-US'], 'en')).equal('en-GB')
  })

  it('is that of our texts when the browser has no other, or one that formats no dates', () => {
    should(browserLanguage(['de-AT'], 'en')).equal('en')
    should(browserLanguage(['en-US@posix', 'en-US'], 'en')).equal('en-US')
    should(browserLanguage(['en-US@posix'], 'en')).equal('en')
  })
})
