/** Each kind of alert has its texts in every language. */
import should from 'should'
import { alertKinds } from '../../../nodes/alerts/kinds'
import { removedSoonIn } from '../../../nodes/alerts/scan'
import { read } from '../../support/house'

describe('what a deleted node left behind', () => {
  const day = 86_400_000
  const kept = { id: 'n', shared: '', type: 'eid-wait', name: 'wait for the tenant', flow: 'Leases' }
  const counts = { titles: [], waits: 3, lists: 0, pages: 0 }

  it('is reported a day before it is removed, once each time the node leaves the flows', () => {
    const gone = { ...kept, ...counts, state: 'gone', left: 0, removedAt: 30 * day } as const
    should(removedSoonIn([gone], 28.9 * day)).deepEqual([])
    const [alert] = removedSoonIn([gone], 29 * day)
    should(alert).have.properties({ kind: 'removed-soon', title: 'wait for the tenant', until: 30 * day })
    should(alert?.params).have.properties({ waits: 3, flow: 'Leases' })
    should(removedSoonIn([{ ...gone, left: 1 }], 29 * day)[0]?.key).not.deepEqual(alert?.key)
    should(removedSoonIn([{ ...kept, ...counts, state: 'disabled' }], 99 * day)).deepEqual([])
  })
})

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
