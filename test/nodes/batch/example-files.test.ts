/**
 * The example's list and Word file: each lease contains the values of its row, and a corrected list only sends new
 * rows.
 */
import should from 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRowList, type RowList } from '../../../lib/runtime/files/row-list'
import type { WordField } from '../../../lib/runtime/files/word-field'
import { fieldsOfWord, fillWord, textOfWord } from '../../../lib/runtime/files/word-file'
import { root } from '../../support/house'

describe('the files of the example', () => {
  const read = (name: string) => readFileSync(join(root, 'examples', name))

  it('are a list of forty tenants, one without a proper e-mail address, and a lease for each', async () => {
    const list = (await readRowList(read('tenants.xlsx'))) as RowList
    should(list.columns).deepEqual(['Number', 'First name', 'Last name', 'E-mail', 'Address', 'Rent', 'From'])
    should(list.rows).have.length(40)
    should(list.rows.filter((row) => !String(row['E-mail']).includes('@'))).have.length(1)
    should(list.rows[6]).match({ 'First name': 'Lars', Rent: 9750, From: '2031-01-01' })
    const lease = read('lease.docx')
    const fields = (await fieldsOfWord(lease)) as readonly WordField[]
    should(fields.map(({ name }) => name).filter((name) => !list.columns.includes(name))).be.empty()
    const filled = await fillWord(lease, fields, list.rows[6] ?? {}, new Set())
    should('bytes' in filled).be.true()
    if ('bytes' in filled)
      should(await textOfWord(filled.bytes)).match(/Tenant: Lars Nordmann\n.*Storgata 7\n.*9750 kroner/)
  })
})
