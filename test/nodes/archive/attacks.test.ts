/** Attacks on an archive between two documents: no line is cut off, and each attack is found. */
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
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
import { finishAbandoned } from '../../../nodes/archive/finish'
import { archiveFolder, type ArchiveFolder } from '../../support/files/archive-folder'
import { temporaryFolder } from '../../support/temporary-folder'

const never = new AbortController().signal
const whole = (documents: number) => ({
  documents,
  whole: documents,
  missing: [],
  changed: [],
  added: [],
  chain: 'whole',
})

describe('an archive under attack', () => {
  let folder: string
  let remove: () => void
  let archive: ArchiveFolder
  const at = (...name: string[]) => join(folder, ...name)
  beforeEach(async () => {
    ;({ path: folder, remove } = temporaryFolder())
    archive = archiveFolder(folder)
    for (const documentId of ['d-1', 'd-2', 'd-3']) await archive.add(documentId)
  })
  afterEach(() => remove())

  for (const [what, cut] of [
    ['its line break', 1],
    ['its end', 9],
  ] as const) {
    it(`keeps a last line that has lost ${what}, beside files that were begun and after the next document`, async () => {
      const before = readFileSync(at('index.jsonl'))
      archive.write(before.subarray(0, -cut))
      await archive.begin('d-4')
      await archive.finish()
      should(readFileSync(at('index.jsonl'))).deepEqual(before.subarray(0, -cut))
      should((await archive.check()).chain).deepEqual({ brokenAt: 3 })
      await archive.add('d-5')
      should(archive.lines()).have.length(4)
      should(archive.lines()[2]).equal(
        before
          .toString()
          .split('\n')[2]
          ?.slice(0, cut === 1 ? undefined : 1 - cut),
      )
      const { documents, chain } = await archive.check()
      // If only the line break is missing, the archive is intact once it is added again.
      should([documents, chain]).deepEqual(cut === 1 ? [4, 'whole'] : [3, { brokenAt: 3 }])
    })
  }

  for (const rest of ['{"time":"2031-01-01T', '{"ti', '\0\0\0\0']) {
    it(`removes what a crash or a power cut has left behind the last line: ${JSON.stringify(rest)}`, async () => {
      appendFileSync(at('index.jsonl'), rest)
      await archive.add('d-4')
      should(await archive.check()).deepEqual(whole(4))
    })
  }

  it('keeps what was written by hand behind the last line, and shows it', async () => {
    appendFileSync(at('index.jsonl'), 'by hand')
    await archive.add('d-4')
    should(archive.lines()[3]).equal('by hand')
    should((await archive.check()).chain).deepEqual({ brokenAt: 4 })
  })

  it('compares bytes: invalid UTF-8 is not taken for the sign that replaces it in a text', async () => {
    const bytes = readFileSync(at('index.jsonl'))
    const place = bytes.indexOf('\uFFFD d-2')
    const changed = Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff]), bytes.subarray(place + 3)])
    should(changed.toString()).equal(bytes.toString())
    archive.write(changed)
    should((await archive.check()).chain).deepEqual({ brokenAt: 3 })
    await archive.add('d-4')
    should((await archive.check()).chain).deepEqual({ brokenAt: 3 })
  })

  it('finds any single bit that is changed, in an index, a seal or a file', async () => {
    for (const name of ['index.jsonl', '.index.last', 'Lease d-2/signed.pdf']) {
      const bytes = readFileSync(at(name))
      const step = Math.ceil(bytes.length / 60)
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

  it('counts the documents of a copied index once, and names the copy and its seal', async () => {
    copyFileSync(at('index.jsonl'), at('index-2.jsonl'))
    copyFileSync(at('.index.last'), at('.index-2.last'))
    should(await archive.check()).deepEqual({ ...whole(3), added: ['.index-2.last', 'index-2.jsonl'] })
    await archive.add('d-4')
    should(await archive.check()).deepEqual({ ...whole(4), added: ['.index-2.last', 'index-2.jsonl'] })
    rmSync(at('.index-2.last'))
    should(await archive.check()).deepEqual({ ...whole(4), added: ['index-2.jsonl'] })
  })

  it('names files that only look like its own', async () => {
    const forged = [
      '.index.owner.forged.pdf-unfinished',
      '.index-a/Lease d-4.owner',
      `.unfinished-index-${'0'.repeat(32)}/signed.pdf`,
    ]
    for (const name of forged) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), 'forged')
    }
    const future = new Date('2099-01-01T00:00:00Z')
    utimesSync(dirname(at(forged[2] ?? '')), future, future)
    const { added } = await archive.check()
    should(added).deepEqual([...forged].sort())
  })

  it('counts a document once that two Node-REDs have archived', async () => {
    await archiveFolder(folder, 'index-b.jsonl').add('d-1')
    should(await archive.check()).deepEqual(whole(3))
  })

  it('finds a file, a folder and an index that were replaced by a link to the same content', async () => {
    const aside = temporaryFolder()
    const replace = (name: string) => {
      renameSync(at(name), join(aside.path, 'moved'))
      symlinkSync(join(aside.path, 'moved'), at(name), 'junction')
    }
    const restore = (name: string) => {
      rmSync(at(name))
      renameSync(join(aside.path, 'moved'), at(name))
    }
    for (const [name, found] of [
      ['Lease d-1/signed.pdf', { whole: 2, changed: ['Lease d-1/signed.pdf'] }],
      ['Lease d-2', { whole: 2, changed: ['Lease d-2/signed.pdf'], added: ['Lease d-2'] }],
      ['index.jsonl', { changed: ['index.jsonl'] }],
      ['.index.last', { changed: ['.index.last'] }],
    ] as const) {
      replace(name)
      should(await archive.check()).deepEqual({ ...whole(3), ...found }, name)
      restore(name)
    }
    should(await archive.check()).deepEqual(whole(3))
    aside.remove()
  })

  it('says that the index is gone, and does not begin a new one as if nothing had happened', async () => {
    rmSync(at('index.jsonl'))
    const files = ['Lease d-1/signed.pdf', 'Lease d-2/signed.pdf', 'Lease d-3/signed.pdf']
    const gone = { ...whole(0), missing: ['index.jsonl'], added: files, chain: { brokenAt: 1 } }
    should(await archive.check()).deepEqual(gone)
    await archive.add('d-4')
    const { chain, added } = await archive.check()
    should(chain).deepEqual({ brokenAt: 2 })
    should(added).deepEqual(files)
  })

  it('finds a folder of a document that is renamed, and is whole when the archive itself is', async () => {
    renameSync(at('Lease d-2'), at('Lease 2'))
    const { missing, added } = await archive.check()
    should([missing, added]).deepEqual([['Lease d-2/signed.pdf'], ['Lease 2/signed.pdf']])
    renameSync(at('Lease 2'), at('Lease d-2'))
    const moved = `${folder}-moved`
    renameSync(folder, moved)
    should(await archiveFolder(moved).check()).deepEqual(whole(3))
    cpSync(moved, folder, { recursive: true })
    rmSync(moved, { recursive: true })
    should(await archive.check()).deepEqual(whole(3))
  })

  for (const [what, left] of [
    ['their folder, when they have a line', true],
    ['up, when they have none', false],
  ] as const) {
    it(`gives the files of a Node-RED that never came back ${what}`, async () => {
      const other = archiveFolder(folder, 'index-gone.jsonl')
      await other.begin('d-4')
      const [name = ''] = readdirSync(folder).filter((one) => one.startsWith('.unfinished-'))
      if (left) {
        await other.add('d-4')
        renameSync(at('Lease d-4'), at(name))
      }
      const finish = () => finishAbandoned({ folder, real: folder, index: 'index.jsonl' }, never)
      await finish()
      should(existsSync(at(name))).be.true()
      const old = new Date(Date.now() - 2 * 3_600_000)
      for (const one of [at(name, 'signed.pdf'), at(name)]) utimesSync(one, old, old)
      await finish()
      should(existsSync(at(name))).be.false()
      should(await archive.check()).deepEqual(whole(left ? 4 : 3))
    })
  }
})
