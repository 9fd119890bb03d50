/** The sweep over the files of a person: it prints for each file what was read or why it was refused. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { wordDocument } from '../support/files/word-document'
import { workbook } from '../support/files/workbook'
import { root } from '../support/house'
import { temporaryFolder } from '../support/temporary-folder'

describe('the sweep', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  it('says for each file what was read, or why it was refused', () => {
    mkdirSync(join(folder.path, 'may'))
    writeFileSync(
      join(folder.path, 'may', 'tenants.xlsx'),
      workbook({
        May: [
          ['Name', 'Rent'],
          ['Ola', 9000],
        ],
      }),
    )
    writeFileSync(join(folder.path, 'wrong.csv'), 'Name;Name\nOla;1\n')
    writeFileSync(join(folder.path, 'lease.docx'), wordDocument(['{Name} pays {Rent}']))
    writeFileSync(join(folder.path, 'notes.md'), '')
    const program = ['--require', './scripts/sources.cjs', 'test/sweep/main.ts', folder.path]
    const { stdout, status } = spawnSync(process.execPath, program, { cwd: root, encoding: 'utf8' })
    should(stdout.split('\n').filter(Boolean)).deepEqual([
      'lease.docx: read 2 fields: Name | Rent',
      `${join('may', 'tenants.xlsx')}: read 1 rows with Name | Rent`,
      'wrong.csv: refused: The file: two columns are called Name. Rename one of them',
      '1 .csv refused: listTwice',
      '1 .docx read',
      '1 .xlsx read',
    ])
    should(status).equal(0)
  })
})
