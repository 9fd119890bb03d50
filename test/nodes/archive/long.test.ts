/**
 * A long index of an archive: adding a document takes no more time than with a short one, and does not block other
 * work.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { readIndex, readIndexAgain } from '../../../nodes/archive/archive-index'
import { readLines } from '../../../nodes/archive/index-lines'
import { archiveFolder } from '../../support/files/archive-folder'
import { temporaryFolder } from '../../support/temporary-folder'
import { turnsDuring } from '../../support/turns'

const name = 'index.jsonl'

describe('a long index of an archive', () => {
  let folder: string
  let remove: () => void
  beforeEach(() => void ({ path: folder, remove } = temporaryFolder()))
  afterEach(() => remove())

  const add = (documentId: string) => archiveFolder(folder).add(documentId)

  it('is not read again after each document', async () => {
    await add('d-1')
    const { entries: before } = await readIndex(folder, name)
    await add('d-2')
    const { entries: after } = await readIndex(folder, name)
    should([...after.keys()]).deepEqual(['d-1', 'd-2'])
    should(after.get('d-1')).equal(before.get('d-1'))
    should([...before.keys()]).deepEqual(['d-1'])
  })

  for (const [what, change] of [
    ['after a cut line', () => appendFileSync(join(folder, name), '{"time":"2031')],
    [
      'after a line without its line break',
      () => archiveFolder(folder).write(readFileSync(join(folder, name)).subarray(0, -1)),
    ],
    ['after a line written by hand', () => appendFileSync(join(folder, name), 'by hand\n')],
    ['after a document of the same id', () => add('d-1')],
  ] as const) {
    it(`is known as it is in the file ${what}`, async () => {
      await add('d-1')
      await change()
      await add('d-2')
      await add('d-3')
      const index = await readIndex(folder, name)
      should(index).deepEqual(await readIndexAgain(folder, name))
    })
  }

  it('lets others have their turn while it is read', async () => {
    await add('d-1')
    const line = readFileSync(join(folder, name))
    const lines = Buffer.concat(Array.from({ length: 20_000 }, () => line))
    let hashes: unknown
    const turns = await turnsDuring(async () => void ({ hashes } = await readLines(lines, 0)))
    should(hashes).have.length(20_000)
    should(turns).be.above(2)
  })
})
