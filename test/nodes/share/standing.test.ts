/** The state of a share: what counts as uploaded, fetched and done, also in incomplete responses. */
import should from 'should'
import { hasFetched, standingOf } from '../../../nodes/share/standing'

const opened = { content: [{ opened: true }, { opened: true }] }
const half = { content: [{ opened: true }, { opened: false }] }
const content = [{ id: 'a' }, { id: 'b' }]

describe('share, its state', () => {
  it('a recipient who has opened everything has downloaded it; one who may see nothing has not', () => {
    should([opened, half, { content: [] }, {}].map(hasFetched)).deepEqual([true, false, false, false])
  })

  it('waits for files, then for recipients, until it is done or deleted', () => {
    const recipients = [opened, half]
    const share = { content, recipients, uploadedDocuments: 2 }
    should(standingOf({ ...share, uploadedDocuments: 1 })).deepEqual({ key: 'waitsForFiles', done: 1, count: 2 })
    should(standingOf(share)).deepEqual({ key: 'isOpen', done: 1, count: 2 })
    should(standingOf({ ...share, done: true })).deepEqual({ key: 'isDone', done: 1, count: 2 })
    should(standingOf({ ...share, uploadedDocuments: 1, deleted: true })).have.property('key', 'isDeleted')
  })

  it('is open, with no recipients, when the answer names none', () => {
    should(standingOf({})).deepEqual({ key: 'isOpen', done: 0, count: 0 })
  })
})
