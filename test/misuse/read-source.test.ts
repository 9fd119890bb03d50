/**
 * What a form may read from files on the server: only for people who may deploy, only in the base folder, and never
 * with an exception.
 */
import should from 'should'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startRed, type RedProcess } from '../support/node-red/inspected'
import { temporaryFolder } from '../support/temporary-folder'
import { wordDocument } from '../support/files/word-document'

interface Found {
  fields?: string[]
  text?: string
  empty?: string[]
  columns?: string[]
  rows?: unknown[]
  count?: number
  problem?: { key: string }
}

describe('the routes that look into files', () => {
  let red: RedProcess
  const { path: folder, remove } = temporaryFolder()
  before(async () => {
    red = await startRed({ flows: [] })
    mkdirSync(join(folder, 'base'))
    writeFileSync(join(folder, 'base', 'lease.docx'), wordDocument(['{Name}, {#guests}{Guest}{/guests}, {Rent}']))
    writeFileSync(join(folder, 'list.csv'), Buffer.from('Name;Rent\nØrjan;1\nÅse;2\n', 'latin1'))
    writeFileSync(join(folder, 'empty.csv'), '')
    writeFileSync(join(folder, 'cut.docx'), 'PK\u0003\u0004')
    writeFileSync(join(folder, 'lease.rtf'), '{\\rtf1 Tenant: \\{Name\\}}')
  })
  after(async () => {
    await red.stop()
    remove()
  })
  const ask = async (what: string, body: unknown): Promise<Found> => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await red.admin(`/eid/files/${what}`, { method: 'POST', headers, body: JSON.stringify(body) })
    should(answer.status).equal(200)
    return (await answer.json()) as Found
  }
  const lease = () => join(folder, 'base', 'lease.docx')

  it('name the fields of a Word file and the rows of a list', async () => {
    should(await ask('fields', { path: lease() })).deepEqual({ fields: ['Name', 'guests', 'Rent'], lists: ['guests'] })
    should(await ask('fields', { path: join(folder, 'lease.rtf') }))
      .have.propertyByPath('problem', 'key')
      .equal('wordOnly')
    const list = await ask('rows', { path: join(folder, 'list.csv') })
    should(list).match({ columns: ['Name', 'Rent'], count: 2, rows: [{ Name: 'Ørjan' }, { Name: 'Åse' }] })
  })

  it('fill a Word file in with its own names, and with a row and what the form says', async () => {
    should((await ask('preview', { path: lease() })).text).equal('«Name», «Guest», «Rent»')
    const list = { path: join(folder, 'list.csv') }
    const fields = [
      { name: 'Name', type: 'msg', value: 'payload.Name' },
      { name: 'Rent', type: 'tpl', value: '{Rent} kroner' },
    ]
    should((await ask('preview', { path: lease(), list, row: 2, fields })).text).equal('Åse, «Guest», 2 kroner')
    should((await ask('preview', { path: lease(), list, row: 3, fields })).problem?.key).equal('listRow')
  })

  it('name the fields because of which the row would not be sent', async () => {
    const path = join(folder, 'gaps.docx')
    writeFileSync(path, wordDocument(['{Name}, {Deposit}, {Rent}']))
    writeFileSync(join(folder, 'gaps.csv'), 'Name;Deposit;Rent\nKari;;\n')
    const list = { path: join(folder, 'gaps.csv') }
    const row = (name: string, mayBeEmpty: unknown) => ({ name, type: 'msg', value: `payload.${name}`, mayBeEmpty })
    const empty = async (...fields: object[]) => (await ask('preview', { path, list, row: 1, fields })).empty
    should(await empty(row('Deposit', ''), row('Rent', 'false'))).deepEqual(['Deposit', 'Rent'])
    should(await empty(row('Deposit', 'true'), row('Rent', false))).deepEqual(['Rent'])
    should(await empty(row('Deposit', true), row('Rent', 'payload.mayBeEmpty'))).deepEqual([])
    should((await ask('preview', { path: lease() })).empty).deepEqual([])
  })

  it('judge a field of the form by its own value, not by the column that has its name', async () => {
    const path = join(folder, 'own.docx')
    writeFileSync(path, wordDocument(['{Name}, {Rent}']))
    writeFileSync(join(folder, 'own.csv'), 'Name;Rent\nKari;\nOla;5\n')
    const list = { path: join(folder, 'own.csv') }
    const shown = async (row: number, type: string, value: string) => {
      const { text, empty } = await ask('preview', { path, list, row, fields: [{ name: 'Rent', type, value }] })
      return { text, empty }
    }
    for (const type of ['jsonata', 'flow', 'global', 'env', 'json'])
      should(await shown(1, type, '"12 500"')).deepEqual({ text: 'Kari, «Rent»', empty: [] })
    for (const row of [1, 2]) should((await shown(row, 'msg', 'rent')).text).match(/^(Kari|Ola), «Rent»$/)
    should((await shown(1, 'msg', 'rent')).empty).deepEqual([])
    should(await shown(2, 'str', '')).deepEqual({ text: 'Ola,', empty: ['Rent'] })
    should(await shown(2, 'num', '7')).deepEqual({ text: 'Ola, 7', empty: [] })
  })

  it('say what is wrong, whatever they are asked', async () => {
    const key = async (what: string, body: unknown) => (await ask(what, body)).problem?.key
    should(await key('fields', { path: join(folder, 'none.docx') })).equal('fileMissing')
    should(await key('fields', { path: folder })).equal('fileMissing')
    should(await key('fields', { path: join(folder, 'cut.docx') })).equal('wordFile')
    should(await key('fields', { path: '../list.csv', baseFolder: join(folder, 'base') })).equal('fileFolder')
    should(await key('rows', { path: join(folder, 'empty.csv') })).equal('listEmpty')
    should(await key('rows', { path: '/dev/zero' })).equal('fileMissing')
    for (const odd of [[], { path: 7 }, { path: '\0' }, { path: lease(), fields: [null, { name: {} }] }])
      for (const what of ['fields', 'rows', 'preview']) await ask(what, odd)
  })
})
