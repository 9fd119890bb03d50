/**
 * A long index of an archive: adding a document takes no more time than with a short one, and does not block other
 * work.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { readIndex, readIndexAgain } from '../../../nodes/archive/index-file'
import { readLines } from '../../../nodes/archive/index-lines'
import { archiveFolder, type ArchiveFolder } from '../../support/files/archive-folder'
import { temporaryFolder } from '../../support/temporary-folder'
import { turnsDuring } from '../../support/turns'

describe('a long index of an archive', () => {
  let folder: string
  let remove: () => void
  beforeEach(() => void ({ path: folder, remove } = temporaryFolder()))
  afterEach(() => remove())

  const name = 'index-a.jsonl'
  let archive: ArchiveFolder
  beforeEach(() => (archive = archiveFolder(folder)))
  const add = (documentId: string) => archive.add(documentId)

  it('is not read again after each document', async () => {
    await add('d-1')
    const { entries: before } = await readIndex(archive.place)
    await add('d-2')
    const { entries: after } = await readIndex(archive.place)
    should(after.map(({ documentId }) => documentId)).deepEqual(['d-1', 'd-2'])
    should(after[0]).equal(before[0])
    should(before).have.length(1)
  })

  for (const [what, change] of [
    ['after a cut line', () => appendFileSync(join(folder, name), '{"time":"2031')],
    ['after a line without its line break', () => archive.write(readFileSync(join(folder, name)).subarray(0, -1))],
    ['after a line written by hand', () => appendFileSync(join(folder, name), 'by hand\n')],
  ] as const) {
    it(`is known as it is in the file ${what}`, async () => {
      await add('d-1')
      change()
      await add('d-2')
      await add('d-3')
      const index = await readIndex(archive.place)
      should(index).deepEqual(await readIndexAgain(archive.place))
    })
  }

  it('lets others have their turn while it is read', async () => {
    await add('d-1')
    const line = readFileSync(join(folder, name))
    const lines = Buffer.concat(Array.from({ length: 20_000 }, () => line))
    let hashes: unknown
    const turns = await turnsDuring(async () => void ({ hashes } = await readLines(lines, { lines: 0 })))
    should(hashes).have.length(20_000)
    should(turns).be.above(2)
  })
})
