/** Each kind of alert has its texts in every language. */
import should from 'should'
import { alertKinds } from '../../../nodes/alerts/kinds'
import { read } from '../../support/house'

describe('the kinds of alerts', () => {
  for (const language of ['en-US', 'nb']) {
    it(`have a name, and say what to do, in ${language}`, () => {
      const { kinds, todo } = JSON.parse(read('locales', language, 'alerts.json')) as Record<'kinds' | 'todo', object>
      for (const kind of alertKinds) {
        should(kinds).have.property(kind).which.is.a.String()
        should(todo).have.property(kind).which.is.a.String()
      }
    })
  }
})
