/**
 * Objects that someone adds to an archive: they are found, block nothing, and nothing outside the archive is touched.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import should from 'should'
import { findKept, finishCrashed, keepFiles } from '../../../nodes/archive/keep'
import { stagingName } from '../../../nodes/archive/staging'
import { archiveFolder } from '../../support/files/archive-folder'
import { temporaryFolder } from '../../support/temporary-folder'

const never = new AbortController().signal
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('an archive with something forged beside it', () => {
  let root: string
  let folder: string
  let remove: () => void
  const at = (...name: string[]) => join(folder, ...name)
  const check = () => archiveFolder(folder).check()
  const whole = (documents: number) => ({
    documents,
    whole: documents,
    missing: [],
    changed: [],
    added: [],
    chain: 'whole',
  })
  beforeEach(async () => {
    ;({ path: root, remove } = temporaryFolder())
    folder = join(root, 'archive')
    for (const documentId of ['d-1', 'd-2']) await keep(documentId)
  })
  afterEach(() => remove())

  /** Archives a document in the same way as "archive". */
  const keep = async (documentId: string) => {
    const place = { folder, real: folder, writer: { id: 'me', names: ['index', 'index-me'] as const } }
    await finishCrashed(place, never)
    const collect = (path: string) => {
      writeFileSync(join(path, 'signed.pdf'), documentId)
      const files = [{ name: 'signed.pdf', size: documentId.length, sha256: hashOf(documentId) }]
      const entry = { time: '2031-01-01T00:00:00Z', documentId, title: documentId, signers: [], files }
      return Promise.resolve({ wanted: `Lease ${documentId}`, entry })
    }
    return (await findKept(place, documentId, never)) ?? keepFiles(place, documentId, collect, never)
  }
  const pipe = (path: string) => {
    rmSync(path, { force: true })
    should(spawnSync('mkfifo', [path]).status).equal(0)
  }
  const folderAt = (path: string) => {
    rmSync(path, { force: true })
    mkdirSync(path)
  }
  const hasPipes = process.platform !== 'win32'
  const brokenAt = (line: number) => ({ brokenAt: line })

  const cases: readonly (readonly [what: string, forge: () => void, found: object])[] = [
    [
      'an owner of an index that is not there',
      () => writeFileSync(at('.index-x.owner'), 'a contract'),
      { added: ['.index-x.owner'] },
    ],
    [
      'a copied owner of an index that is not there',
      () => copyFileSync(at('.index.owner'), at('.index-x.owner')),
      { added: ['.index-x.owner'] },
    ],
    [
      'such an owner with a seal',
      () => {
        writeFileSync(at('.index-x.owner'), 'x')
        writeFileSync(at('.index-x.last'), '{"lines":0,"sha256":""}\n')
      },
      { added: ['.index-x.last', '.index-x.owner'] },
    ],
    [
      'an unfinished owner',
      () => writeFileSync(at('.index-x.owner.unfinished'), 'a contract'),
      { added: ['.index-x.owner.unfinished'] },
    ],
    ['a changed owner', () => writeFileSync(at('.index.owner'), 'x'), { changed: ['.index.owner'] }],
    // The folder is empty.
    ['a folder for an owner', () => folderAt(at('.index.owner')), {}],
    ['a folder for a seal', () => folderAt(at('.index.last')), { changed: ['.index.last'] }],
    ...(hasPipes
      ? ([
          ['a pipe for an owner', () => pipe(at('.index.owner')), { changed: ['.index.owner'] }],
          ['a pipe for a seal', () => pipe(at('.index.last')), { changed: ['.index.last'] }],
          ['a pipe for an index more', () => pipe(at('index-x.jsonl')), { added: ['index-x.jsonl'] }],
          [
            'a link for an index more',
            () => symlinkSync('/dev/zero', at('index-x.jsonl')),
            { added: ['index-x.jsonl'] },
          ],
          [
            'a pipe for a seal more',
            () => pipe(at('.index-x.last')),
            { missing: ['index-x.jsonl'], changed: ['.index-x.last'] },
          ],
          [
            'a link for files that are collected',
            () => symlinkSync(root, at(`.unfinished-index-x-${'0'.repeat(32)}`)),
            { added: [`.unfinished-index-x-${'0'.repeat(32)}`] },
          ],
        ] as const)
      : []),
  ]
  for (const [what, forge, found] of cases) {
    it(`is checked and continues beside ${what}`, async () => {
      forge()
      should(await check()).deepEqual({ ...whole(2), ...found })
      should((await keep('d-3')).existing).be.false()
      should((await keep('d-1')).existing).be.true()
      should(await check()).deepEqual({ ...whole(3), ...found })
      should(readdirSync(folder).filter((name) => name.startsWith('Lease'))).have.length(3)
    })
  }

  it('is checked with a pipe for its index, and keeps nothing twice', async function () {
    if (!hasPipes) return this.skip()
    pipe(at('index.jsonl'))
    const found = await check()
    should(found).containDeep({ documents: 0, missing: [], changed: ['index.jsonl'], chain: brokenAt(1) })
    should(found.added).deepEqual(['Lease d-1/signed.pdf', 'Lease d-2/signed.pdf'])
    await should(keep('d-1')).be.rejectedWith({ code: 'SPECIAL' })
    should(readdirSync(folder).filter((name) => name.startsWith('Lease'))).have.length(2)
  })

  it('names a folder whose name has other bytes than UTF-8, such as one from an old disk', async function () {
    if (process.platform !== 'linux') return this.skip()
    const odd = Buffer.concat([Buffer.from(`${folder}/Kj`), Buffer.from([0xf8]), Buffer.from('p')])
    mkdirSync(odd)
    writeFileSync(Buffer.concat([odd, Buffer.from('/added.pdf')]), 'x')
    should((await check()).added).deepEqual(['Kj\uFFFDp'])
  })

  for (const name of [
    '../outside/signed.pdf',
    'Lease/../../outside/signed.pdf',
    'a\\..\\..\\b/c',
    'a/\0',
    '',
    '/etc/x',
  ]) {
    it(`takes a line for forged that names ${JSON.stringify(name)}, and moves nothing there`, async () => {
      forgeLine('d-3', [{ name, size: 3, sha256: hashOf('d-3') }])
      const begun = at(stagingName({ index: 'index.jsonl' }, 'd-3'))
      mkdirSync(begun)
      writeFileSync(join(begun, 'signed.pdf'), 'd-3')
      should(await check()).deepEqual({ ...whole(2), chain: brokenAt(3) })
      should((await keep('d-3')).existing).be.false()
      should(await check()).deepEqual({ ...whole(3), chain: brokenAt(3) })
      should(existsSync(join(root, 'outside'))).be.false()
      should(readdirSync(dirname(folder))).deepEqual(['archive'])
    })
  }

  it('does not take a line without files for a document that is archived', async () => {
    forgeLine('d-3', [])
    should(await check()).deepEqual({ ...whole(2), chain: brokenAt(3) })
    should((await keep('d-3')).existing).be.false()
  })

  /** Adds a line with a valid seal. */
  const forgeLine = (documentId: string, files: readonly object[]) => {
    const lines = readFileSync(at('index.jsonl'), 'utf8').trimEnd().split('\n')
    const entry = { time: '2031-01-01T00:00:00Z', documentId, title: documentId, signers: [], files }
    const line = JSON.stringify({ ...entry, previous: hashOf(lines.at(-1) ?? '') })
    appendFileSync(at('index.jsonl'), `${line}\n`)
    writeFileSync(at('.index.last'), `${JSON.stringify({ lines: lines.length + 1, sha256: hashOf(line) })}\n`)
  }
})
