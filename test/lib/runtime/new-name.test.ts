/** How a finished file gets its final name, also on file systems that release it late or have no hard links. */
import should from 'should'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isForeignPath, isForeignRelative } from '../../../lib/runtime/files/files'
import { moveToFreePlace, numberedFile, type FileSystem } from '../../../lib/runtime/files/new-name'
import { isReservedName } from '../../../lib/runtime/files/safe-name'

const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
/** Fails once with each code, and then works. */
const failing = <A extends unknown[], T>(codes: string[], work: (...given: A) => Promise<T>) => {
  const left = [...codes]
  return (...given: A) => {
    const code = left.shift()
    return code === undefined ? work(...given) : fail(code)
  }
}

describe('the name of a file that is saved', () => {
  let folder: string
  let temporary: string
  const files = (broken: Partial<FileSystem>): FileSystem => ({ link, open, rename, rm, ...broken })
  const noLinks = { link: () => fail('ENOTSUP') } as unknown as Partial<FileSystem>

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-name-'))
    temporary = join(folder, '.part')
    writeFileSync(temporary, 'new')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  for (const [what, broken] of [
    ['', {}],
    [' without second names', noLinks],
  ] as const) {
    it(`is the next free one${what}`, async () => {
      for (const name of ['x.pdf', 'x (2).pdf']) writeFileSync(join(folder, name), 'older')
      const path = await moveToFreePlace(temporary, join(folder, 'x.pdf'), numberedFile, files(broken))
      should(path).equal(join(folder, 'x (3).pdf'))
      should(readFileSync(path, 'utf8')).equal('new')
      should(readFileSync(join(folder, 'x.pdf'), 'utf8')).equal('older')
      should(readdirSync(folder).sort()).deepEqual(['x (2).pdf', 'x (3).pdf', 'x.pdf'])
    })
  }

  for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
    it(`is given although the system says ${code} for a while`, async () => {
      const busy = { rename: failing([code, code, code], rename) as typeof rename }
      const path = await moveToFreePlace(temporary, join(folder, 'x.pdf'), numberedFile, files({ ...noLinks, ...busy }))
      should(readFileSync(path, 'utf8')).equal('new')
      should(readdirSync(folder)).deepEqual(['x.pdf'])
    })

    it(`is given once although the first one can't be removed for a while (${code})`, async () => {
      const busy = { rm: failing([code, code], rm) as typeof rm }
      const path = await moveToFreePlace(temporary, join(folder, 'x.pdf'), numberedFile, files(busy))
      should(readFileSync(path, 'utf8')).equal('new')
      should(readdirSync(folder)).deepEqual(['x.pdf'])
    })
  }

  it('is free again when the file can never have it', async () => {
    const broken = { ...noLinks, rename: () => fail('EIO') } as unknown as Partial<FileSystem>
    await should(moveToFreePlace(temporary, join(folder, 'x.pdf'), numberedFile, files(broken))).rejectedWith({
      code: 'EIO',
    })
    should(readdirSync(folder)).deepEqual(['.part'])
  })

  it('is not that of a device on Windows; a path of Windows counts as a path on Windows only', () => {
    for (const name of ['CON', 'nul.pdf', 'COM1.txt', 'lpt9']) {
      should(isReservedName(name, 'win32')).be.true()
      should(isReservedName(name, 'linux')).be.false()
    }
    for (const name of ['contract.pdf', 'console.pdf', 'COM10.txt']) should(isReservedName(name, 'win32')).be.false()
    for (const path of ['C:\\Users\\ola\\x.pdf', 'd:/x.pdf', '\\\\server\\x.pdf', '"C:\\x.pdf"']) {
      should(isForeignPath(path, 'linux')).be.true()
      should(isForeignPath(path, 'win32')).be.false()
    }
    for (const path of ['/data/x.pdf', 'signed/x.pdf', 'a:b', 'c:']) should(isForeignPath(path, 'linux')).be.false()
  })

  it('is separated from its folder by this system alone', () => {
    should(isForeignRelative('signed\\may.pdf', 'linux')).be.true()
    should(isForeignRelative('signed\\may.pdf', 'win32')).be.false()
    for (const path of ['may.pdf', 'signed/a\\b.pdf', '/a\\b']) should(isForeignRelative(path, 'linux')).be.false()
  })
})
