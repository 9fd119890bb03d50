/** Attacks on the edges of an archive: the last line, the whole index, and unfinished folders. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { archiveFolder } from '../../support/files/archive-folder'
import { temporaryFolder } from '../../support/temporary-folder'

describe('the edges of an archive', () => {
  let folder: string
  let remove: () => void
  before(async () => {
    ;({ path: folder, remove } = temporaryFolder())
    for (const documentId of ['d-1', 'd-2']) await archive(documentId)
  })
  after(() => remove())

  const archive = (documentId: string) => archiveFolder(folder).add(documentId)
  const check = () => archiveFolder(folder).check()
  const rewrite = (all: readonly string[]) => archiveFolder(folder).write(all.map((line) => `${line}\n`).join(''))

  it('are checked: the last line, the index as a whole, and folders that are begun', async () => {
    const [first = '', last = ''] = readFileSync(join(folder, 'index.jsonl'), 'utf8').split('\n')
    const index = join(folder, 'index.jsonl')
    const seal = readFileSync(join(folder, '.index.last'))
    const { atime, mtime } = statSync(index)
    const attacks: readonly [string, () => void, object][] = [
      ['a changed last line', () => rewrite([first, last.replace('d-2', 'd-3')]), { chain: { brokenAt: 2 } }],
      [
        'the same with the time of the file set back',
        () => {
          rewrite([first, last.replace('d-2', 'd-3')])
          utimesSync(index, atime, mtime)
        },
        { chain: { brokenAt: 2 } },
      ],
      [
        'the last line removed with its folder',
        () => {
          rewrite([first])
          rmSync(join(folder, 'Lease d-2'), { recursive: true })
        },
        { chain: { brokenAt: 2 }, documents: 1, whole: 1 },
      ],
      ['something behind the last line', () => appendFileSync(index, ' '), { chain: { brokenAt: 3 } }],
      ['no seal', () => rmSync(join(folder, '.index.last')), { missing: ['.index.last'] }],
      ['another seal', () => writeFileSync(join(folder, '.index.last'), 'x'), { changed: ['.index.last'] }],
      ['an empty index', () => writeFileSync(join(folder, 'index-2.jsonl'), ''), { added: ['index-2.jsonl'] }],
      ['a copied index', () => copyFileSync(index, join(folder, 'index-2.jsonl')), { added: ['index-2.jsonl'] }],
      [
        'an old folder of a document that is collected',
        () => {
          const begun = join(folder, `.unfinished-index-2-${'0'.repeat(32)}`)
          mkdirSync(begun)
          writeFileSync(join(begun, 'x'), '')
          utimesSync(begun, atime, new Date(Date.now() - 7_200_000))
        },
        { added: [`.unfinished-index-2-${'0'.repeat(32)}/x`] },
      ],
    ]
    const copy = `${folder}-copy`
    cpSync(folder, copy, { recursive: true })
    for (const [what, attack, found] of attacks) {
      attack()
      const whole = { documents: 2, whole: 2, missing: [], changed: [], added: [], chain: 'whole' }
      should(await check()).deepEqual({ ...whole, ...found }, what)
      rmSync(folder, { recursive: true })
      cpSync(copy, folder, { recursive: true })
    }
    rmSync(copy, { recursive: true })
    should(readFileSync(join(folder, '.index.last'))).deepEqual(seal)
    should(await check()).have.properties({ documents: 2, whole: 2, added: [], chain: 'whole' })
  })

  it('show a line that was removed, also after the next document', async () => {
    const [first = ''] = readFileSync(join(folder, 'index.jsonl'), 'utf8').split('\n')
    rewrite([first])
    rmSync(join(folder, 'Lease d-2'), { recursive: true })
    await archive('d-4')
    should((await check()).chain).deepEqual({ brokenAt: 2 })
    await archive('d-5')
    should((await check()).chain).deepEqual({ brokenAt: 2 })
    rewrite([])
    await archive('d-6')
    should((await check()).chain).deepEqual({ brokenAt: 2 })
    rewrite([first])
  })

  it('hold whatever was put in place of a file, and a folder that is called like an index', async () => {
    const file = join(folder, 'Lease d-1', 'signed.pdf')
    mkdirSync(join(folder, 'index-2.jsonl'))
    rmSync(file)
    if (process.platform !== 'win32') should(spawnSync('mkfifo', [file]).status).equal(0)
    const found = await check()
    should(found[process.platform === 'win32' ? 'missing' : 'changed']).containEql('Lease d-1/signed.pdf')
    rmSync(file, { force: true })
    symlinkSync(file, file)
    should((await check()).changed).containEql('Lease d-1/signed.pdf')
  })
})
