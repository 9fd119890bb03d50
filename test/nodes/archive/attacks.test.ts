/** Attacks on an archive: each one is found by the check, also after the next document, and destroys nothing. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import should from 'should'
import { stagingName } from '../../../nodes/archive/staging'
import { archiveFolder, entryOf, memoryIn, placeIn, type ArchiveFolder } from '../../support/files/archive-folder'
import { temporaryFolder } from '../../support/temporary-folder'

const whole = (documents: number) => ({
  documents,
  whole: documents,
  missing: [],
  changed: [],
  added: [],
  chain: 'whole',
})
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const hasPipes = process.platform !== 'win32'

describe('an archive under attack', () => {
  let root: string
  let folder: string
  let remove: () => void
  let archive: ArchiveFolder
  const at = (...name: string[]) => join(folder, ...name)
  const index = 'index-a.jsonl'
  beforeEach(async () => {
    ;({ path: root, remove } = temporaryFolder())
    folder = join(root, 'archive')
    archive = archiveFolder(folder)
    for (const documentId of ['d-1', 'd-2', 'd-3']) await archive.add(documentId)
  })
  afterEach(() => remove())

  const put = (name: string, text: string) => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
  const rewrite = (all: readonly string[]) => archive.write(all.map((line) => `${line}\n`).join(''))
  /** Appends a line with the right hash of the line before, as a person can who knows how an index is made. */
  const forge = (entry: object, name = index) => {
    const before = readFileSync(at(name), 'utf8').trimEnd().split('\n').filter(Boolean)
    const line = { ...entry, previous: before.length > 0 ? hashOf(before.at(-1) ?? '') : '' }
    appendFileSync(at(name), `${JSON.stringify(line)}\n`)
  }
  /** Builds the lines of the index again with another content, so that each has the hash of the line before. */
  const rebuild = (change: (entry: Record<string, unknown>, at: number) => object) => {
    let previous = ''
    const lines = archive.lines().map((line, number) => {
      const entry = change(JSON.parse(line) as Record<string, unknown>, number)
      const changed = JSON.stringify({ ...entry, previous })
      previous = hashOf(changed)
      return changed
    })
    rewrite(lines)
  }
  const invent = () => put('Lease d-4/signed.pdf', 'forged')
  const pdf = 'Lease d-2/signed.pdf'

  const attacks: readonly (readonly [what: string, attack: () => void, found: object])[] = [
    ['a signed file that was replaced', () => put(pdf, 'forged'), { whole: 2, changed: [pdf] }],
    [
      'a signed file that was replaced, with a further line about it',
      () => {
        put(pdf, 'forged')
        forge(entryOf('d-2', 'forged', 'Lease d-2/'))
      },
      { whole: 2, changed: [pdf], chain: { brokenAt: 4 } },
    ],
    [
      'a signed file that was replaced, with all lines built again',
      () => {
        put(pdf, 'forged')
        rebuild((entry, number) => (number === 1 ? entryOf('d-2', 'forged', 'Lease d-2/') : entry))
      },
      { chain: { brokenAt: 2 } },
    ],
    [
      'two versions of a file, each with a line',
      () => {
        put('Lease d-2/later/signed.pdf', 'forged')
        forge(entryOf('d-2', 'forged', 'Lease d-2/later/'))
      },
      { chain: { brokenAt: 4 } },
    ],
    [
      'an invented document with a line',
      () => {
        invent()
        forge(entryOf('d-4', 'forged', 'Lease d-4/'))
      },
      { documents: 4, whole: 4, chain: { brokenAt: 4 } },
    ],
    [
      'an invented document with a line that has the seal of another line',
      () => {
        invent()
        const { seal } = JSON.parse(archive.lines()[0] ?? '') as { seal: string }
        const line = { ...entryOf('d-4', 'forged', 'Lease d-4/'), previous: hashOf(archive.lines()[2] ?? ''), seal }
        appendFileSync(at(index), `${JSON.stringify(line)}\n`)
      },
      { documents: 4, whole: 4, chain: { brokenAt: 4 } },
    ],
    [
      'the last line removed with its folder',
      () => {
        rewrite(archive.lines().slice(0, -1))
        rmSync(at('Lease d-3'), { recursive: true })
      },
      { documents: 2, whole: 2, chain: { brokenAt: 3 } },
    ],
    [
      'a line in the middle removed with its folder, and the later lines built again',
      () => {
        rewrite(archive.lines().filter((_line, number) => number !== 1))
        rebuild((entry) => entry)
        rmSync(at('Lease d-2'), { recursive: true })
      },
      { documents: 2, whole: 2, chain: { brokenAt: 2 } },
    ],
    ['the first line removed', () => rewrite(archive.lines().slice(1)), { chain: { brokenAt: 1 } }],
    ['lines in another order', () => rewrite(archive.lines().reverse()), { chain: { brokenAt: 1 } }],
    ['a line twice', () => appendFileSync(at(index), `${archive.lines()[2]}\n`), { chain: { brokenAt: 4 } }],
    ['something behind the last line', () => appendFileSync(at(index), ' '), { chain: { brokenAt: 4 } }],
    ['the index removed', () => rmSync(at(index)), { missing: [index], chain: { brokenAt: 1 } }],
    [
      'the whole archive removed but for an empty index',
      () => {
        rmSync(folder, { recursive: true })
        put(index, '')
      },
      { documents: 0, whole: 0, chain: { brokenAt: 1 } },
    ],
    ['a file beside the documents', () => put('forged.pdf', 'x'), { added: ['forged.pdf'] }],
    ['a file in the folder of a document', () => put('Lease d-1/x.pdf', 'x'), { added: ['Lease d-1/x.pdf'] }],
    ...[
      '.unfinished-x/forged.pdf',
      `${stagingName({ index }, 'd-4')}/signed.pdf`,
      `${stagingName({ index: 'index-b.jsonl' }, 'd-4')}/signed.pdf`,
      `.unfinished-index-a-${'0'.repeat(32)}/deeper/signed.pdf`,
      '.index-a.owner',
      '.index-a.last',
      '.hidden',
    ].map((name) => [`the file ${name}`, () => put(name, 'x'), { added: [name] }] as const),
    ['an empty index more', () => put('index-b.jsonl', ''), { added: ['index-b.jsonl'] }],
    ['a copied index', () => copyFileSync(at(index), at('index-b.jsonl')), { added: ['index-b.jsonl'] }],
    [
      'a copied index that is longer',
      () => {
        copyFileSync(at(index), at('index-b.jsonl'))
        invent()
        forge(entryOf('d-4', 'forged', 'Lease d-4/'), 'index-b.jsonl')
      },
      { added: ['Lease d-4/signed.pdf', 'index-b.jsonl'] },
    ],
    [
      'a folder of a document renamed',
      () => renameSync(at('Lease d-2'), at('Lease 2')),
      { whole: 2, missing: [pdf], added: ['Lease 2/signed.pdf'] },
    ],
    ...(hasPipes
      ? ([
          [
            'a pipe for a file',
            () => {
              rmSync(at(pdf))
              should(spawnSync('mkfifo', [at(pdf)]).status).equal(0)
            },
            { whole: 2, changed: [pdf] },
          ],
          [
            'a pipe for the index',
            () => {
              rmSync(at(index))
              should(spawnSync('mkfifo', [at(index)]).status).equal(0)
            },
            { changed: [index], chain: { brokenAt: 1 } },
          ],
          [
            'a link for an index more',
            () => symlinkSync('/dev/zero', at('index-b.jsonl')),
            { added: ['index-b.jsonl'] },
          ],
        ] as const)
      : []),
  ]
  for (const [what, attack, found] of attacks) {
    it(`is not whole with ${what}`, async () => {
      should(await archive.check()).deepEqual(whole(3))
      attack()
      const first = await archive.checkAndRemember()
      should(first).containDeep(found)
      should(first).not.deepEqual(whole(first.documents))
      // A check remembers nothing that would make the next one say otherwise.
      should(await archive.check()).deepEqual(first)
    })
  }

  it('shows a line that was removed, or added, also after the next document', async () => {
    const all = archive.lines()
    for (const [change, brokenAt] of [
      [() => rewrite(all.slice(0, 2)), 3],
      [() => forge(entryOf('d-9')), 4],
    ] as const) {
      change()
      for (const documentId of ['d-4', 'd-5']) await archive.add(documentId)
      should((await archive.checkAndRemember()).chain).deepEqual({ brokenAt })
      for (const name of ['Lease d-4', 'Lease d-5']) rmSync(at(name), { recursive: true })
      rewrite(all)
    }
  })

  for (const [what, cut] of [
    ['its line break', 1],
    ['its end', 9],
  ] as const) {
    it(`keeps a last line that has lost ${what}, beside files that were begun and after the next document`, async () => {
      const before = readFileSync(at(index))
      archive.write(before.subarray(0, -cut))
      archive.begin('d-4')
      await archive.finish()
      should(readFileSync(at(index))).deepEqual(before.subarray(0, -cut))
      should((await archive.check()).chain).deepEqual({ brokenAt: 3 })
      await archive.add('d-5')
      should(archive.lines()).have.length(4)
      // If only the line break is missing, the archive is whole once it is there again.
      should((await archive.check()).chain).deepEqual(cut === 1 ? 'whole' : { brokenAt: 3 })
    })
  }

  for (const rest of ['{"time":"2031-01-01T', '{"ti', '\0\0\0\0']) {
    it(`removes what a power cut has left behind the last line: ${JSON.stringify(rest)}`, async () => {
      appendFileSync(at(index), rest)
      await archive.add('d-4')
      should(await archive.check()).deepEqual(whole(4))
    })
  }

  it('begins no index as if nothing had happened when its own is gone', async () => {
    rmSync(at(index))
    await should(archive.add('d-4')).be.rejectedWith({ code: 'GONE' })
    should(readdirSync(folder).sort()).deepEqual(['Lease d-1', 'Lease d-2', 'Lease d-3'])
  })

  it('finds any single bit that is changed in the index or in a file', async () => {
    for (const name of [index, pdf]) {
      const bytes = readFileSync(at(name))
      const step = Math.ceil(bytes.length / 80)
      for (let place = 0; place < bytes.length; place += step) {
        const changed = Buffer.from(bytes)
        changed[place] = (bytes[place] ?? 0) ^ (1 << (place % 8))
        writeFileSync(at(name), changed)
        should(await archive.check()).not.deepEqual(whole(3), `${name}, byte ${place}`)
      }
      writeFileSync(at(name), bytes)
    }
    should(await archive.check()).deepEqual(whole(3))
  })

  it('finds a change of the last line also when the time of the file is set back', async () => {
    const old = new Date('2031-01-01T00:00:00Z')
    utimesSync(at(index), old, old)
    await archive.check()
    rewrite(archive.lines().map((line) => line.replace('d-3', 'd-4')))
    utimesSync(at(index), old, old)
    should((await archive.check()).chain).deepEqual({ brokenAt: 3 })
  })

  it('compares bytes: invalid UTF-8 is not taken for the sign that replaces it in a text', async () => {
    const bytes = readFileSync(at(index))
    const place = bytes.indexOf('\uFFFD d-2')
    const changed = Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff]), bytes.subarray(place + 3)])
    should(changed.toString()).equal(bytes.toString())
    archive.write(changed)
    should((await archive.check()).chain).deepEqual({ brokenAt: 2 })
  })

  it('finds a file, a folder and an index that were replaced by a link to the same content', async () => {
    for (const [name, found] of [
      ['Lease d-1/signed.pdf', { whole: 2, changed: ['Lease d-1/signed.pdf'] }],
      ['Lease d-2', { whole: 2, changed: [pdf], added: ['Lease d-2'] }],
      [index, { changed: [index] }],
    ] as const) {
      renameSync(at(name), join(root, 'moved'))
      symlinkSync(join(root, 'moved'), at(name), 'junction')
      should(await archive.check()).deepEqual({ ...whole(3), ...found }, name)
      rmSync(at(name))
      renameSync(join(root, 'moved'), at(name))
    }
    should(await archive.check()).deepEqual(whole(3))
  })

  it('names a folder whose name has other bytes than UTF-8, such as one from an old disk', async function () {
    if (process.platform !== 'linux') return this.skip()
    const odd = Buffer.concat([Buffer.from(`${folder}/Kj`), Buffer.from([0xf8]), Buffer.from('p')])
    mkdirSync(odd)
    writeFileSync(Buffer.concat([odd, Buffer.from('/added.pdf')]), 'x')
    should((await archive.check()).added).deepEqual(['Kj\uFFFDp'])
  })

  for (const name of ['../outside/signed.pdf', 'Lease/../../outside/signed.pdf', 'a\\..\\..\\b/c', 'a/\0', '', '/x']) {
    it(`takes a line for forged that names ${JSON.stringify(name)}, and moves nothing there`, async () => {
      forge({ ...entryOf('d-4'), files: [{ name, size: 3, sha256: hashOf('d-4') }] })
      archive.begin('d-4')
      should((await archive.checkAndRemember()).chain).deepEqual({ brokenAt: 4 })
      should((await archive.add('d-4')).existing).be.false()
      should(readdirSync(root)).deepEqual(['archive'])
    })
  }

  it('does not call a document archived because of a line without files', async () => {
    forge({ ...entryOf('d-4'), files: [] })
    should((await archive.check()).chain).deepEqual({ brokenAt: 4 })
    should((await archive.add('d-4')).existing).be.false()
  })

  it('is whole when the archive itself is moved or copied', async () => {
    const moved = `${folder}-moved`
    renameSync(folder, moved)
    const elsewhere = archiveFolder(moved, placeIn(moved, 'a', archive.place.memory))
    should(await elsewhere.check()).deepEqual(whole(3))
    cpSync(moved, folder, { recursive: true })
    should(await archive.check()).deepEqual(whole(3))
  })

  describe('whose index belongs to another installation', () => {
    let other: ArchiveFolder
    beforeEach(() => (other = archiveFolder(folder, placeIn(folder, 'b', memoryIn()))))

    it('is whole with the documents of both, each counted once', async () => {
      should((await other.add('d-4')).existing).be.false()
      should((await other.add('d-1')).existing).be.true()
      for (const one of [archive, other]) should(await one.checkAndRemember()).deepEqual(whole(4))
      await archive.add('d-5')
      for (const one of [archive, other]) should(await one.checkAndRemember()).deepEqual(whole(5))
    })

    for (const [what, attack, found] of [
      [
        'a line that is changed',
        () => rewrite(archive.lines().map((one) => one.replace('d-3', 'd-4'))),
        { brokenAt: 3 },
      ],
      ['a line that is removed', () => rewrite(archive.lines().slice(0, 2)), { brokenAt: 3 }],
      ['lines that are built again', () => rebuild((entry) => ({ ...entry, title: 'x' })), { brokenAt: 3 }],
    ] as const) {
      it(`finds ${what} since it was last checked there`, async () => {
        should(await other.checkAndRemember()).deepEqual(whole(3))
        attack()
        should((await other.checkAndRemember()).chain).deepEqual(found)
        should((await other.check()).chain).deepEqual(found)
      })
    }
  })
})
