/** A long list of waits in a shared store is read without blocking other work. */
import should from 'should'
import { createCipher } from '../../../lib/store/sql/cipher'
import type { Database } from '../../../lib/store/drivers/postgres/database'
import { createSharedSource } from '../../../nodes/store/pending-source'
import { turnsDuring } from '../../support/turns'
import { RED } from '../../support/errors'

const rows = Array.from({ length: 5_000 }, (_none, n) => ({
  node: 'wait',
  key: `w${n}`,
  seq: n + 1,
  since: 1_000,
  due: null,
  handed: 0,
  about: JSON.stringify({ id: `w${n}`, summary: { title: `Contract ${n}` }, subject: `c/document/${n}` }),
}))

describe('a long list of waits in a shared store', () => {
  it('is read in several turns of the loop', async () => {
    const all = [rows, []]
    const run = () => Promise.resolve(all.shift() ?? [])
    const source = createSharedSource(RED, () => ({
      database: { namespace: '', run } as unknown as Database,
      cipher: createCipher(''),
    }))
    let items: readonly object[] = []
    const turns = await turnsDuring(async () => void (items = await source.list()))
    should(items).have.length(rows.length)
    should(items[4_999]).have.property('title', 'Contract 4999')
    should(turns).be.aboveOrEqual(2)
  })
})
