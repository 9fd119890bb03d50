/** How SQLite carries out each statement on the table of items: by an index, however many items a node has. */
import should from 'should'
import { Database } from 'node-sqlite3-wasm'
import * as sqlite from '../../../lib/store/drivers/sqlite/statements'

/** These concern all items of a node, or all claims. */
const ofAll = ['allOf', 'clear', 'releaseAll']
/** What narrows a search down to the rows that a statement is about. */
const narrow = /\((.* AND )?(key|seq|rowid|subject|due|expires)[=<>]\?|USING INDEX eid_kept_owner/

/** The statements whose plan reads rows of the table that they are not about. */
function widePlans(database: Database): string[] {
  const { nextDue, release, releaseAll, readClock, statements } = sqlite
  const all = Object.entries({ nextDue, release, releaseAll, readClock, ...statements })
  const read = all.flatMap(([name, text]) => {
    const values = Object.fromEntries([...text.matchAll(/\$\w+/g)].map(([parameter]) => [parameter, null]))
    const steps = database.all(`explain query plan ${text}`, values).map(({ detail }) => String(detail))
    // `t` and `o` are other names of the table.
    const ofTable = steps.filter((step) => /^(SCAN|SEARCH) (eid_kept|t|o)\b/.test(step))
    return ofTable.map((step) => ({ name, step }))
  })
  should(read.length).be.above(20)
  return read.flatMap(({ name, step }) => (ofAll.includes(name) || narrow.test(step) ? [] : [name]))
}

describe('the statements of an embedded database', () => {
  it('read only the rows that they are about', () => {
    const database = new Database(':memory:')
    database.exec(sqlite.setUp)
    should(widePlans(database)).deepEqual([])
    // Each of the indexes is needed.
    const wideWithout = (index: string) => {
      database.exec(`drop index ${index}`)
      const wide = widePlans(database)
      database.exec(sqlite.setUp)
      return wide
    }
    should(wideWithout('eid_kept_due').sort()).deepEqual(['claim', 'nextDue'])
    should(wideWithout('eid_kept_subject')).deepEqual(['makeDue'])
    should(wideWithout('eid_kept_expires')).deepEqual(['sweep'])
    should(wideWithout('eid_kept_owner')).deepEqual(['release'])
    should(wideWithout('eid_kept_list')).containEql('list')
    database.close()
  })
})
